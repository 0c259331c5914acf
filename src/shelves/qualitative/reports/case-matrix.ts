import { counted } from "../../../text/counted.ts";
import { groupedBy } from "../../../text/grouped.ts";
import { charactersOf } from "./frequencies.ts";
import { columnsFor, columnsOf, type Report, type Table } from "./report.ts";
import type { Coding, Selection } from "./selection.ts";

/** How often each code is used in each case. */
export function caseMatrix({ codes, cases, codings, casesOf }: Selection): Report {
  const byCode = groupedBy(codings, ({ code }) => code);
  const used = codes.filter(({ id }) => byCode.has(id));
  const placed = codings.flatMap((coding) => casesOf(coding).map((one) => ({ coding, one })));
  const byPlace = groupedBy(placed, ({ coding, one }) => `${coding.code} ${one}`);
  const matrix = (title: string, measure: (codings: readonly Coding[]) => number): Table => ({
    title,
    columns: [
      ...columnsOf({ code_id: "Code id", code_name: "Code", total: "Total" }),
      ...columnsFor(
        "case",
        cases.map(({ name }) => name),
      ),
    ],
    rows: used.map(({ id, name }) => {
      const inCase = (one: number) =>
        (byPlace.get(`${id} ${one}`) ?? []).map(({ coding }) => coding);
      const own = byCode.get(id) ?? [];
      return [id, name, measure(own), ...cases.map((one) => measure(inCase(one.id)))];
    }),
  });
  const outside = codings.length - new Set(placed.map(({ coding }) => coding)).size;
  return {
    title: "Codes by case",
    notes: [
      "A coding that reaches into several cases counts in each, and once in the total.",
      ...(outside > 0 ? [`${counted(outside, "coding")} in no case.`] : []),
    ],
    tables: [matrix("Codings", (own) => own.length), matrix("Characters", charactersOf)],
  };
}
