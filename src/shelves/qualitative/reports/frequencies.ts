import { groupBy } from "../../../text/arrays/group-by.ts";
import { markedLength } from "../../../text/spans/coder-agreement.ts";
import { compareText } from "../../../text/strings/compare-text.ts";
import type { CategoryRow } from "../qda/storage-codes.ts";
import { namedColumns, percentOf, type Report, type Table, titledColumns } from "./report.ts";
import type { CodingSelection, ReportCoding } from "./selection.ts";

export function frequencies({ codes, codings, coders, categories }: CodingSelection): Report {
  const byCode = groupBy(codings, ({ code }) => code);
  const rows = codes
    .map((code) => ({ ...code, own: byCode.get(code.id) ?? [] }))
    .sort((a, b) => b.own.length - a.own.length || compareText(a.name, b.name));
  const table: Table = {
    title: "Codes",
    columns: [
      ...titledColumns({
        code_id: "Code id",
        code_name: "Code",
        category: "Category",
        count: "Codings",
        percent: "% of codings",
        sources: "Sources",
        characters: "Characters",
      }),
      ...namedColumns("coder", coders),
    ],
    rows: rows.map(({ id, name, category, own }) => [
      id,
      name,
      categoryPathOf(categories, category),
      own.length,
      percentOf(own.length, codings.length),
      new Set(own.map(({ source }) => source)).size,
      countCodedCharacters(own),
      ...coders.map((coder) => own.filter((coding) => coding.coder === coder).length),
    ]),
  };
  const notes = ["Characters covered by several codings count once per code."];
  return { title: "Code frequencies", notes, tables: [table, byCategory(rows, categories)] };
}

/** Counts of each category's own codes; subcategories have their own rows. */
function byCategory(
  codes: readonly { category: number | null; own: ReportCoding[] }[],
  categories: readonly CategoryRow[],
): Table {
  const groups = [...groupBy(codes, ({ category }) => categoryPathOf(categories, category) ?? "")];
  return {
    title: "Categories",
    columns: titledColumns({ category: "Category", codes: "Codes", count: "Codings" }),
    rows: groups
      .sort(([a], [b]) => compareText(a, b))
      .map(([category, members]) => [
        category || null,
        members.length,
        members.reduce((sum, { own }) => sum + own.length, 0),
      ]),
  };
}

/** The number of characters of text that the codings cover, without counting overlaps twice. */
export function countCodedCharacters(codings: readonly ReportCoding[]): number {
  const texts = codings.filter(({ kind }) => kind === "text");
  const bySource = [...groupBy(texts, ({ source }) => source).values()];
  return bySource.reduce((sum, own) => sum + markedLength(own.map(codedRangeOf)), 0);
}

export const codedRangeOf = ({ start, end }: ReportCoding) => ({
  start: start ?? 0,
  end: end ?? 0,
});

/** The path of a category: `Feelings / Hope`. A cycle of categories ends where it began. */
function categoryPathOf(categories: readonly CategoryRow[], id: number | null): string | null {
  const names: string[] = [];
  const walked = new Set<number>();
  for (let at = id; at !== null && !walked.has(at); ) {
    walked.add(at);
    const category = categories.find((one) => one.id === at);
    if (category) names.unshift(category.name);
    at = category?.parent ?? null;
  }
  return names.length === 0 ? null : names.join(" / ");
}
