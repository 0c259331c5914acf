import * as z from "zod";
import { projectRefAt } from "../../../kernel/approval/project-ref.ts";
import { Failure, notFound } from "../../../kernel/failure.ts";
import { operationsFor } from "../../../kernel/operation.ts";
import { textBlock } from "../../../kernel/operations/output-block.ts";
import { transaction } from "../../../kernel/storage/steps.ts";
import { pluralise } from "../../../text/strings/pluralise.ts";
import { toPrintable } from "../../../text/strings/printable.ts";
import { createBaseline, currentBaseline, reinstateBaseline } from "../drift/baselines.ts";
import { docsScopeFromInput, docsScopeInput } from "../drift/docs-scope.ts";
import { detectDrift, symbolsAfterAccepting } from "../drift/drift-report.ts";
import type { RepositoryState } from "../state.ts";

const operation = operationsFor<RepositoryState>();

export const acceptDrift = operation({
  name: "accept_documentation_drift",
  title: "Accept drift",
  summary:
    "Confirm that pages are correct: the baseline adopts all changes of the code, or those of the given symbols.",
  input: z.object({
    ...docsScopeInput,
    symbols: z.array(z.string().min(1)).max(1_000).default([]).describe("Only these symbols"),
  }),
  output: z.object({ accepted: z.array(z.string()), snapshotId: z.string() }),
  effect: "decides",
  expose: {
    http: "POST /repository/drift/accept",
    cli: "repository accept <projectPath> [symbols...]",
  },
  example: { projectPath: "." },
  async run({ symbols, ...scopeInput }, state, call) {
    const subject = docsScopeFromInput(scopeInput, state);
    const { drifts, stopped_at } = await detectDrift(state, subject, { savesBaseline: true }, call);
    if (stopped_at !== undefined) {
      throw new Failure("unavailable", "stopped", "The repository could not be read completely.", {
        hints: ["Try again with a longer timeout: LECTERN_TOOL_TIMEOUT_MS sets it."],
      });
    }
    const unknown = symbols.find((name) => !drifts.some(({ before }) => before.name === name));
    if (unknown !== undefined) {
      throw notFound(`No drift of '${unknown}'.`, ["sync_code_to_docs lists the symbols."]);
    }
    const chosen = drifts.filter(
      ({ before }) => symbols.length === 0 || symbols.includes(before.name),
    );
    const accepted = transaction(function* () {
      // Read inside the transaction: another process may have accepted changes.
      const baseline = yield* currentBaseline(subject);
      if (!baseline) {
        throw new Failure("conflict", "gone", "The baseline no longer exists.", {
          hints: ["Call sync_code_to_docs, which creates a new one."],
        });
      }
      const newId = yield* createBaseline(subject, symbolsAfterAccepting(baseline.symbols, chosen));
      yield* state.changes.record({
        call,
        operation: "accept_documentation_drift",
        summary: `Accepted ${pluralise(chosen.length, "change")} of documented symbols`,
        undo: { operation: restoreBaseline.name, input: { baseline: baseline.id } },
        project: projectRefAt(subject.root),
      });
      return newId;
    });
    const id = await state.store.run(accepted);
    return {
      accepted: chosen.map(({ before }) => before.name),
      snapshotId: `baseline-${id}`,
    };
  },
  present: ({ accepted: names }) => [
    textBlock(
      [`Accepted ${pluralise(names.length, "change")}.`, ...names.map(toPrintable)].join("\n"),
    ),
  ],
});

/** Undoes and redoes an acceptance. Not exposed on any surface. */
const restoreBaseline = operation({
  name: "restore_documentation_baseline",
  title: "Restore a baseline",
  summary: "Make an earlier baseline of documented symbols current again.",
  input: z.object({ baseline: z.int().min(1) }),
  output: z.object({ snapshotId: z.string() }),
  effect: "writes",
  expose: {},
  example: { baseline: 1 },
  *run({ baseline }, state, call) {
    const operation = "restore_documentation_baseline";
    const id = yield* transaction(function* () {
      const { id: newId, former, root } = yield* reinstateBaseline(baseline);
      yield* state.changes.record({
        call,
        operation,
        summary: "Restored an earlier baseline of documented symbols",
        undo: { operation, input: { baseline: former } },
        project: projectRefAt(root),
      });
      return newId;
    });
    return { snapshotId: `baseline-${id}` };
  },
});

export const driftAcceptanceOperations = [acceptDrift, restoreBaseline];
