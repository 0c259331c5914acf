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

/** An operation that undoes or redoes the last changes, one after the other. */
const historyOperation = ({
  verb,
  done,
  newest,
  ...definition
}: {
  name: string;
  title: string;
  summary: string;
  verb: "undo" | "redo";
  done: string;
  newest: typeof newestUndoable;
}) =>
  operation({
    ...definition,
    input: z.object({ steps: stepsInput }),
    output: WalkedHistory,
    effect: "decides",
    expose: { http: `POST /qualitative/${verb}`, cli: `project ${verb}` },
    example: { steps: 1 },
    async run(input, state, call) {
      const walked = await walkHistory(state, ({ db }) => newest(db), input.steps, call);
      if (walked.length === 0) {
        const code = `NOTHING_TO_${verb.toUpperCase()}`;
        throw new Failure("conflict", code, `There is nothing to ${verb}.`);
      }
      return { steps: walked.length, change_ids: walked };
    },
    present: ({ steps }) => [textBlock(`${done} ${pluralise(steps, "change")}.`)],
  });

export const undoLast = historyOperation({
  name: "undo_last",
  title: "Undo the last changes",
  summary: "Undo the last changes of the project, one or more, by anyone.",
  verb: "undo",
  done: "Undid",
  newest: newestUndoable,
});

export const redoLast = historyOperation({
  name: "redo_last",
  title: "Redo what was undone",
  summary: "Redo the last undone changes, one or more, if nothing else has changed since.",
  verb: "redo",
  done: "Redid",
  newest: newestRedoable,
});

export const undoOperations = [undoProjectChange, undoLast, redoLast];
