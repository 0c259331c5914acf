import { groupBy } from "../../../text/arrays/group-by.ts";
import { pluralise } from "../../../text/strings/pluralise.ts";
import { countCodedCharacters } from "./frequencies.ts";
import { namedColumns, type Report, type Table, titledColumns } from "./report.ts";
import type { CodingSelection, ReportCoding } from "./selection.ts";

export function caseMatrix({ codes, cases, codings, casesOf }: CodingSelection): Report {
  const byCode = groupBy(codings, ({ code }) => code);
  const used = codes.filter(({ id }) => byCode.has(id));
  const placed = codings.flatMap((coding) =>
    casesOf(coding).map((caseId) => ({ coding, one: caseId })),
  );
  const byPlace = groupBy(placed, ({ coding, one: caseId }) => `${coding.code} ${caseId}`);
  const matrix = (title: string, measure: (codings: readonly ReportCoding[]) => number): Table => ({
    title,
    columns: [
      ...titledColumns({ code_id: "Code id", code_name: "Code", total: "Total" }),
      ...namedColumns(
        "case",
        cases.map(({ name }) => name),
      ),
    ],
    rows: used.map(({ id, name }) => {
      const inCase = (caseId: number) =>
        (byPlace.get(`${id} ${caseId}`) ?? []).map(({ coding }) => coding);
      const own = byCode.get(id) ?? [];
      return [id, name, measure(own), ...cases.map((caseId) => measure(inCase(caseId.id)))];
    }),
  });
  const outside = codings.length - new Set(placed.map(({ coding }) => coding)).size;
  return {
    title: "Codes by case",
    notes: [
      "A coding that overlaps several cases counts in each, and once in the total.",
      ...(outside > 0 ? [`${pluralise(outside, "coding")} in no case.`] : []),
    ],
    tables: [matrix("Codings", (own) => own.length), matrix("Characters", countCodedCharacters)],
  };
}
