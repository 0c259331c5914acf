import * as z from "zod";
import type { Change } from "../../../kernel/approval/change.ts";
import type { ChangeLog } from "../../../kernel/approval/change-log.ts";
import type { Call } from "../../../kernel/call.ts";
import { Failure, notFound } from "../../../kernel/failure.ts";
import type { Database } from "../../../kernel/storage/database.ts";
import { runSteps } from "../../../kernel/storage/sqlite-store.ts";
import { operationOfChange } from "../qda/storage-history.ts";
import { revertChanges, StoredRowChanges } from "../qda/storage-rows.ts";
import type { QualitativeState } from "../state.ts";
import { projectInverseOf, redoProjectOperation, undoProjectOperation } from "./activity-sync.ts";
import type { QdaProject } from "./project.ts";

/**
 * Restores the rows of a change if nothing has changed them since. Undoing an undo is recorded as a
 * redo, so that the history can distinguish the two directions.
 */
export async function revertProjectChange(
  project: QdaProject,
  id: number,
  call: Call,
): Promise<{ change_id: number }> {
  const isUndo = operationOfChange(project.db, id) === undoProjectOperation;
  const change = { summary: "" };
  const undone = await project.write(
    {
      call,
      operation: isUndo ? redoProjectOperation : undoProjectOperation,
      summary: () =>
        isUndo ? change.summary.replace(/^Undid/, "Redid") : `Undid: ${change.summary}`,
      undoes: id,
    },
    ({ writer, db, log }) => {
      const entry = readChange(db, log, id);
      if (entry.undoneBy !== undefined) throw changedSince("It is already undone.");
      change.summary = entry.summary;
      const { rows } = entry.undo.input;
      if (!revertChanges(db, writer, rows)) throw changedSince("The rows have changed since.");
      return {};
    },
  );
  call.announce({ topic: "source.changed" });
  call.announce({ topic: "segments.changed" });
  return { change_id: undone.change_id };
}

/** The part of a change in the project's own log that an undo reads. */
const StoredChange = z.object({
  summary: z.string(),
  undoneBy: z.int().optional(),
  undo: z.object({ input: z.object({ rows: StoredRowChanges }) }),
});

/** Another program may have written the log, so a change is validated before it is undone. */
function readChange(db: Database, log: ChangeLog, id: number): z.infer<typeof StoredChange> {
  const entry = findChange(db, log, id);
  if (!entry) throw notFound(`Change ${id} is not in this project's log.`);
  const change = StoredChange.safeParse(entry);
  if (!change.success) throw unreadableChange(id, change.error);
  return change.data;
}

function findChange(db: Database, log: ChangeLog, id: number): Change | undefined {
  try {
    return runSteps(db, log.find(id));
  } catch (error) {
    // The message would be about Lectern's own store.
    if (error instanceof Failure && error.code === "store-damaged") {
      throw unreadableChange(id, error);
    }
    throw error;
  }
}

const unreadableChange = (id: number, cause: unknown): Failure =>
  new Failure(
    "conflict",
    "CHANGE_UNREADABLE",
    `Change ${id} cannot be undone: its record in the project is not one that Lectern writes.`,
    { hints: ["Open a copy with _BKUP_ in its name, beside the project."], cause },
  );

/**
 * Undoes or redoes up to `steps` changes, chosen by `next`. Each step goes through the list of
 * activity, so that it is recorded there too. Stops at the first step that fails.
 */
export async function walkHistory(
  state: QualitativeState,
  next: (project: QdaProject) => number | undefined,
  steps: number,
  call: Call,
): Promise<number[]> {
  const project = state.requireProject();
  const walked: number[] = [];
  while (walked.length < steps) {
    const id = next(project);
    if (id === undefined) break;
    try {
      walked.push(await undoThroughActivity(state, project, id, call));
    } catch (error) {
      if (walked.length === 0 || !(error instanceof Failure)) throw error;
      break;
    }
  }
  return walked;
}

/** A project from another machine has changes that are not in the activity list of this one. */
async function undoThroughActivity(
  { activity, performByName, store }: QualitativeState,
  project: QdaProject,
  id: number,
  call: Call,
): Promise<number> {
  const entry = await store.run(activity.findUndoneBy(projectInverseOf(project, id)));
  if (entry) return (await activity.undo(entry.id, call, { performByName, store })).id;
  return (await revertProjectChange(project, id, call)).change_id;
}

const changedSince = (message: string): Failure =>
  new Failure("conflict", "CHANGED_SINCE", message, {
    hints: ["Undo the later changes first."],
  });
