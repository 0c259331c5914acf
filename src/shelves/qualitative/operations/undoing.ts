import * as z from "zod";
import { Failure, notFound } from "../../../kernel/failure.ts";
import { operationsOn } from "../../../kernel/operation.ts";
import { undoOperation } from "../project.ts";
import { type RowChange, takeBack } from "../qda/storage-rows.ts";
import type { QualitativeState } from "../state.ts";
import { changeId } from "./ids.ts";

const operation = operationsOn<QualitativeState>();

/** How every write to a project is undone, and its undoing as well. It is on no surface. */
export const undoProjectChange = operation({
  name: undoOperation,
  title: "Undo a project's change",
  summary: "Put the rows of a project back as they were, where they are still as they were left.",
  input: z.object({ project: z.string(), change_id: z.int() }),
  output: z.object({ change_id: changeId }),
  effect: "writes",
  expose: {},
  example: { project: "interviews.qda", change_id: 1 },
  run: ({ project: path, change_id }, state, call) =>
    state.within(path, (project) => {
      const change = { summary: "" };
      const done = project.write(
        {
          call,
          operation: undoOperation,
          summary: () => `Undid: ${change.summary}`,
          undoes: change_id,
        },
        ({ pen, db, log }) => {
          const found = log.find(change_id);
          if (!found) throw notFound(`Change ${change_id} is not in this project's log.`);
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
    }),
});

const changedSince = (message: string): Failure =>
  new Failure("conflict", "CHANGED_SINCE", message, {
    hints: ["Undo the later changes first."],
  });
