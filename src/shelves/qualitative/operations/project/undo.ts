import * as z from "zod";
import { Failure } from "../../../../kernel/failure.ts";
import { operationsFor } from "../../../../kernel/operation.ts";
import { textBlock } from "../../../../kernel/operations/output-block.ts";
import { pluralise } from "../../../../text/strings/pluralise.ts";
import { undoProjectOperation } from "../../project/activity-sync.ts";
import { revertProjectChange, walkHistory } from "../../project/history.ts";
import { newestRedoable, newestUndoable } from "../../qda/storage-history.ts";
import type { QualitativeState } from "../../state.ts";
import { changeId } from "../inputs.ts";

const operation = operationsFor<QualitativeState>();

/** Undoes any write to a project, including an undo. Not exposed on any surface. */
const undoProjectChange = operation({
  name: undoProjectOperation,
  title: "Undo a project's change",
  summary: "Restore the rows of a change, if they have not changed since.",
  input: z.object({ project: z.string(), change_id: z.int() }),
  output: z.object({ change_id: changeId }),
  effect: "writes",
  expose: {},
  example: { project: "interviews.qda", change_id: 1 },
  run: ({ project: path, change_id }, state, call) =>
    state.withProject(path, (project) => revertProjectChange(project, change_id, call)),
});

const stepsInput = z.int().min(1).max(10_000).default(1).describe("How many").meta({ short: "n" });

const WalkedHistory = z.object({ steps: z.int(), change_ids: z.array(changeId) });

export const undoLast = operation({
  name: "undo_last",
  title: "Undo the last changes",
  summary: "Undo the last changes of the project, one or more, by anyone.",
  input: z.object({ steps: stepsInput }),
  output: WalkedHistory,
  effect: "decides",
  expose: { http: "POST /qualitative/undo", cli: "project undo" },
  example: { steps: 1 },
  async run(input, state, call) {
    const walked = await walkHistory(state, ({ db }) => newestUndoable(db), input.steps, call);
    if (walked.length === 0) throw nothingToDo("NOTHING_TO_UNDO", "There is nothing to undo.");
    return { steps: walked.length, change_ids: walked };
  },
  present: (walked) => [textBlock(`Undid ${pluralise(walked.steps, "change")}.`)],
});

export const redoLast = operation({
  name: "redo_last",
  title: "Redo what was undone",
  summary: "Redo the last undone changes, one or more, if nothing else has changed since.",
  input: z.object({ steps: stepsInput }),
  output: WalkedHistory,
  effect: "decides",
  expose: { http: "POST /qualitative/redo", cli: "project redo" },
  example: { steps: 1 },
  async run(input, state, call) {
    const walked = await walkHistory(state, ({ db }) => newestRedoable(db), input.steps, call);
    if (walked.length === 0) throw nothingToDo("NOTHING_TO_REDO", "There is nothing to redo.");
    return { steps: walked.length, change_ids: walked };
  },
  present: (walked) => [textBlock(`Redid ${pluralise(walked.steps, "change")}.`)],
});

const nothingToDo = (code: string, message: string): Failure =>
  new Failure("conflict", code, message);

export const undoOperations = [undoProjectChange, undoLast, redoLast];
