import type { Database } from "../../../kernel/database.ts";
import { agreement } from "./agreement.ts";
import { caseMatrix } from "./case-matrix.ts";
import { type Compared, type Comparison, comparisonOf, refuseNarrowing } from "./comparison.ts";
import { cooccurrence } from "./cooccurrence.ts";
import { disagreements } from "./disagreements.ts";
import { codesOverDocument } from "./document.ts";
import { frequencies } from "./frequencies.ts";
import { passages } from "./passages.ts";
import type { Report } from "./report.ts";
import { type Filters, type Selection, selectionOf } from "./selection.ts";

/** Every report by its name: of codings, or of coders against each other. */
const ofCodings = {
  frequencies,
  passages,
  cooccurrence,
  case_matrix: caseMatrix,
  document: codesOverDocument,
} satisfies Record<string, (selection: Selection) => Report>;

const ofCoders = { agreement, disagreements } satisfies Record<
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
] as const satisfies (keyof typeof ofCodings | keyof typeof ofCoders)[];

export type ReportKind = (typeof reportKinds)[number];

/** A report over what the database holds at one moment. */
export function reportOf(
  db: Database,
  kind: ReportKind,
  { compare, ...filters }: Filters & { compare: Compared },
): Report {
  return db.snapshot(() => {
    if (kind !== "agreement" && kind !== "disagreements") {
      return ofCodings[kind](selectionOf(db, filters));
    }
    refuseNarrowing(filters);
    return ofCoders[kind](comparisonOf(db, filters, compare));
  });
}
