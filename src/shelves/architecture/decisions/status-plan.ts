import { Failure, invalid } from "../../../kernel/failure.ts";
import { parseRecord } from "../../../text/decisions/record.ts";
import { setStatus } from "../../../text/decisions/record-edits.ts";
import { allowedNextStatuses, type DecisionStatus } from "../../../text/decisions/status.ts";
import {
  type ChangePlan,
  type PlanContext,
  type PlannedEdit,
  unsupportedFormat,
} from "./change-plan.ts";
import { decisionLabel, findDecision } from "./decision-lookup.ts";
import type { PlacedRecord } from "./record-set.ts";

export function planStatusChange(
  { set, readText }: PlanContext,
  { id, status }: { id: string; status: DecisionStatus },
): ChangePlan {
  const record = findDecision(set, id);
  assertLegalTransition(record, status);
  if (status === "superseded") {
    throw invalid("status: a superseded decision needs a successor.", ["Use supersede."]);
  }
  const { file } = record;
  const edits = [statusEdit(file, readText(file), status, status)];
  return { summary: `Set '${decisionLabel(record)}' to ${status}`, file, edits };
}

/** Parses the result to verify that it has the wanted status. */
export function statusEdit(
  file: string,
  before: string,
  statusText: string,
  expected: DecisionStatus,
): PlannedEdit {
  const after = setStatus(before, statusText);
  if (parseRecord(after, file).status !== expected) throw unsupportedFormat(file);
  return { file, before, after };
}

export function assertLegalTransition(record: PlacedRecord, to: DecisionStatus): void {
  const { status } = record;
  const next = allowedNextStatuses(status);
  if (next.includes(to) && status !== to) return;
  const label = decisionLabel(record);
  throw new Failure(
    "conflict",
    "illegal-transition",
    status === to
      ? `'${label}' is already ${to}.`
      : `'${label}' is ${status}, and cannot become ${to}.`,
    { hints: [next.length > 0 ? `It may become ${next.join(" or ")}.` : "Its status is final."] },
  );
}
