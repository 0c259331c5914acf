import * as z from "zod";
import { text } from "../../../kernel/block.ts";
import { Failure } from "../../../kernel/failure.ts";
import { operationsOn } from "../../../kernel/operation.ts";
import { counted } from "../../../text/counted.ts";
import { newestDone, newestUndone } from "../qda/storage-history.ts";
import type { QualitativeState } from "../state.ts";
import { undoOperation } from "../told-changes.ts";
import { undoChange, walkHistory } from "../undoing.ts";
import { changeId } from "./ids.ts";

const operation = operationsOn<QualitativeState>();

/** How every write to a project is undone, and its undoing as well. It is on no surface. */
const undoProjectChange = operation({
  name: undoOperation,
  title: "Undo a project's change",
  summary: "Put the rows of a project back as they were, where they are still as they were left.",
  input: z.object({ project: z.string(), change_id: z.int() }),
  output: z.object({ change_id: changeId }),
  effect: "writes",
  expose: {},
  example: { project: "interviews.qda", change_id: 1 },
  run: ({ project: path, change_id }, state, call) =>
    state.within(path, (project) => undoChange(project, change_id, call)),
});

const steps = z.int().min(1).max(10_000).default(1).describe("How many").meta({ short: "n" });

const Walked = z.object({ steps: z.int(), change_ids: z.array(changeId) });

export const undoLast = operation({
  name: "undo_last",
  title: "Undo the last changes",
  summary: "Take back the last changes of the project, one or many, whoever made them.",
  input: z.object({ steps }),
  output: Walked,
  effect: "decides",
  expose: { http: "POST /qualitative/undo", cli: "project undo" },
  example: { steps: 1 },
  async run(wanted, state, call) {
    const walked = await walkHistory(state, ({ db }) => newestDone(db), wanted.steps, call);
    if (walked.length === 0) throw nothing("NOTHING_TO_UNDO", "Nothing is left to undo.");
    return { steps: walked.length, change_ids: walked };
  },
  present: (walked) => [text(`Undid ${counted(walked.steps, "change")}.`)],
});

export const redoLast = operation({
  name: "redo_last",
  title: "Redo what was undone",
  summary:
    "Bring back what was undone last, one change or many, while nothing else was done since.",
  input: z.object({ steps }),
  output: Walked,
  effect: "decides",
  expose: { http: "POST /qualitative/redo", cli: "project redo" },
  example: { steps: 1 },
  async run(wanted, state, call) {
    const walked = await walkHistory(state, ({ db }) => newestUndone(db), wanted.steps, call);
    if (walked.length === 0) throw nothing("NOTHING_TO_REDO", "Nothing is left to redo.");
    return { steps: walked.length, change_ids: walked };
  },
  present: (walked) => [text(`Redid ${counted(walked.steps, "change")}.`)],
});

const nothing = (code: string, message: string): Failure => new Failure("conflict", code, message);

export const undoingOperations = [undoProjectChange, undoLast, redoLast];
