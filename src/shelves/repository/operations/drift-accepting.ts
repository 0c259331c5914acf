import * as z from "zod";
import { text } from "../../../kernel/block.ts";
import { Failure, notFound } from "../../../kernel/failure.ts";
import { operationsOn } from "../../../kernel/operation.ts";
import { projectAt } from "../../../kernel/project-root.ts";
import { counted } from "../../../text/counted.ts";
import { visible } from "../../../text/visible.ts";
import { baselineOf, bringBack, makeBaseline } from "../baselines.ts";
import { accepted, driftNow } from "../drift-report.ts";
import type { RepositoryState } from "../state.ts";
import { subjectFrom, subjectInput } from "../subject.ts";

const operation = operationsOn<RepositoryState>();

export const acceptDrift = operation({
  name: "accept_documentation_drift",
  title: "Accept drift",
  summary:
    "Say that pages are right as they are: the baseline takes over all changes of the code, or those of the symbols that are named.",
  input: z.object({
    ...subjectInput,
    symbols: z.array(z.string().min(1)).max(1_000).default([]).describe("Only these"),
  }),
  output: z.object({ accepted: z.array(z.string()), snapshotId: z.string() }),
  effect: "decides",
  expose: {
    http: "POST /repository/drift/accept",
    cli: "repository accept <projectPath> [symbols...]",
  },
  example: { projectPath: "." },
  async run({ symbols, ...given }, state, call) {
    const subject = subjectFrom(given, state);
    const { drifts, stopped_at } = await driftNow(state, subject, { keeps: true }, call);
    if (stopped_at !== undefined) {
      throw new Failure("unavailable", "stopped", "The repository could not be read to its end.", {
        hints: ["Try again with more time: LECTERN_TOOL_TIMEOUT_MS sets it."],
      });
    }
    const unknown = symbols.find((name) => !drifts.some(({ before }) => before.name === name));
    if (unknown !== undefined) {
      throw notFound(`No drift of '${unknown}'.`, ["sync_code_to_docs names the symbols."]);
    }
    const chosen = drifts.filter(
      ({ before }) => symbols.length === 0 || symbols.includes(before.name),
    );
    const id = state.db.transaction(() => {
      // Read here, for another process may have accepted something meanwhile.
      const baseline = baselineOf(state.db, subject);
      if (!baseline) {
        throw new Failure("conflict", "gone", "The baseline is no longer kept.", {
          hints: ["Call sync_code_to_docs, which makes a new one."],
        });
      }
      const fresh = makeBaseline(state.db, subject, accepted(baseline.symbols, chosen));
      state.changes.record({
        call,
        operation: "accept_documentation_drift",
        summary: `Accepted ${counted(chosen.length, "change")} of documented symbols`,
        undo: { operation: restoreBaseline.name, input: { baseline: baseline.id } },
        project: projectAt(subject.root),
      });
      return fresh;
    });
    return {
      accepted: chosen.map(({ before }) => before.name),
      snapshotId: `baseline-${id}`,
    };
  },
  present: ({ accepted: names }) => [
    text([`Accepted ${counted(names.length, "change")}.`, ...names.map(visible)].join("\n")),
  ],
});

/** How an acceptance is undone, and its undoing as well. It is on no surface. */
const restoreBaseline = operation({
  name: "restore_documentation_baseline",
  title: "Go back to a baseline",
  summary: "Let an earlier baseline of documented symbols hold again.",
  input: z.object({ baseline: z.int().min(1) }),
  output: z.object({ snapshotId: z.string() }),
  effect: "writes",
  expose: {},
  example: { baseline: 1 },
  run({ baseline }, state, call) {
    const operation = "restore_documentation_baseline";
    const id = state.db.transaction(() => {
      const { id: fresh, former, root } = bringBack(state.db, baseline);
      state.changes.record({
        call,
        operation,
        summary: "Went back to an earlier baseline of documented symbols",
        undo: { operation, input: { baseline: former } },
        project: projectAt(root),
      });
      return fresh;
    });
    return { snapshotId: `baseline-${id}` };
  },
});

export const acceptingOperations = [acceptDrift, restoreBaseline];
