import type { HttpBindings } from "@hono/node-server";
import type { Context } from "hono";
import type { CallOptions, Question } from "../../kernel/call.ts";
import type { Entry } from "../../kernel/catalogue.ts";
import { Failure } from "../../kernel/failure.ts";
import type { Library } from "../../kernel/library.ts";
import type { PageSessions } from "./page-sessions.ts";

export type Ending =
  | { ok: true; output: Record<string, unknown>; input: unknown }
  | { ok: false; failure: Failure };

/** Calls an operation on behalf of a request: it ends when the sender goes or the time is up. */
export async function callFor(
  c: Context,
  library: Library,
  pages: PageSessions,
  entry: Entry,
  input: unknown,
  { signal = c.req.raw.signal, onProgress }: Pick<CallOptions, "signal" | "onProgress"> = {},
): Promise<Ending> {
  const client = c.req.header("user-agent")?.trim().slice(0, 200);
  const outcome = await library.call(entry, input, {
    actor: { surface: pages.isShownBy(c) ? "web" : "http", ...(client && { client }) },
    peer: `http ${peerOf(c)}`,
    signal,
    ...(onProgress && { onProgress }),
    timeLimit: library.settings.timeLimit,
  });
  if (outcome.ok) return { ok: true, output: outcome.value, input: outcome.input };
  return { ok: false, failure: outcome.failure ?? unanswerable(outcome.questions) };
}

/** The connection of a request; one that was made without a socket has none. */
export function peerOf(c: Context): string {
  const { socket } = (c.env as Partial<HttpBindings> | undefined)?.incoming ?? {};
  return socket ? `${socket.remoteAddress} ${socket.remotePort}` : "";
}

/** A plain request cannot be asked back; the caller learns what would have been asked. */
function unanswerable(questions: Record<string, Question>): Failure {
  const asked = Object.values(questions).flatMap((question) =>
    question.kind === "form" ? [question.message] : [],
  );
  return new Failure("conflict", "needs-answer", "This call needs an answer before it can go on.", {
    hints: [...asked, "Call it over MCP from a client that can ask, or say it in the arguments."],
  });
}
