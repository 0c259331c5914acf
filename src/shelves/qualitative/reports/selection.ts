import type { Database } from "../../../kernel/database.ts";
import { Failure } from "../../../kernel/failure.ts";
import { byLetters } from "../../../text/by-letters.ts";
import { fold } from "../../../text/folding.ts";
import { groupedBy } from "../../../text/grouped.ts";
import { codeById, refuseUnknownCategory } from "../code.ts";
import { allCases } from "../qda/storage-cases.ts";
import { allCategories, allCodes, type CategoryRow, type CodeRow } from "../qda/storage-codes.ts";
import {
  type CasePart,
  type CodingRow,
  caseParts,
  shownCodings,
  sourceTitles,
} from "../qda/storage-reports.ts";
import { sourceById } from "../source.ts";
import { type Fitting, fittingIn } from "./attributes.ts";

/** What a report is to be about; all of it where nothing is given. */
export interface Filters {
  code_ids?: number[] | undefined;
  /** With the categories below it. */
  category_id?: number | undefined;
  source_ids?: number[] | undefined;
  case_ids?: number[] | undefined;
  coders?: string[] | undefined;
  /** Conditions on attributes of sources or cases, all of which hold. */
  where?: string[] | undefined;
  /** Words of the passage. */
  text?: string | undefined;
  important?: boolean | undefined;
}

/** A coding whose code and source are there. */
export type Coding = CodingRow & { coder: string };

interface Named {
  id: number;
  name: string;
}

/** What the reports are made from, by the researcher's filters and without hidden coders. */
export interface Selection {
  db: Database;
  /** Those that the filters leave, by name. */
  codes: CodeRow[];
  sources: Named[];
  cases: Named[];
  /** By source, then in reading order. */
  codings: Coding[];
  /** Everybody who made one of the codings, by name. */
  coders: string[];
  categories: CategoryRow[];
  /** The numbers of the cases that a coding lies in, wholly or in part. */
  casesOf(coding: Coding): number[];
}

export function selectionOf(db: Database, filters: Filters): Selection {
  const codes = chosenCodes(db, filters);
  const sources = chosenOf(sourceTitles(db), filters.source_ids, (id) => sourceById(db, id));
  const cases = chosenOf(allCases(db), filters.case_ids, refuseUnknownCase);
  const everything = shownCodings(db).map((row) => ({ ...row, coder: coderName(row.owner) }));
  refuseUnknownCoders(everything, filters.coders);
  const casesOf = caseFinder(caseParts(db));
  const isWanted = wanting(db, filters, casesOf);
  const [codeIds, places] = [idsOf(codes), placesOf(sources)];
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
    coders: [...new Set(codings.map(({ coder }) => coder))].sort(byLetters),
    categories: allCategories(db),
    casesOf,
  };
}

/** Old projects have codings that name nobody. */
const coderName = (owner: string | null): string => owner || "unnamed";

/** The codes that the filters leave, by name. */
export function chosenCodes(db: Database, { code_ids, category_id }: Filters): CodeRow[] {
  const codes = chosenOf(allCodes(db), code_ids, (id) => codeById(db, id));
  if (category_id === undefined) return codes;
  refuseUnknownCategory(db, category_id, "CATEGORY_NOT_FOUND");
  const within = withThoseBelow(allCategories(db), category_id);
  return codes.filter(({ category }) => category !== null && within.has(category));
}

/** The wanted ones in the list's own order; `refuse` fails for one that is not there. */
function chosenOf<Item extends Named>(
  items: readonly Item[],
  ids: readonly number[] | undefined,
  refuse: (id: number) => unknown,
): Item[] {
  if (!ids || ids.length === 0) return [...items];
  const known = idsOf(items);
  const wanted = new Set(ids);
  for (const id of wanted) if (!known.has(id)) refuse(id);
  return items.filter(({ id }) => wanted.has(id));
}

const refuseUnknownCase = (id: number): never => {
  throw new Failure("not-found", "CASE_NOT_FOUND", `Case not found: ${id}`, {
    hints: ["get_project_context lists the cases."],
  });
};

/** A project may hold a circle of categories; each is walked through once. */
function withThoseBelow(categories: readonly CategoryRow[], top: number): Set<number> {
  const below = groupedBy(categories, ({ parent }) => parent);
  const within = new Set([top]);
  for (const id of within) for (const child of below.get(id) ?? []) within.add(child.id);
  return within;
}

function refuseUnknownCoders(codings: readonly Coding[], wanted: readonly string[] = []): void {
  const known = new Set(codings.map(({ coder }) => coder));
  const stranger = wanted.find((name) => !known.has(name));
  if (stranger === undefined) return;
  throw new Failure("not-found", "CODER_NOT_FOUND", `Coder not found: ${stranger}`, {
    hints: [
      known.size > 0
        ? `Known are ${[...known].sort(byLetters).join(", ")}. Hidden coders are left out.`
        : "Nobody has coded yet.",
    ],
  });
}

function caseFinder(parts: readonly CasePart[]): Selection["casesOf"] {
  const bySource = groupedBy(parts, ({ source }) => source);
  return ({ kind, source, start, end }) => {
    const holding = (bySource.get(source) ?? []).filter((part) => {
      const isWhole = kind !== "text" || (part.start === 0 && part.end === 0);
      return isWhole || (part.start < (end ?? 0) && (start ?? 0) < part.end);
    });
    return [...new Set(holding.map((part) => part.case))];
  };
}

function wanting(
  db: Database,
  { case_ids = [], coders = [], where = [], text, important }: Filters,
  casesOf: Selection["casesOf"],
): (coding: Coding) => boolean {
  const fitting = where.map((condition) => fittingIn(db, condition));
  const words = fold(text ?? "");
  const isIn = (coding: Coding, { sources, cases }: Fitting) =>
    sources.has(coding.source) || casesOf(coding).some((id) => cases.has(id));
  return (coding) =>
    (coders.length === 0 || coders.includes(coding.coder)) &&
    (important !== true || coding.importance > 0) &&
    (words === "" || fold(coding.text ?? "").includes(words)) &&
    (case_ids.length === 0 || casesOf(coding).some((id) => case_ids.includes(id))) &&
    fitting.every((one) => isIn(coding, one));
}

const idsOf = (items: readonly Named[]): Set<number> => new Set(items.map(({ id }) => id));

const placesOf = (items: readonly Named[]): Map<number, number> =>
  new Map(items.map(({ id }, place) => [id, place]));
