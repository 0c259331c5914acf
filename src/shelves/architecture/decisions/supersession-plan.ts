import { Failure, invalid } from "../../../kernel/failure.ts";
import type { DecisionStatus } from "../../../text/decisions/status.ts";
import {
  addVerifiedLink,
  type ChangePlan,
  formatReference,
  type PlanContext,
} from "./change-plan.ts";
import { decisionLabel, findDecision } from "./decision-lookup.ts";
import { draftDecision, type NewDecision } from "./new-decision-plan.ts";
import { type PlacedRecord, parsePlacedRecord, type RecordSet } from "./record-set.ts";
import { assertLegalTransition, statusEdit } from "./status-plan.ts";

/** The old decision, and either the title of a new decision or an existing one. */
interface SupersessionRequest extends Omit<NewDecision, "title" | "status"> {
  old: string;
  title?: string | undefined;
  by?: string | undefined;
  /** Status of the new decision. */
  status?: DecisionStatus | undefined;
}

/** Edits both sides: the new record links to the old one, and the old one to its successor. */
export function planSupersession(
  context: PlanContext,
  { old, by, ...draft }: SupersessionRequest,
): ChangePlan {
  const older = findDecision(context.set, old);
  const { title } = draft;
  if ((title === undefined) === (by === undefined)) {
    throw invalid("Give either title (of a new decision) or by (an existing decision).");
  }
  if (by !== undefined) {
    const newer = findDecision(context.set, by);
    if (newer === older) throw invalid("A decision cannot supersede itself.");
    if (context.set.findInForce(newer).includes(older)) {
      throw invalid(`'${decisionLabel(newer)}' is itself superseded by '${decisionLabel(older)}'.`);
    }
    assertNotSuperseded(context.set, older, newer);
    const before = context.readText(newer.file);
    return createSupersessionPlan(context, older, { file: newer.file, before, text: before });
  }
  assertNotSuperseded(context.set, older);
  const newRecord = draftDecision(context, {
    ...draft,
    title: title ?? "",
    status: draft.status ?? "accepted",
    folder: draft.folder ?? older.folder,
  });
  return createSupersessionPlan(context, older, { ...newRecord, before: undefined });
}

/** A supersession stated on one side only may be completed; a second successor is refused. */
function assertNotSuperseded(set: RecordSet, older: PlacedRecord, newer?: PlacedRecord): void {
  const fullSupersessions = set.supersededBy(older).filter(({ partial }) => !partial);
  const existing = fullSupersessions.find((one) => one.newer === newer);
  if (existing?.statedBy.older && existing.statedBy.newer) {
    throw new Failure("conflict", "already-stated", "Both decisions already state this.");
  }
  const first = fullSupersessions[0];
  if (first && !existing) {
    const message = `'${decisionLabel(older)}' is already superseded by '${decisionLabel(first.newer)}'.`;
    throw new Failure("conflict", "illegal-transition", message);
  }
  if (older.status !== "superseded") assertLegalTransition(older, "superseded");
}

function createSupersessionPlan(
  { set, readText }: PlanContext,
  older: PlacedRecord,
  newer: { file: string; before: string | undefined; text: string },
): ChangePlan {
  const record = parsePlacedRecord(newer.file, newer.text);
  const known = set
    .supersededBy(older)
    .find((one) => one.newer.file === newer.file && !one.partial)?.statedBy;
  const after = known?.newer
    ? newer.text
    : addVerifiedLink(record, newer.text, "Supersedes", older);
  const before = readText(older.file);
  const status = `superseded by ${formatReference(older, record)}`;
  const edits = [
    { file: newer.file, before: newer.before, after },
    known?.older && older.status === "superseded"
      ? { file: older.file, before, after: before }
      : statusEdit(older.file, before, status, "superseded"),
  ];
  return {
    summary: `Supersede '${decisionLabel(older)}' by '${decisionLabel(record)}'`,
    file: newer.file,
    edits: edits.filter((edit) => edit.before !== edit.after),
  };
}
