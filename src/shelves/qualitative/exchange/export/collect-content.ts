import { sharedMemo } from "../../project/memo.ts";
import { allListedCoders } from "../../qda/storage-coders.ts";
import { untransferableCounts } from "../../qda/storage-exchange.ts";
import { projectRow } from "../../qda/storage-project.ts";
import { type Content, emptyContent } from "../content.ts";
import { derivedGuid } from "../guid.ts";
import { readStoredGuids } from "../stored-guids.ts";
import { collectCasesAndFolders } from "./collect-cases-and-folders.ts";
import { collectCodebook } from "./collect-codebook.ts";
import { collectSources } from "./collect-sources.ts";
import type { ExportContext, ExportRequest } from "./export-context.ts";

/** Collects everything that can be exported, and reports the rest as losses. */
export function collectContent(request: ExportRequest): Content {
  const { project, losses } = request;
  const row = projectRow(project.db);
  const context = createExportContext(request);
  const { categories, codes, codeOfRow } = collectCodebook(context);
  const sources = collectSources(context, codeOfRow);
  const casesAndFolders = collectCasesAndFolders(context, sources);
  for (const { what, count } of untransferableCounts(project.db))
    losses.add("dropped", what, "", count);
  const owned = categories.length + codes.length + casesAndFolders.cases.length;
  losses.add("dropped", "Owners and dates of codes, categories and cases", "", owned);
  return {
    name: project.name,
    memo: context.memoOf(row?.memo ?? null, project.name),
    coder: row?.codername || undefined,
    coders: context.coders(),
    categories,
    codes,
    ...casesAndFolders,
    sources: [...sources.values()],
  };
}

/** Collects only codes and categories. */
export function collectCodes(request: ExportRequest): Content {
  const { categories, codes } = collectCodebook(createExportContext(request));
  return { ...emptyContent(request.project.name), categories, codes };
}

function createExportContext(request: ExportRequest): ExportContext {
  const { project, losses, isWhole } = request;
  const about = projectRow(project.db);
  const guids = readStoredGuids(project.db);
  const listed = allListedCoders(project.db);
  const hidden = new Set(listed.filter((one) => one.visibility === 0).map(({ name }) => name));
  const coders = new Set(isWhole ? listed.map(({ name }) => name) : []);
  if (about?.codername) coders.add(about.codername);
  return {
    ...request,
    guidOf: (kind, { row, date = null }) =>
      guids(kind, String(row), date) ?? derivedGuid(about?.date ?? null, kind, row, date),
    memoOf(memo, of) {
      const exported = isWhole ? memo : sharedMemo(memo);
      if (exported !== memo) losses.add("dropped", "Private parts of memos", of);
      return exported ?? "";
    },
    authorshipOf({ owner, date }) {
      if (owner) coders.add(owner);
      return { owner: owner || undefined, date: date || undefined };
    },
    isHidden: (owner) => !isWhole && hidden.has(owner ?? ""),
    coders() {
      if (isWhole) losses.add("dropped", "Which coders are hidden", "", hidden.size);
      return [...coders]
        .sort()
        .map((name) => ({ name, guid: guids("coder", name, null) ?? derivedGuid("coder", name) }));
    },
  };
}
