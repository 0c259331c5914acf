import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  type Tool,
  type ToolAnnotations,
} from "@modelcontextprotocol/server";
import type { CallOptions } from "../../kernel/call.ts";
import type { Outcome } from "../../kernel/calls/perform.ts";
import { Failure } from "../../kernel/failure.ts";
import type { AnyOperation, Effect } from "../../kernel/operation.ts";
import type { Catalogue, CatalogueEntry } from "../../kernel/operations/catalogue.ts";
import { noteMessages } from "../../kernel/operations/note.ts";
import { textBlock } from "../../kernel/operations/output-block.ts";
import type { App } from "../../kernel/runtime/app.ts";
import { shorten } from "../../text/strings/shorten.ts";
import { similarNames } from "../../text/strings/similar-names.ts";
import { dialects, type ToolAnswer } from "../dialects.ts";
import { callWithinLimit, type LimitedOutcome } from "./answers/answer-limit.ts";
import { toContentBlocks } from "./answers/content.ts";
import { paginate } from "./answers/pagination.ts";
import {
  type ConnectionContext,
  callForClient,
  formatMegabytes,
  jsonBytes,
  type WithoutQuestions,
} from "./connection-context.ts";
import { toolInputSchema, toolOutputSchema } from "./tool-schema.ts";

/** The tool descriptions, in the order of the catalogue, which never changes. */
export function describeTools(catalogue: Catalogue): Tool[] {
  return catalogue.entries.filter(isTool).map(({ operation, shelf }) => {
    const output = dialects[shelf.dialect].schema(operation);
    return {
      name: operation.name,
      title: operation.title,
      description: operation.summary,
      inputSchema: toolInputSchema(operation.input),
      ...(output && { outputSchema: toolOutputSchema(output) }),
      annotations: annotationsOf(operation),
    };
  });
}

/** Operations that only a person may call are never tools. */
export const isTool = ({ operation }: CatalogueEntry): boolean =>
  operation.expose.mcp !== undefined && operation.effect !== "decides";

function annotationsOf(operation: AnyOperation): ToolAnnotations {
  return { ...hints[operation.effect], openWorldHint: operation.network === true };
}

const hints: Record<Effect, ToolAnnotations> = {
  reads: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  writes: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
  deletes: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
  decides: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
};

export function serveTools(connection: ConnectionContext, tools: () => readonly Tool[]): void {
  const { app, server } = connection;

  server.setRequestHandler("tools/list", ({ params }) => {
    const { items, nextCursor } = paginate("tools", tools(), params?.cursor);
    return { tools: items, ...(nextCursor !== undefined && { nextCursor }) };
  });

  server.setRequestHandler("tools/call", ({ params }, ctx) => {
    const { name, arguments: toolArguments } = params;
    const entry = app.catalogue.find(name);
    if (!entry || !isTool(entry)) throw toolNotFound(name, app.catalogue);
    return callForClient(
      connection,
      ctx,
      { name, toolArguments },
      (options) =>
        traceToolCall(app, entry, toolArguments, () =>
          withWarnings(options, (callOptions) =>
            callWithinLimit(entry, toolArguments, connection.answerLimit, (input) =>
              app.call(entry, input, callOptions),
            ),
          ),
        ),
      (outcome) => toCallToolResult(connection, entry, outcome),
    );
  });
}

/** Adds warnings to the result, because most clients do not show log messages to their agents. */
async function withWarnings(
  options: CallOptions,
  run: (options: CallOptions) => Promise<LimitedOutcome>,
): Promise<LimitedOutcome> {
  const notes = new Set<string>();
  const outcome = await run({
    ...options,
    onLog(level, message) {
      if (level === "warn") notes.add(message);
      options.onLog?.(level, message);
    },
  });
  if (outcome.note !== undefined) notes.add(outcome.note);
  return notes.size === 0 ? outcome : { ...outcome, note: [...notes].join("\n") };
}

/** Traces tool calls for `DEBUG=documcp:tools`. */
async function traceToolCall<Ended extends Outcome<unknown>>(
  { log }: App,
  { operation: { name } }: CatalogueEntry,
  toolArguments: unknown,
  run: () => Promise<Ended>,
): Promise<Ended> {
  const started = performance.now();
  log.trace("documcp:tools", () => `${name} called with ${JSON.stringify(toolArguments ?? {})}`);
  const outcome = await run();
  log.trace("documcp:tools", () => {
    const ended = outcome.ok ? "ok" : (outcome.failure?.code ?? "asks");
    return `${name} ended: ${ended} in ${Math.round(performance.now() - started)} ms`;
  });
  return outcome;
}

/** The name is shortened first, because comparing a very long name is slow. */
function toolNotFound(requested: string, { entries }: Catalogue): ProtocolError {
  const name = shorten(requested);
  const known = entries.filter(isTool).map(({ operation }) => operation.name);
  const names = similarNames(name, known);
  const guess = names.length > 0 ? ` Did you mean ${names.map((n) => `'${n}'`).join(" or ")}?` : "";
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name}.${guess}`, {
    error_code: "TOOL_NOT_FOUND",
    ...(names.length > 0 && { nearest: names }),
  });
}

/** Converts an outcome to the shelf's format. An error during conversion fails the call. */
function toCallToolResult(
  connection: ConnectionContext,
  entry: CatalogueEntry,
  outcome: WithoutQuestions<LimitedOutcome>,
): CallToolResult {
  const dialect = dialects[entry.shelf.dialect];
  const failed = (failure: Failure) => toResult(connection, dialect.failure(failure), true);
  if (!outcome.ok) {
    const refusal = connection.refusesArguments() ? dialect.refusal?.(outcome.failure) : undefined;
    if (!refusal) return failed(outcome.failure);
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, refusal.message, refusal.data);
  }
  try {
    const answer = outcome.answer ?? dialect.success(entry.operation, outcome.value, outcome.input);
    const notes = [
      ...noteMessages(outcome.value),
      ...(outcome.note === undefined ? [] : [outcome.note]),
    ];
    if (notes.length > 0) answer.content.push(textBlock(notes.join("\n")));
    const result = toResult(connection, answer, false);
    const size = jsonBytes(result);
    return size <= connection.outboundLimit
      ? result
      : failed(tooLarge(entry.operation, size, connection));
  } catch (error) {
    connection.server.onInternal?.(`tools/call ${entry.operation.name}`, error);
    return failed(new Failure("internal", "internal-error", "Internal error"));
  }
}

function toResult(
  connection: ConnectionContext,
  answer: ToolAnswer,
  isError: boolean,
): CallToolResult {
  return {
    content: toContentBlocks(answer.content, connection.version()),
    ...(answer.structured && { structuredContent: answer.structured }),
    ...(isError && { isError }),
  };
}

function tooLarge(operation: AnyOperation, size: number, connection: ConnectionContext): Failure {
  const paging = Object.keys(operation.input.shape).filter((key) => pagingKey.test(key));
  return new Failure(
    "too-large",
    "too-large",
    `The result would be ${formatMegabytes(size)}; the limit is ${formatMegabytes(connection.outboundLimit)}.`,
    {
      hints: [
        paging.length > 0
          ? `Request less at a time, with ${paging.join(", ")}.`
          : "Request less, or one part after another.",
      ],
    },
  );
}

/** The paging parameters in the specifications of all shelves. */
const pagingKey = /^(limit|offset|cursor|page|from|start|end|max)/i;
