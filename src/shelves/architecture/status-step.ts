import { Failure, invalid } from "../../kernel/failure.ts";
import { withStatus } from "../../text/decisions/edits.ts";
import { parseRecord } from "../../text/decisions/record.ts";
import { type DecisionStatus, legalNext } from "../../text/decisions/status.ts";
import { calledBy, recordNamed } from "./asked-record.ts";
import { type Ground, oddForm, type Plan, type PlannedEdit } from "./plan.ts";
import type { PlacedRecord } from "./record-set.ts";

export function planStatus(
  { set, textOf }: Ground,
  { id, status }: { id: string; status: DecisionStatus },
): Plan {
  const record = recordNamed(set, id);
  refuseStep(record, status);
  if (status === "superseded") {
    throw invalid("status: what supersedes it has to be named.", ["Use supersede."]);
  }
  const { file } = record;
  const edits = [statusEdit(file, textOf(file), status, status)];
  return { summary: `Set '${calledBy(record)}' to ${status}`, file, edits };
}

/** The edit is read again before anybody sees it. */
export function statusEdit(
  file: string,
  before: string,
  words: string,
  wanted: DecisionStatus,
): PlannedEdit {
  const after = withStatus(before, words);
  if (parseRecord(after, file).status !== wanted) throw oddForm(file);
  return { file, before, after };
}

export function refuseStep(record: PlacedRecord, to: DecisionStatus): void {
  const { status } = record;
  const next = legalNext(status);
  if (next.includes(to) && status !== to) return;
  const called = calledBy(record);
  throw new Failure(
    "conflict",
    "illegal-transition",
    status === to
      ? `'${called}' is ${to} already.`
      : `'${called}' is ${status}, and cannot become ${to}.`,
    { hints: [next.length > 0 ? `It may become ${next.join(" or ")}.` : "It stays so."] },
  );
}
