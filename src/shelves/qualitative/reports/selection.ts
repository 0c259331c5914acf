import { Failure } from "../../../kernel/failure.ts";
import type { Database } from "../../../kernel/storage/database.ts";
import { groupBy } from "../../../text/arrays/group-by.ts";
import { foldText } from "../../../text/search/folded-text.ts";
import { compareText } from "../../../text/strings/compare-text.ts";
import { assertCategoryExists, requireCode } from "../codebook/code.ts";
import { allCases } from "../qda/storage-cases.ts";
import { allCategories, allCodes, type CategoryRow, type CodeRow } from "../qda/storage-codes.ts";
import {
  allCaseParts,
  type CasePart,
  type CodingRow,
  sourceTitles,
  visibleCodings,
} from "../qda/storage-reports.ts";
import { requireSource } from "../sources/source.ts";
import { type AttributeMatches, matchAttributeCondition } from "./attribute-conditions.ts";

/** Filters of a report; without any, everything is included. */
export interface ReportFilters {
  code_ids?: number[] | undefined;
  /** Includes its subcategories. */
  category_id?: number | undefined;
  source_ids?: number[] | undefined;
  case_ids?: number[] | undefined;
  coders?: string[] | undefined;
  /** Conditions on attributes of sources or cases, joined by AND. */
  where?: string[] | undefined;
  /** Text that the passage contains. */
  text?: string | undefined;
  important?: boolean | undefined;
}

/** A coding whose code and source exist. */
export type ReportCoding = CodingRow & { coder: string };

interface Named {
  id: number;
  name: string;
}

/** The filtered data of a report, without hidden coders. */
export interface CodingSelection {
  db: Database;
  /** The selected codes, ordered by name. */
  codes: CodeRow[];
  sources: Named[];
  cases: Named[];
  /** Ordered by source, then in reading order. */
  codings: ReportCoding[];
  /** The owners of the codings, ordered by name. */
  coders: string[];
  categories: CategoryRow[];
  /** The ids of the cases that overlap a coding. */
  casesOf(coding: ReportCoding): number[];
}

export function selectCodings(db: Database, filters: ReportFilters): CodingSelection {
  const codes = selectCodes(db, filters);
  const sources = selectByIds(sourceTitles(db), filters.source_ids, (id) => requireSource(db, id));
  const cases = selectByIds(allCases(db), filters.case_ids, rejectUnknownCase);
  const everything = visibleCodings(db).map((row) => ({ ...row, coder: coderName(row.owner) }));
  assertKnownCoders(everything, filters.coders);
  const casesOf = createCaseLookup(allCaseParts(db));
  const isWanted = createCodingFilter(db, filters, casesOf);
  const [codeIds, places] = [idsOf(codes), indexById(sources)];
  const codings = everything
    .filter(({ code, source }) => codeIds.has(code) && places.has(source))
    .filter(isWanted)
    .sort((a, b) => (places.get(a.source) ?? 0) - (places.get(b.source) ?? 0));
  return {
    db,
    codes,
    sources,
    cases,
    codings,
    coders: [...new Set(codings.map(({ coder }) => coder))].sort(compareText),
    categories: allCategories(db),
    casesOf,
  };
}

/** Old projects have codings without an owner. */
const coderName = (owner: string | null): string => owner || "unnamed";

/** The selected codes, ordered by name. */
export function selectCodes(db: Database, { code_ids, category_id }: ReportFilters): CodeRow[] {
  const codes = selectByIds(allCodes(db), code_ids, (id) => requireCode(db, id));
  if (category_id === undefined) return codes;
  assertCategoryExists(db, category_id, "CATEGORY_NOT_FOUND");
  const within = withDescendants(allCategories(db), category_id);
  return codes.filter(({ category }) => category !== null && within.has(category));
}

/** The items with these ids in the list's own order; `rejectUnknown` throws for an unknown id. */
function selectByIds<Item extends Named>(
  items: readonly Item[],
  ids: readonly number[] | undefined,
  rejectUnknown: (id: number) => unknown,
): Item[] {
  if (!ids || ids.length === 0) return [...items];
  const known = idsOf(items);
  const wantedIds = new Set(ids);
  for (const id of wantedIds) if (!known.has(id)) rejectUnknown(id);
  return items.filter(({ id }) => wantedIds.has(id));
}

const rejectUnknownCase = (id: number): never => {
  throw new Failure("not-found", "CASE_NOT_FOUND", `Case not found: ${id}`, {
    hints: ["get_project_context lists the cases."],
  });
};

/** Visits each category once, since a project may contain a cycle. */
function withDescendants(categories: readonly CategoryRow[], top: number): Set<number> {
  const below = groupBy(categories, ({ parent }) => parent);
  const within = new Set([top]);
  for (const id of within) for (const child of below.get(id) ?? []) within.add(child.id);
  return within;
}

function assertKnownCoders(codings: readonly ReportCoding[], names: readonly string[] = []): void {
  const known = new Set(codings.map(({ coder }) => coder));
  const unknownName = names.find((name) => !known.has(name));
  if (unknownName === undefined) return;
  throw new Failure("not-found", "CODER_NOT_FOUND", `Coder not found: ${unknownName}`, {
    hints: [
      known.size > 0
        ? `Known coders: ${[...known].sort(compareText).join(", ")}. Hidden coders are left out.`
        : "No one has coded yet.",
    ],
  });
}

function createCaseLookup(parts: readonly CasePart[]): CodingSelection["casesOf"] {
  const bySource = groupBy(parts, ({ source }) => source);
  return ({ kind, source, start, end }) => {
    const overlapping = (bySource.get(source) ?? []).filter((part) => {
      const isWhole = kind !== "text" || (part.start === 0 && part.end === 0);
      return isWhole || (part.start < (end ?? 0) && (start ?? 0) < part.end);
    });
    return [...new Set(overlapping.map((part) => part.case))];
  };
}

function createCodingFilter(
  db: Database,
  { case_ids = [], coders = [], where = [], text, important }: ReportFilters,
  casesOf: CodingSelection["casesOf"],
): (coding: ReportCoding) => boolean {
  const conditions = where.map((condition) => matchAttributeCondition(db, condition));
  const foldedText = foldText(text ?? "");
  const isIn = (coding: ReportCoding, { sources, cases }: AttributeMatches) =>
    sources.has(coding.source) || casesOf(coding).some((id) => cases.has(id));
  return (coding) =>
    (coders.length === 0 || coders.includes(coding.coder)) &&
    (important !== true || coding.importance > 0) &&
    (foldedText === "" || foldText(coding.text ?? "").includes(foldedText)) &&
    (case_ids.length === 0 || casesOf(coding).some((id) => case_ids.includes(id))) &&
    conditions.every((one) => isIn(coding, one));
}

const idsOf = (items: readonly Named[]): Set<number> => new Set(items.map(({ id }) => id));

const indexById = (items: readonly Named[]): Map<number, number> =>
  new Map(items.map(({ id }, index) => [id, index]));
