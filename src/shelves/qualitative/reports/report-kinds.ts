import type { Database } from "../../../kernel/storage/database.ts";
import { agreement } from "./agreement.ts";
import { caseMatrix } from "./case-matrix.ts";
import { codesOverDocument } from "./codes-over-document.ts";
import {
  assertComparableFilters,
  type Comparison,
  type ComparisonMode,
  compareCoders,
} from "./comparison.ts";
import { cooccurrence } from "./cooccurrence.ts";
import { disagreements } from "./disagreements.ts";
import { frequencies } from "./frequencies.ts";
import { codedPassages } from "./passages.ts";
import type { Report } from "./report.ts";
import { type CodingSelection, type ReportFilters, selectCodings } from "./selection.ts";

/** Reports by name: on codings, or on the agreement of coders. */
const codingReports = {
  frequencies,
  passages: codedPassages,
  cooccurrence,
  case_matrix: caseMatrix,
  document: codesOverDocument,
} satisfies Record<string, (selection: CodingSelection) => Report>;

const coderReports = { agreement, disagreements } satisfies Record<
  string,
  (comparison: Comparison) => Report
>;

export const reportKinds = [
  "frequencies",
  "passages",
  "cooccurrence",
  "case_matrix",
  "document",
  "agreement",
  "disagreements",
] as const satisfies (keyof typeof codingReports | keyof typeof coderReports)[];

export type ReportKind = (typeof reportKinds)[number];

/** Creates a report from one snapshot of the database. */
export function createReport(
  db: Database,
  kind: ReportKind,
  { compare, ...filters }: ReportFilters & { compare: ComparisonMode },
): Report {
  return db.snapshot(() => {
    if (kind !== "agreement" && kind !== "disagreements") {
      return codingReports[kind](selectCodings(db, filters));
    }
    assertComparableFilters(filters);
    return coderReports[kind](compareCoders(db, filters, compare));
  });
}
