import type { Call } from "../../kernel/call.ts";
import { Failure, notFound } from "../../kernel/failure.ts";
import type { Project } from "./project.ts";
import { operationOfChange } from "./qda/storage-history.ts";
import { type RowChange, takeBack } from "./qda/storage-rows.ts";
import type { QualitativeState } from "./state.ts";
import { inverseOf, redoOperation, undoOperation } from "./told-changes.ts";

/**
 * Puts the rows of a change back as they were, where they are still as it left them. What takes an
 * undo back is a redo, so that a walk through the history knows which way it goes.
 */
export function undoChange(project: Project, id: number, call: Call): { change_id: number } {
  const isUndo = operationOfChange(project.db, id) === undoOperation;
  const change = { summary: "" };
  const done = project.write(
    {
      call,
      operation: isUndo ? redoOperation : undoOperation,
      summary: () =>
        isUndo ? change.summary.replace(/^Undid/, "Redid") : `Undid: ${change.summary}`,
      undoes: id,
    },
    ({ pen, db, log }) => {
      const found = log.find(id);
      if (!found) throw notFound(`Change ${id} is not in this project's log.`);
      if (found.undoneBy !== undefined) throw changedSince("It was taken back already.");
      change.summary = found.summary;
      // Only `Project.write` fills this log, and it writes rows of this form.
      const rows = found.undo?.input.rows as RowChange[];
      if (!takeBack(db, pen, rows)) throw changedSince("What it wrote was changed since.");
      return {};
    },
  );
  call.announce({ topic: "source.changed" });
  call.announce({ topic: "segments.changed" });
  return { change_id: done.change_id };
}

/**
 * Walks so many steps through the history, which `next` leads along. Each step is undone by way of
 * the list of activity, so that it is told there too. It ends where nothing more can be done.
 */
export async function walkHistory(
  state: QualitativeState,
  next: (project: Project) => number | undefined,
  steps: number,
  call: Call,
): Promise<number[]> {
  const project = state.needed();
  const walked: number[] = [];
  while (walked.length < steps) {
    const id = next(project);
    if (id === undefined) break;
    try {
      walked.push(await undoneByActivity(state, project, id, call));
    } catch (error) {
      if (walked.length === 0 || !(error instanceof Failure)) throw error;
      break;
    }
  }
  return walked;
}

/** A project that came from another machine has changes that the list of this one does not know. */
async function undoneByActivity(
  { activity, performByName }: QualitativeState,
  project: Project,
  id: number,
  call: Call,
): Promise<number> {
  const told = activity.findUndoneBy(inverseOf(project, id));
  if (told) return (await activity.undo(told.id, call, performByName)).id;
  return undoChange(project, id, call).change_id;
}

const changedSince = (message: string): Failure =>
  new Failure("conflict", "CHANGED_SINCE", message, {
    hints: ["Undo the later changes first."],
  });
