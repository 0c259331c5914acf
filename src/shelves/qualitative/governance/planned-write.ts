import type * as z from "zod";
import type { Call } from "../../../kernel/call.ts";
import type { AnyOperation, Operation } from "../../../kernel/operation.ts";
import { type MaybePromise, whenReady } from "../../../kernel/processes/maybe-promise.ts";
import type {
  AttemptedWrite,
  MayChange,
  QdaProject,
  WriteContext,
  WriteRequest,
} from "../project/project.ts";
import type { QualitativeState } from "../state.ts";
import type { DryRunFindings } from "./dry-run.ts";

/**
 * A write that an operation has prepared. Nothing has been changed yet: the caller either performs
 * it or runs it as a dry run.
 */
export class PlannedWrite<Output> {
  /** Runs the write in a transaction that is rolled back. Fails where the write would fail. */
  readonly dryRun: () => DryRunFindings;
  /** Performs the write. If it would change rows that it may not, nothing is written. */
  readonly attempt: (mayChange: MayChange) => MaybePromise<AttemptedWrite<Output>>;

  constructor({ dryRun, attempt }: Pick<PlannedWrite<Output>, "dryRun" | "attempt">) {
    this.dryRun = dryRun;
    this.attempt = attempt;
  }
}

/** The result of planning: a write, or the output if there is nothing to write. */
export type Plan<Output> = PlannedWrite<Output> | Output;

/** Plans a write to a project. `toOutput` runs after the commit, so it may announce the change. */
export function planWrite<Result extends object, Output>(
  project: QdaProject | (() => QdaProject),
  request: WriteRequest,
  work: (context: WriteContext) => Result,
  toOutput: (result: Result & { change_id: number }) => Output,
): PlannedWrite<Output> {
  const current = () => (typeof project === "function" ? project() : project);
  return new PlannedWrite({
    dryRun: () => current().dryRun(request, work),
    attempt: (mayChange) =>
      whenReady(current().attempt(request, work, mayChange), (attempted) =>
        attempted.isDone ? { isDone: true, result: toOutput(attempted.result) } : attempted,
      ),
  });
}

/**
 * Plans a side effect outside a project's database, such as a new file. A dry run only names it.
 */
export const planSideEffect = <Output>(
  summary: string,
  perform: () => MaybePromise<Output>,
): PlannedWrite<Output> =>
  new PlannedWrite({
    dryRun: () => ({ summary }),
    async attempt() {
      return { isDone: true, result: await perform() };
    },
  });

/** Releases the resources of a planned write after its attempt or its dry run. */
export const withCleanup = <Output>(
  planned: PlannedWrite<Output>,
  cleanUp: (isDone: boolean) => void,
): PlannedWrite<Output> =>
  new PlannedWrite({
    dryRun() {
      try {
        return planned.dryRun();
      } finally {
        cleanUp(false);
      }
    },
    async attempt(mayChange) {
      let isDone = false;
      try {
        const attempted = await planned.attempt(mayChange);
        isDone = attempted.isDone;
        return attempted;
      } finally {
        cleanUp(isDone);
      }
    },
  });

/**
 * An operation that writes. It plans first, so that the policy can decide before anything is done.
 */
export interface WriteOperation<
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodObject = z.ZodObject,
> extends Operation<QualitativeState, Input, Output> {
  plan(
    input: z.output<Input>,
    state: QualitativeState,
    call: Call,
  ): MaybePromise<Plan<z.input<Output>>>;
}

/** See `AnyOperation`. */
// biome-ignore lint/suspicious/noExplicitAny: see `AnyOperation`
export type AnyWriteOperation = WriteOperation<any, any>;

/** Defines an operation by its plan; `run` performs the plan without asking the policy. */
export const writeOperation = <Input extends z.ZodObject, Output extends z.ZodObject>(
  operation: Omit<WriteOperation<Input, Output>, "run">,
): WriteOperation<Input, Output> => ({
  ...operation,
  async run(input, state, call) {
    const planned = operation.plan(input, state, call);
    // No `await` for a synchronous plan: no other call may run between plan and write.
    const plan = planned instanceof Promise ? await planned : planned;
    if (!(plan instanceof PlannedWrite)) return plan;
    const attempted = await plan.attempt("everything");
    if (attempted.isDone) return attempted.result;
    throw new Error("A write of an agent must pass the policy.");
  },
});

export const isWriteOperation = (
  operation: AnyOperation<QualitativeState>,
): operation is AnyWriteOperation => "plan" in operation;
