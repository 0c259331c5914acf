import * as z from "zod";
import { type Block, text } from "../kernel/block.ts";
import type { Failure } from "../kernel/failure.ts";
import type { AnyOperation } from "../kernel/operation.ts";
import type { Dialect } from "../kernel/shelf.ts";
import type { SchemaNotes } from "../kernel/wire-schema.ts";

/** A tool's answer: what a reader sees, and the same as data where the dialect has it. */
export interface Answer {
  content: Block[];
  structured?: Record<string, unknown>;
}

interface Wording {
  success(operation: AnyOperation, output: Record<string, unknown>, input: unknown): Answer;
  failure(failure: Failure): Answer;
  /**
   * What a client hears whose protocol calls bad arguments an error, as all did before 2025-11-25;
   * nothing where the failure is another, or the dialect gives it as a result whatever the version.
   */
  refusal?(failure: Failure): { message: string; data: Record<string, unknown> } | undefined;
  /** How an answer says that it is not whole, where a dialect has words for that. */
  inPart?(answer: Answer, remaining: number): Answer;
  /** The schema of `structured` on success; none where a dialect answers in text alone. */
  schema(operation: AnyOperation): z.ZodObject | undefined;
}

/**
 * The five founding documents word results differently. This table is the only place that knows:
 * operations return plain data and throw one kind of failure.
 */
export const dialects: Record<Dialect, Wording> = {
  qmd: inItsOwnWords((failure) => failure.explanation),
  qmdc: {
    // A text for agents is given as it is; everything else says first that it went well.
    success: (operation, output, input) =>
      operation.expose.mcp === "content"
        ? { content: presented(operation, output, input) }
        : envelope({ success: true, ...output }),
    failure: ({ code, message }) => envelope({ success: false, error: { code, message } }),
    inPart: cutEnvelope,
    schema: (operation) =>
      operation.expose.mcp === "content"
        ? undefined
        : z.object({ success: z.literal(true) }).extend(operation.output.shape),
  },
  architecture: inItsOwnWords((failure) => failure.explanation),
  documcp: {
    ...inItsOwnWords((failure) => `Error: ${failure.explanation}`),
    refusal({ kind, message }) {
      const parameter = /^(?:Invalid|Missing|Unknown) parameter '([^']+)'/.exec(message)?.[1];
      if (kind !== "invalid" || parameter === undefined) return undefined;
      const details = `Validation failed for parameter '${parameter}'`;
      return { message: "Invalid params", data: { details, reason: message } };
    },
    schema: () => anObject,
  },
  qualcoder: {
    success: (operation, output) => envelope(qualcoderSuccess(operation, output)),
    failure: (failure) => envelope(qualcoderFailure(failure)),
    inPart: cutEnvelope,
    schema: () => anObject,
  },
};

/** Where every tool answers with the same envelope, the list of tools need not say so of each. */
const anObject = z.looseObject({});

/**
 * `/tools/{name}` speaks this whatever the shelf. Some answers are one list; what such a list says of
 * itself, as that it was cut, stands beside it.
 */
export function qualcoderSuccess(operation: AnyOperation, output: Record<string, unknown>) {
  const { list } = notesOf(operation);
  if (list === undefined) return { success: true, data: output };
  const { [list]: data, ...beside } = output;
  return { success: true, data, ...beside };
}

/** The schema of `data` in such an answer. */
export function dataSchema(operation: AnyOperation): z.ZodType {
  const { list } = notesOf(operation);
  return list === undefined ? operation.output : operation.output.shape[list];
}

const notesOf = ({ output }: AnyOperation): SchemaNotes => output.meta() ?? {};

/** The failure in the same words. Codes of other shelves are put in its letters. */
export const qualcoderFailure = (failure: Failure) => ({
  success: false,
  error: failure.explanation,
  error_code: /^[a-z-]+$/.test(failure.code)
    ? failure.code.toUpperCase().replaceAll("-", "_")
    : failure.code,
  ...(failure.details && { data: failure.details }),
});

/** What `present` writes, with the output beside it; a failure is text. */
function inItsOwnWords(wordFailure: (failure: Failure) => string): Wording {
  return {
    success: (operation, output, input) => ({
      content: presented(operation, output, input),
      ...(operation.expose.mcp === true && { structured: output }),
    }),
    failure: (failure) => ({ content: [text(wordFailure(failure))] }),
    schema: (operation) => (operation.expose.mcp === true ? operation.output : undefined),
  };
}

function presented(
  operation: AnyOperation,
  output: Record<string, unknown>,
  input: unknown,
): Block[] {
  return operation.present?.(output, input, "agent") ?? [text(JSON.stringify(output))];
}

const envelope = (data: Record<string, unknown>): Answer => ({
  content: [text(JSON.stringify(data))],
  structured: data,
});

/** A text for agents has no envelope, and says by a note alone that it was cut. */
function cutEnvelope(answer: Answer, remaining: number): Answer {
  const { structured } = answer;
  return structured ? envelope({ ...structured, truncated: true, remaining }) : answer;
}
