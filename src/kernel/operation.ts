import type * as z from "zod";
import type { Block } from "./block.ts";
import type { Call } from "./call.ts";

/**
 * What an operation does to the world. Annotations, the read-only mode and the question
 * "may an agent do this" follow from it: `decides` is a person's yes or no, and no tool has it.
 */
export type Effect = "reads" | "writes" | "deletes" | "decides";

/** Who reads what `present` writes. Founding documents word one answer differently for each. */
export type Reader = "agent" | "program" | "person";

export interface Exposure {
  /** `"content"`: only what `present` writes, where the output would say it twice. */
  readonly mcp?: true | "content";
  /** `"POST /search"`; `{name}` takes one segment of the path, `{path+}` all that remains. */
  readonly http?: `${"GET" | "POST" | "PUT" | "DELETE"} /${string}`;
  /** `"search <query...>"`: words of the command, then positionals by the schema's keys. */
  readonly cli?: string;
}

/** One capability, written once. Every surface, page and contract test derives from it. */
export interface Operation<
  State,
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodObject = z.ZodObject,
> {
  readonly name: string;
  readonly title: string;
  /** One or two sentences, under 300 characters; what an agent chooses by. */
  readonly summary: string;
  readonly input: Input;
  readonly output: Output;
  readonly effect: Effect;
  /** True where the operation writes, yet works on what the index holds. */
  readonly readsIndex?: true;
  /** True where the operation reaches beyond this machine. */
  readonly network?: true;
  readonly expose: Exposure;
  /** A call that works on the sample library; the reference and the contract tests run it. */
  readonly example: z.input<Input>;
  run(input: z.output<Input>, state: State, call: Call): z.input<Output> | Promise<z.input<Output>>;
  /**
   * Whether this call would keep its thread busy for long. A process that serves runs such calls in
   * another one, where clients take turns; the operation must only read.
   */
  isHeavy?(input: z.output<Input>, state: State): boolean;
  /** Of a check: whether it found something wrong, which a script at the shell is told by the exit code. */
  hasFailed?(output: z.output<Output>): boolean;
  /** What a reader sees. Without it, readers get JSON. */
  present?(output: z.output<Output>, input: z.output<Input>, reader: Reader): Block[];
}

/**
 * An operation whose own types are forgotten, as lists of many hold it.
 * Its input and output pass through their schemas in `perform`, which is why `any` is sound here.
 */
// biome-ignore lint/suspicious/noExplicitAny: see above
export type AnyOperation<State = any> = Operation<State, any, any>;

/** Defines operations of one shelf with full inference: `const operation = operationsOn<State>()`. */
export function operationsOn<State>() {
  return <Input extends z.ZodObject, Output extends z.ZodObject>(
    operation: Operation<State, Input, Output>,
  ): Operation<State, Input, Output> => operation;
}
