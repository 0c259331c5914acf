import { groupBy } from "../../../../text/arrays/group-by.ts";
import { codePointOffsets } from "../../../../text/spans/offsets.ts";
import { exchangedRows } from "../../qda/storage-exchange.ts";
import {
  type AttributeContent,
  type CaseContent,
  distinctCasePassages,
  type FolderContent,
  type JournalContent,
  type SourceContent,
} from "../content.ts";
import { breakCycles } from "../cycles.ts";
import type { ExportContext, OwnedRow } from "./export-context.ts";

type SourcesByRow = ReadonlyMap<number, SourceContent>;

/** Collects folders, attributes, cases and journals. */
export function collectCasesAndFolders(context: ExportContext, sources: SourcesByRow) {
  const folders = collectFolders(context, sources);
  const cases = collectCases(context, sources);
  const attributes = collectAttributes(context, sources, cases);
  return { folders, attributes, cases: [...cases.values()], journals: collectJournals(context) };
}

interface SourceExtrasRow {
  source_id: number;
  source_date: string | null;
  folder_id: number | null;
  origin: string | null;
  language: string | null;
  topics: string | null;
  organization: string | null;
  private?: number | null;
}

function collectFolders(context: ExportContext, sources: SourcesByRow): FolderContent[] {
  const { losses, project } = context;
  const { db } = project;
  const rows = exchangedRows<{ name: string; parent_id: number | null }>(db, "lectern_folders");
  const guids = new Map(rows.map((row) => [row.row, context.guidOf("folder", { row: row.row })]));
  for (const extras of exchangedRows<SourceExtrasRow>(db, "lectern_sources")) {
    const source = sources.get(extras.source_id);
    if (!source || (source.date ?? null) !== extras.source_date) continue;
    source.folder = guids.get(extras.folder_id ?? 0) ?? null;
    if (extras.private) losses.add("dropped", "Which sources are private", source.name);
    const { origin, language, topics, organization } = extras;
    if (origin ?? language ?? topics ?? organization) {
      losses.add("dropped", "Origin, language, topics and filing of sources", source.name);
    }
  }
  const folders = rows.map(({ row, name, parent_id }) => ({
    guid: guids.get(row) ?? "",
    name,
    parent: guids.get(parent_id ?? 0) ?? null,
  }));
  breakCycles(folders, losses);
  return folders;
}

interface NamedRow extends OwnedRow {
  row: number;
  name: string | null;
  memo: string | null;
}

function collectCases(context: ExportContext, sources: SourcesByRow): Map<number, CaseContent> {
  const { db } = context.project;
  const parts = groupBy(exchangedRows<CasePartRow>(db, "case_text"), ({ caseid }) => caseid);
  const lengths = new Map(
    [...sources].map(([row, { text }]) => [row, codePointOffsets(text ?? "").length]),
  );
  return new Map(
    exchangedRows<NamedRow>(db, "cases").map((row): [number, CaseContent] => {
      const name = row.name ?? "";
      const whole = new Set<string>();
      const passages: CaseContent["passages"] = [];
      for (const { fid, pos0: start, pos1: end } of parts.get(row.row) ?? []) {
        const source = sources.get(fid)?.guid;
        const length = lengths.get(fid) ?? 0;
        if (source === undefined) continue;
        if (start === 0 && (end === 0 || end === length)) whole.add(source);
        else if (start !== null && 0 <= start && start < end && end <= length)
          passages.push({ source, start, end });
        else context.losses.add("dropped", "Passages of cases outside their text", name);
      }
      return [
        row.row,
        {
          guid: context.guidOf("case", row),
          name,
          memo: context.memoOf(row.memo, name),
          sources: [...whole],
          passages: distinctCasePassages(passages),
          values: [],
        },
      ];
    }),
  );
}

type CasePartRow = Record<"caseid" | "fid" | "pos1", number> & { pos0: number | null };

interface AttributeRow extends NamedRow {
  caseOrFile: string;
  valuetype: string;
}

function collectAttributes(
  context: ExportContext,
  sources: SourcesByRow,
  cases: ReadonlyMap<number, CaseContent>,
): AttributeContent[] {
  const { losses, project } = context;
  const { db } = project;
  const attributes = new Map<string, AttributeContent>();
  for (const row of exchangedRows<AttributeRow>(db, "attribute_type")) {
    const name = row.name ?? "";
    if (row.caseOrFile !== "case" && row.caseOrFile !== "file") {
      losses.add("dropped", "Attributes of journals", name);
      continue;
    }
    attributes.set(name, {
      // The table has no primary key, and VACUUM may change its rowids.
      guid: context.guidOf("attribute", { row: name, date: row.date ?? null }),
      name,
      memo: context.memoOf(row.memo, name),
      of: row.caseOrFile,
      type: row.valuetype === "numeric" ? "numeric" : "character",
    });
  }
  type Row = { name: string; attr_type: string; value: string | null; id: number };
  for (const { name, attr_type, value, id } of exchangedRows<Row>(db, "attribute")) {
    const attribute = attributes.get(name);
    const owner = attr_type === "case" ? cases.get(id) : sources.get(id);
    if (!attribute || attribute.of !== attr_type || !owner || !value) continue;
    owner.values.push({ attribute: attribute.guid, value });
  }
  const used = new Set([...sources.values()].flatMap((one) => one.values.map((v) => v.attribute)));
  for (const { guid, name, of } of attributes.values()) {
    if (of === "case" || used.has(guid)) continue;
    losses.add(
      "changed",
      "Attributes of sources without values, which other programs may read as attributes of cases",
      name,
    );
  }
  return [...attributes.values()];
}

function collectJournals(context: ExportContext): JournalContent[] {
  type Row = NamedRow & { jentry: string | null };
  return exchangedRows<Row>(context.project.db, "journal").map((row) => ({
    guid: context.guidOf("journal", row),
    name: row.name ?? "",
    text: context.memoOf(row.jentry, row.name ?? ""),
    ...context.authorshipOf(row),
  }));
}
