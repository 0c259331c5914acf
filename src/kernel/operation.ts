import type * as z from "zod";
import type { Call } from "./call.ts";
import type { OutputBlock } from "./operations/output-block.ts";
import { isSteps, type Steps } from "./storage/steps.ts";
import type { Store } from "./storage/store.ts";

/**
 * The effect of an operation. Annotations, the read-only mode and the permissions of agents derive
 * from it. `decides` marks a person's decision; no tool has it.
 */
export type Effect = "reads" | "writes" | "deletes" | "decides";

/** The reader of the text that `present` returns. Specifications prescribe one text per reader. */
export type Audience = "agent" | "program" | "person";

export interface Exposure {
  /** `"content"`: return only the text of `present`; the structured output would repeat it. */
  readonly mcp?: true | "content";
  /**
   * The tool is ours: the program that a drop-in name such as `qmd` replaces does not have it, so the
   * tool list under that name does not either.
   */
  readonly isExtension?: true;
  /** `"POST /search"`; `{name}` matches one path segment, `{path+}` the rest of the path. */
  readonly http?: `${"GET" | "POST" | "PUT" | "DELETE"} /${string}`;
  /** `"search <query...>"`: the command's words, then positionals named by schema keys. */
  readonly cli?: string;
}

/** One capability, defined once. Surfaces, pages and contract tests derive from it. */
export interface Operation<
  State,
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodObject = z.ZodObject,
> {
  readonly name: string;
  readonly title: string;
  /** One or two sentences under 300 characters, from which an agent chooses. */
  readonly summary: string;
  readonly input: Input;
  readonly output: Output;
  readonly effect: Effect;
  /** Set if the operation writes but reads the index to do so. */
  readonly readsIndex?: true;
  /** Set if the operation uses the network. */
  readonly network?: true;
  readonly expose: Exposure;
  /** An input that works on the sample library; used by the reference and the contract tests. */
  readonly example: z.input<Input>;
  run(input: z.output<Input>, state: State, call: Call): z.input<Output> | Promise<z.input<Output>>;
  /**
   * Whether this call would block its thread for long. A server runs such calls in a worker process
   * that schedules clients fairly; the operation must only read.
   */
  isHeavy?(input: z.output<Input>, state: State): boolean | Promise<boolean>;
  /** For a check: whether it found a problem; the command then exits with a failure code. */
  hasFailed?(output: z.output<Output>): boolean;
  /** Renders the output for a reader; without it, readers get JSON. */
  present?(output: z.output<Output>, input: z.output<Input>, reader: Audience): OutputBlock[];
}

/**
 * An operation with erased types, for lists of operations. Its input and output pass through their
 * schemas in `perform`, so `any` is safe here.
 */
// biome-ignore lint/suspicious/noExplicitAny: see above
export type AnyOperation<State = any> = Operation<State, any, any>;

/** An operation may be written as steps on the store, which nothing interrupts in SQLite. */
type OperationDefinition<State, Input extends z.ZodObject, Output extends z.ZodObject> = Omit<
  Operation<State, Input, Output>,
  "run"
> & {
  run(
    input: z.output<Input>,
    state: State,
    call: Call,
  ): ReturnType<Operation<State, Input, Output>["run"]> | StepsOf<State, z.input<Output>>;
};

type StepsOf<State, Result> = State extends { store: Store } ? Steps<Result> : never;

/** Defines operations of one shelf with full inference: `const operation = operationsFor<State>()`. */
export function operationsFor<State>() {
  return <Input extends z.ZodObject, Output extends z.ZodObject>(
    definition: OperationDefinition<State, Input, Output>,
  ): Operation<State, Input, Output> => ({
    ...definition,
    run(input, state, call) {
      const output = definition.run(input, state, call);
      return isSteps<z.input<Output>>(output) ? storeOf(state).run(output) : output;
    },
  });
}

/** Only the operations of a state with a store can be steps. */
const storeOf = (state: unknown): Store => (state as { store: Store }).store;
