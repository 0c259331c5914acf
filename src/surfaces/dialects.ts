import * as z from "zod";
import type { Failure } from "../kernel/failure.ts";
import type { AnyOperation } from "../kernel/operation.ts";
import { type OutputBlock, textBlock } from "../kernel/operations/output-block.ts";
import type { SchemaAnnotations } from "../kernel/operations/wire-schema.ts";
import type { Dialect } from "../kernel/shelf.ts";

/** The result of an MCP tool: content, and structured content if the dialect has it. */
export interface ToolAnswer {
  content: OutputBlock[];
  structured?: Record<string, unknown>;
}

interface DialectFormat {
  success(operation: AnyOperation, output: Record<string, unknown>, input: unknown): ToolAnswer;
  failure(failure: Failure): ToolAnswer;
  /**
   * The protocol error for invalid arguments, used up to protocol version 2025-06-18. Undefined for
   * other failures; without this method, invalid arguments are a tool result in every version.
   */
  refusal?(failure: Failure): { message: string; data: Record<string, unknown> } | undefined;
  /** Marks an answer as truncated, if the dialect has a field for that. */
  markTruncated?(answer: ToolAnswer, remaining: number): ToolAnswer;
  /** The schema of `structured` on success; undefined if the dialect returns only text. */
  schema(operation: AnyOperation): z.ZodObject | undefined;
}

/**
 * The five founding documents specify different result formats. Only this table defines them:
 * operations return plain data and throw Failure.
 */
export const dialects: Record<Dialect, DialectFormat> = {
  qmd: textDialect((failure) => failure.explanation),
  qmdc: {
    // Text content is passed through; all other output is wrapped with `success: true`.
    success: (operation, output, input) =>
      operation.expose.mcp === "content"
        ? { content: presentBlocks(operation, output, input) }
        : envelope({ success: true, ...output }),
    failure: ({ code, message }) => envelope({ success: false, error: { code, message } }),
    markTruncated: cutEnvelope,
    schema: (operation) =>
      operation.expose.mcp === "content"
        ? undefined
        : z.object({ success: z.literal(true) }).extend(operation.output.shape),
  },
  architecture: textDialect((failure) => failure.explanation),
  documcp: {
    ...textDialect((failure) => `Error: ${failure.explanation}`),
    refusal({ kind, message }) {
      const parameter = /^(?:Invalid|Missing|Unknown) parameter '([^']+)'/.exec(message)?.[1];
      if (kind !== "invalid" || parameter === undefined) return undefined;
      const details = `Validation failed for parameter '${parameter}'`;
      return { message: "Invalid params", data: { details, reason: message } };
    },
    schema: () => anyObject,
  },
  qualcoder: {
    success: (operation, output) => envelope(qualcoderSuccess(operation, output)),
    failure: (failure) => envelope(qualcoderFailure(failure)),
    markTruncated: cutEnvelope,
    schema: () => anyObject,
  },
};

/** All tools return the same envelope, so the tool list does not describe it for each tool. */
const anyObject = z.looseObject({});

/**
 * The response format of `/tools/{name}` for every shelf. If the output is a list, `data` is that
 * list and the other keys, such as `truncated`, are beside it.
 */
export function qualcoderSuccess(operation: AnyOperation, output: Record<string, unknown>) {
  const { list } = outputMeta(operation);
  if (list === undefined) return { success: true, data: output };
  const { [list]: data, ...others } = output;
  return { success: true, data, ...others };
}

/** The schema of `data` in that format. */
export function dataSchema(operation: AnyOperation): z.ZodType {
  const { list } = outputMeta(operation);
  return list === undefined ? operation.output : operation.output.shape[list];
}

const outputMeta = ({ output }: AnyOperation): SchemaAnnotations => output.meta() ?? {};

/** A failure in that format. Codes of other shelves are converted to UPPER_CASE. */
export const qualcoderFailure = (failure: Failure) => ({
  success: false,
  error: failure.explanation,
  error_code: /^[a-z-]+$/.test(failure.code)
    ? failure.code.toUpperCase().replaceAll("-", "_")
    : failure.code,
  ...(failure.details && { data: failure.details }),
});

/** Content from `present` plus the output as structured content; a failure is text. */
function textDialect(failureText: (failure: Failure) => string): DialectFormat {
  return {
    success: (operation, output, input) => ({
      content: presentBlocks(operation, output, input),
      ...(operation.expose.mcp === true && { structured: output }),
    }),
    failure: (failure) => ({ content: [textBlock(failureText(failure))] }),
    schema: (operation) => (operation.expose.mcp === true ? operation.output : undefined),
  };
}

function presentBlocks(
  operation: AnyOperation,
  output: Record<string, unknown>,
  input: unknown,
): OutputBlock[] {
  return operation.present?.(output, input, "agent") ?? [textBlock(JSON.stringify(output))];
}

const envelope = (data: Record<string, unknown>): ToolAnswer => ({
  content: [textBlock(JSON.stringify(data))],
  structured: data,
});

/** Text content has no envelope; its truncation is only noted in the text. */
function cutEnvelope(answer: ToolAnswer, remaining: number): ToolAnswer {
  const { structured } = answer;
  return structured ? envelope({ ...structured, truncated: true, remaining }) : answer;
}
