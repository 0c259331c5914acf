import { lengthOf } from "../../../text/agreement.ts";
import { byLetters } from "../../../text/by-letters.ts";
import { groupedBy } from "../../../text/grouped.ts";
import type { CategoryRow } from "../qda/storage-codes.ts";
import { columnsFor, columnsOf, percent, type Report, type Table } from "./report.ts";
import type { Coding, Selection } from "./selection.ts";

/** How often each code is used, where, by whom, and over how much text. */
export function frequencies({ codes, codings, coders, categories }: Selection): Report {
  const byCode = groupedBy(codings, ({ code }) => code);
  const rows = codes
    .map((code) => ({ ...code, own: byCode.get(code.id) ?? [] }))
    .sort((a, b) => b.own.length - a.own.length || byLetters(a.name, b.name));
  const table: Table = {
    title: "Codes",
    columns: [
      ...columnsOf({
        code_id: "Code id",
        code_name: "Code",
        category: "Category",
        count: "Codings",
        percent: "% of codings",
        sources: "Sources",
        characters: "Characters",
      }),
      ...columnsFor("coder", coders),
    ],
    rows: rows.map(({ id, name, category, own }) => [
      id,
      name,
      pathOf(categories, category),
      own.length,
      percent(own.length, codings.length),
      new Set(own.map(({ source }) => source)).size,
      charactersOf(own),
      ...coders.map((coder) => own.filter((coding) => coding.coder === coder).length),
    ]),
  };
  const notes = ["Characters that several codings cover count once for a code."];
  return { title: "Code frequencies", notes, tables: [table, byCategory(rows, categories)] };
}

/** Categories with what is coded by their own codes; those below have rows of their own. */
function byCategory(
  codes: readonly { category: number | null; own: Coding[] }[],
  categories: readonly CategoryRow[],
): Table {
  const groups = [...groupedBy(codes, ({ category }) => pathOf(categories, category) ?? "")];
  return {
    title: "Categories",
    columns: columnsOf({ category: "Category", codes: "Codes", count: "Codings" }),
    rows: groups
      .sort(([a], [b]) => byLetters(a, b))
      .map(([category, members]) => [
        category || null,
        members.length,
        members.reduce((sum, { own }) => sum + own.length, 0),
      ]),
  };
}

/** How many characters of texts some codings cover together. */
export function charactersOf(codings: readonly Coding[]): number {
  const texts = codings.filter(({ kind }) => kind === "text");
  const bySource = [...groupedBy(texts, ({ source }) => source).values()];
  return bySource.reduce((sum, own) => sum + lengthOf(own.map(stretchOf)), 0);
}

/** Where a coding of a text or a recording begins and ends. */
export const stretchOf = ({ start, end }: Coding) => ({ start: start ?? 0, end: end ?? 0 });

/** A category behind those above it: `Feelings / Hope`. A circle of categories ends where it began. */
function pathOf(categories: readonly CategoryRow[], id: number | null): string | null {
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
