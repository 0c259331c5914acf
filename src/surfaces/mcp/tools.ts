import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  type Tool,
  type ToolAnnotations,
} from "@modelcontextprotocol/server";
import { text } from "../../kernel/block.ts";
import type { CallOptions } from "../../kernel/call.ts";
import type { Catalogue, Entry } from "../../kernel/catalogue.ts";
import { Failure } from "../../kernel/failure.ts";
import type { Library } from "../../kernel/library.ts";
import type { AnyOperation, Effect } from "../../kernel/operation.ts";
import type { Outcome } from "../../kernel/perform.ts";
import { shorten } from "../../text/shorten.ts";
import { nearest } from "../../text/similar-names.ts";
import { type Answer, dialects } from "../dialects.ts";
import { toContent } from "./content.ts";
import { type Desk, exchange, inMegabytes, type Settled, sizeOf } from "./exchange.ts";
import { type Fitted, fitted } from "./fitting.ts";
import { page } from "./pagination.ts";
import { inputSchema, outputSchema } from "./tool-schema.ts";

/** Every tool as a client sees it, in the catalogue's order, which never changes. */
export function describeTools(catalogue: Catalogue): Tool[] {
  return catalogue.entries.filter(isTool).map(({ operation, shelf }) => {
    const output = dialects[shelf.dialect].schema(operation);
    return {
      name: operation.name,
      title: operation.title,
      description: operation.summary,
      inputSchema: inputSchema(operation.input),
      ...(output && { outputSchema: outputSchema(output) }),
      annotations: annotationsOf(operation),
    };
  });
}

/** A person's yes or no is never a tool's to give. */
export const isTool = ({ operation }: Entry): boolean =>
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

export function serveTools(desk: Desk, tools: () => readonly Tool[]): void {
  const { library, server } = desk;

  server.setRequestHandler("tools/list", ({ params }) => {
    const { items, nextCursor } = page("tools", tools(), params?.cursor);
    return { tools: items, ...(nextCursor !== undefined && { nextCursor }) };
  });

  server.setRequestHandler("tools/call", ({ params }, ctx) => {
    const { name, arguments: given } = params;
    const entry = library.catalogue.find(name);
    if (!entry || !isTool(entry)) throw toolNotFound(name, library.catalogue);
    return exchange(
      desk,
      ctx,
      { name, given },
      (options) =>
        traced(library, entry, given, () =>
          withWarnings(options, (heard) =>
            fitted(entry, given, desk.answerLimit, (input) => library.call(entry, input, heard)),
          ),
        ),
      (outcome) => wordOutcome(desk, entry, outcome),
    );
  });
}

/** What a call warns of stands in its answer too: most clients show their agents no log. */
async function withWarnings(
  options: CallOptions,
  run: (options: CallOptions) => Promise<Fitted>,
): Promise<Fitted> {
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

/** What a tool was asked and how it ended, for `DEBUG=documcp:tools`. */
async function traced<Ended extends Outcome<unknown>>(
  { log }: Library,
  { operation: { name } }: Entry,
  given: unknown,
  run: () => Promise<Ended>,
): Promise<Ended> {
  const started = performance.now();
  log.trace("documcp:tools", () => `${name} called with ${JSON.stringify(given ?? {})}`);
  const outcome = await run();
  log.trace("documcp:tools", () => {
    const ended = outcome.ok ? "ok" : (outcome.failure?.code ?? "asks");
    return `${name} ended: ${ended} in ${Math.round(performance.now() - started)} ms`;
  });
  return outcome;
}

/** No tool has a long name, and to compare one with them all would take long. */
function toolNotFound(given: string, { entries }: Catalogue): ProtocolError {
  const name = shorten(given);
  const known = entries.filter(isTool).map(({ operation }) => operation.name);
  const names = nearest(name, known);
  const guess = names.length > 0 ? ` Did you mean ${names.map((n) => `'${n}'`).join(" or ")}?` : "";
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name}.${guess}`, {
    error_code: "TOOL_NOT_FOUND",
    ...(names.length > 0 && { nearest: names }),
  });
}

/** The outcome in its shelf's words; a failure of ours on the way is a failure of the call. */
function wordOutcome(desk: Desk, entry: Entry, outcome: Settled<Fitted>): CallToolResult {
  const wording = dialects[entry.shelf.dialect];
  const failed = (failure: Failure) => toResult(desk, wording.failure(failure), true);
  if (!outcome.ok) {
    const refusal = desk.refusesArguments() ? wording.refusal?.(outcome.failure) : undefined;
    if (!refusal) return failed(outcome.failure);
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, refusal.message, refusal.data);
  }
  try {
    const answer = outcome.answer ?? wording.success(entry.operation, outcome.value, outcome.input);
    if (outcome.note !== undefined) answer.content.push(text(outcome.note));
    const result = toResult(desk, answer, false);
    const size = sizeOf(result);
    return size <= desk.outboundLimit ? result : failed(tooLarge(entry.operation, size, desk));
  } catch (error) {
    desk.server.onInternal?.(`tools/call ${entry.operation.name}`, error);
    return failed(new Failure("internal", "internal-error", "Internal error"));
  }
}

function toResult(desk: Desk, answer: Answer, isError: boolean): CallToolResult {
  return {
    content: toContent(answer.content, desk.version()),
    ...(answer.structured && { structuredContent: answer.structured }),
    ...(isError && { isError }),
  };
}

function tooLarge(operation: AnyOperation, size: number, desk: Desk): Failure {
  const paging = Object.keys(operation.input.shape).filter((key) => pagingKey.test(key));
  return new Failure(
    "too-large",
    "too-large",
    `The answer would be ${inMegabytes(size)}; at most ${inMegabytes(desk.outboundLimit)} are sent.`,
    {
      hints: [
        paging.length > 0
          ? `Ask for less at a time, with ${paging.join(", ")}.`
          : "Ask for less, or for one part after another.",
      ],
    },
  );
}

/** Parameters that ask for a part, whatever a shelf's specification calls them. */
const pagingKey = /^(limit|offset|cursor|page|from|start|end|max)/i;
