import type { Call } from "../../../kernel/call.ts";
import { Failure } from "../../../kernel/failure.ts";
import { readExactText } from "../../../kernel/files/file-changes.ts";
import type { Runtime } from "../../../kernel/runtime/runtime.ts";
import { unifiedDiff } from "../../../text/edits/diff.ts";
import type { ChangePlan, PlanContext } from "./change-plan.ts";
import { maxRecordBytes, type RecordStore } from "./record-store.ts";

/** The parts of the shelf's state that writing needs. */
export interface DecisionWriteDependencies
  extends Pick<Runtime, "boundary" | "changes" | "settings"> {
  readonly records: RecordStore;
  /** The records of another project, by its real path. */
  recordsAt(root: string): RecordStore;
}

/**
 * The records that a call writes to. Applying a proposal or undoing a change writes to the project
 * recorded with it, not to the current project of this process.
 */
export function recordsForCall(
  { records, recordsAt }: DecisionWriteDependencies,
  call: Call,
): RecordStore {
  if (call.project !== undefined) return recordsAt(call.project);
  if (call.accepting || call.undoing) throw projectNotRecorded();
  return records;
}

/**
 * Earlier versions did not record the project, and record numbers are unique only within a project.
 */
const projectNotRecorded = (): Failure =>
  new Failure(
    "conflict",
    "no-project",
    "It was recorded by an older version, without its project.",
    {
      hints: [
        "Reject the proposal and propose it again, or edit the record in its project yourself.",
      ],
    },
  );

/** The current records as the input of a plan. */
export async function createPlanContext(
  state: DecisionWriteDependencies,
  call: Call,
): Promise<PlanContext> {
  const { boundary } = state;
  const set = await recordsForCall(state, call).read();
  return {
    set,
    today: new Date().toISOString().slice(0, 10),
    // Exact, so that the text can be written back without losing a byte.
    readText: (file) => readExactText(boundary, set.root, file, maxRecordBytes),
  };
}

/** The unified diff of a plan, for previews and results. */
export const formatPlanDiff = ({ edits }: ChangePlan): string =>
  edits.map(({ file, before, after }) => unifiedDiff(file, before, after)).join("\n");
