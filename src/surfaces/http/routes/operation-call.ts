import type { Context } from "hono";
import type { CallOptions, Question } from "../../../kernel/call.ts";
import { Failure } from "../../../kernel/failure.ts";
import type { CatalogueEntry } from "../../../kernel/operations/catalogue.ts";
import type { App } from "../../../kernel/runtime/app.ts";
import { callerOf, connectionInfoOf } from "../auth/caller.ts";
import type { PageSessions } from "../auth/page-sessions.ts";

export type CallResult =
  | { ok: true; output: Record<string, unknown>; input: unknown }
  | { ok: false; failure: Failure };

/** Calls an operation for a request. It is cancelled by a disconnect or by the time limit. */
export async function callForRequest(
  c: Context,
  app: App,
  pages: PageSessions,
  entry: CatalogueEntry,
  input: unknown,
  { signal = c.req.raw.signal, onProgress }: Pick<CallOptions, "signal" | "onProgress"> = {},
): Promise<CallResult> {
  const client = c.req.header("user-agent")?.trim().slice(0, 200);
  const { kind, sender } = callerOf(c);
  const outcome = await app.call(entry, input, {
    actor: {
      surface: pages.isFromPage(c) ? "web" : "http",
      ...(client && { client }),
      ...(kind === "own" && { isOwnUser: true as const }),
    },
    sender,
    peer: `http ${connectionInfoOf(c).connectionId}`,
    signal,
    ...(onProgress && { onProgress }),
    timeLimit: app.settings.timeLimit,
  });
  if (outcome.ok) return { ok: true, output: outcome.value, input: outcome.input };
  return { ok: false, failure: outcome.failure ?? needsAnswer(outcome.questions) };
}

/** Elicitation is impossible over plain HTTP; the error contains the questions. */
function needsAnswer(questions: Record<string, Question>): Failure {
  const messages = Object.values(questions).flatMap((question) =>
    question.kind === "form" ? [question.message] : [],
  );
  return new Failure(
    "conflict",
    "needs-answer",
    "This call asks a question that REST cannot answer.",
    {
      hints: [
        ...messages,
        "Call it over MCP from a client that supports elicitation, or put the answer into the arguments.",
      ],
    },
  );
}
