import { Failure, invalid } from "../../kernel/failure.ts";
import type { DecisionStatus } from "../../text/decisions/status.ts";
import { calledBy, recordNamed } from "./asked-record.ts";
import { drafted, type NewDecision } from "./new-decision.ts";
import { type Ground, linkedText, type Plan, reference } from "./plan.ts";
import { type PlacedRecord, placedRecord, type RecordSet } from "./record-set.ts";
import { refuseStep, statusEdit } from "./status-step.ts";

/** An old decision, and either the title of a new one or one that is there. */
interface Superseding extends Omit<NewDecision, "title" | "status"> {
  old: string;
  title?: string | undefined;
  by?: string | undefined;
  /** Of a new one. */
  status?: DecisionStatus | undefined;
}

/** Both sides at once: the new record names the old one, and the old one its successor. */
export function planSupersede(ground: Ground, { old, by, ...wanted }: Superseding): Plan {
  const older = recordNamed(ground.set, old);
  const { title } = wanted;
  if ((title === undefined) === (by === undefined)) {
    throw invalid("Give either the title of a new decision, or by: one that is there.");
  }
  if (by !== undefined) {
    const newer = recordNamed(ground.set, by);
    if (newer === older) throw invalid("A decision cannot supersede itself.");
    if (ground.set.living(newer).includes(older)) {
      throw invalid(`'${calledBy(newer)}' is superseded by '${calledBy(older)}' itself.`);
    }
    refuseSuperseded(ground.set, older, newer);
    const before = ground.textOf(newer.file);
    return superseding(ground, older, { file: newer.file, before, text: before });
  }
  refuseSuperseded(ground.set, older);
  const fresh = drafted(ground, {
    ...wanted,
    title: title ?? "",
    status: wanted.status ?? "accepted",
    folder: wanted.folder ?? older.folder,
  });
  return superseding(ground, older, { ...fresh, before: undefined });
}

/** What only one of two files says may be completed; a second successor is refused. */
function refuseSuperseded(set: RecordSet, older: PlacedRecord, newer?: PlacedRecord): void {
  const whole = set.supersededBy(older).filter(({ partial }) => !partial);
  const own = whole.find((one) => one.newer === newer);
  if (own?.saidBy.older && own.saidBy.newer) {
    throw new Failure("conflict", "said-already", "Both decisions say so already.");
  }
  const other = whole[0];
  if (other && !own) {
    const message = `'${calledBy(older)}' is superseded by '${calledBy(other.newer)}' already.`;
    throw new Failure("conflict", "illegal-transition", message);
  }
  if (older.status !== "superseded") refuseStep(older, "superseded");
}

function superseding(
  { set, textOf }: Ground,
  older: PlacedRecord,
  newer: { file: string; before: string | undefined; text: string },
): Plan {
  const record = placedRecord(newer.file, newer.text);
  const known = set
    .supersededBy(older)
    .find((one) => one.newer.file === newer.file && !one.partial)?.saidBy;
  const after = known?.newer ? newer.text : linkedText(record, newer.text, "Supersedes", older);
  const before = textOf(older.file);
  const status = `superseded by ${reference(older, record)}`;
  const edits = [
    { file: newer.file, before: newer.before, after },
    known?.older && older.status === "superseded"
      ? { file: older.file, before, after: before }
      : statusEdit(older.file, before, status, "superseded"),
  ];
  return {
    summary: `Supersede '${calledBy(older)}' by '${calledBy(record)}'`,
    file: newer.file,
    edits: edits.filter((edit) => edit.before !== edit.after),
  };
}
