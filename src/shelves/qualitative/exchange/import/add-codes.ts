import type { Call } from "../../../../kernel/call.ts";
import { pluralise } from "../../../../text/strings/pluralise.ts";
import { type Plan, planWrite } from "../../governance/planned-write.ts";
import type { QdaProject, WriteContext } from "../../project/project.ts";
import { allCategories, allCodes } from "../../qda/storage-codes.ts";
import { defaultColorAt } from "../colors.ts";
import type { Content } from "../content.ts";
import type { LossReport } from "../losses.ts";
import { sortParentsFirst } from "../parents-first.ts";
import { saveGuid } from "../stored-guids.ts";
import { normalizeContent } from "./normalize-content.ts";

interface AddedCounts {
  codes_added: number;
  categories_added: number;
  already_there: number;
}

/**
 * Plans to add codes and categories to an existing project, as one change. Names are compared
 * case-insensitively; an existing code or category stays unchanged.
 */
export function planImportedCodes(
  project: () => QdaProject,
  content: Content,
  losses: LossReport,
  call: Call,
): Plan<AddedCounts & { change_id?: number; losses: ReturnType<LossReport["list"]> }> {
  normalizeContent(content, "", losses);
  const counts: AddedCounts = { ...noCounts };
  if (!hasNewEntries(project(), content)) {
    const already_there = content.codes.length + content.categories.length;
    return { ...counts, already_there, losses: losses.list() };
  }
  return planWrite(
    project,
    {
      call,
      operation: "import_codes",
      summary: () => `Imported ${pluralise(counts.codes_added, "code")}`,
    },
    (context) => {
      // A write may run twice.
      Object.assign(counts, noCounts);
      const categories = addCategories(context, content, counts);
      addNewCodes(context, content, categories, counts);
      return counts;
    },
    (added) => {
      call.announce({ topic: "segments.changed" });
      return { ...added, losses: losses.list() };
    },
  );
}

const noCounts: AddedCounts = { codes_added: 0, categories_added: 0, already_there: 0 };

/** Whether any code or category is missing in the project. */
function hasNewEntries({ db }: QdaProject, { categories, codes }: Content): boolean {
  const [knownCategories, knownCodes] = [idsByName(allCategories(db)), idsByName(allCodes(db))];
  return (
    categories.some(({ name }) => !knownCategories.has(name.toLowerCase())) ||
    codes.some(({ name }) => !knownCodes.has(name.toLowerCase()))
  );
}

/** Adds the missing categories and returns the row ids of all, by GUID. */
function addCategories(
  context: WriteContext,
  { categories }: Content,
  counts: AddedCounts,
): Map<string, number> {
  const { writer, db, owner, date } = context;
  const idByName = idsByName(allCategories(db));
  const rows = new Map<string, number>();
  for (const { guid, name, memo, parent } of sortParentsFirst(categories)) {
    const existing = idByName.get(name.toLowerCase());
    const supercatid = rows.get(parent ?? "") ?? null;
    const row = existing ?? writer.insert("code_cat", { name, memo, owner, date, supercatid });
    rows.set(guid, row);
    idByName.set(name.toLowerCase(), row);
    counts[existing === undefined ? "categories_added" : "already_there"] += 1;
    if (existing === undefined) saveGuid(context, "category", row, guid);
  }
  return rows;
}

function addNewCodes(
  context: WriteContext,
  { codes }: Content,
  categories: ReadonlyMap<string, number>,
  counts: AddedCounts,
): void {
  const { writer, db, owner, date } = context;
  const idByName = idsByName(allCodes(db));
  const rows = new Map<string, number>();
  for (const { guid, name, memo, color, category, parent } of sortParentsFirst(codes)) {
    const existing = idByName.get(name.toLowerCase());
    const catid = categories.get(category ?? "") ?? null;
    const supercid = rows.get(parent ?? "") ?? null;
    const values = {
      name,
      memo,
      color: color ?? defaultColorAt(idByName.size),
      owner,
      date,
      catid,
      supercid,
    };
    const row = existing ?? writer.insert("code_name", values);
    rows.set(guid, row);
    idByName.set(name.toLowerCase(), row);
    counts[existing === undefined ? "codes_added" : "already_there"] += 1;
    if (existing === undefined) saveGuid(context, "code", row, guid);
  }
}

const idsByName = (items: readonly { id: number; name: string }[]): Map<string, number> =>
  new Map(items.map(({ id, name }) => [name.toLowerCase(), id]));
