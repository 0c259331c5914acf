import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type InputRequiredResult,
  type LoggingLevel,
  type ServerContext,
} from "@modelcontextprotocol/server";
import * as z from "zod";
import type { CallOptions, Question } from "../../kernel/call.ts";
import type { Library } from "../../kernel/library.ts";
import type { LogLevel } from "../../kernel/log.ts";
import type { Outcome } from "../../kernel/perform.ts";
import type { GuardedServer } from "./guarded-server.ts";
import { peerHeader } from "./peer-header.ts";
import { reportProgress } from "./progress.ts";
import type { Questions } from "./questions.ts";

/** One client at one server: what every method needs to serve it. */
export interface Desk {
  readonly library: Library;
  readonly server: GuardedServer;
  readonly questions: Questions;
  /** Bytes of text that a tool answers at most; more is told in parts. */
  readonly answerLimit: number;
  /** Bytes of the largest result that is sent. */
  readonly outboundLimit: number;
  /** The credential of the client that started this process, if it has one. */
  readonly clientKey: string | undefined;
  /** The protocol version that the client reads. */
  version(): string;
  /** Whether bad arguments of a tool are an error of the protocol for the client. */
  refusesArguments(): boolean;
}

/** An outcome with its questions taken out: the client was asked them. */
export type Settled<Ended> = Exclude<Ended, { questions: unknown }>;

/**
 * Runs one call for a client and words its outcome, unless the call has questions: then these are
 * the answer. `params` is what makes the call this call and no other.
 */
export async function exchange<Ended extends Outcome<unknown>, Answer>(
  desk: Desk,
  ctx: ServerContext,
  params: unknown,
  run: (options: CallOptions) => Promise<Ended>,
  word: (outcome: Settled<Ended>) => Answer,
): Promise<InputRequiredResult | Answer> {
  const round = desk.questions.roundOf(ctx, params);
  const outcome = await tell(desk, ctx, (options) => run({ ...options, ...round }));
  if ("questions" in outcome) return desk.questions.ask(outcome, round, ctx, params);
  // The compiler does not carry the check above over to a type parameter.
  return word(outcome as Settled<Ended>);
}

/** Runs one call whose progress and log lines go back to the client while it runs. */
export async function tell<Ended>(
  desk: Desk,
  ctx: ServerContext,
  run: (options: CallOptions) => Promise<Ended>,
): Promise<Ended> {
  const progress = progressOf(ctx);
  const client = clientOf(desk.server, ctx);
  try {
    return await run({
      actor: { surface: "mcp", ...(client.name !== undefined && { client: client.name }) },
      peer: peerOf(ctx),
      canAsk: (kind) => ables[kind].safeParse(client.capabilities).success,
      clientKey: desk.clientKey,
      signal: ctx.mcpReq.signal,
      timeLimit: desk.library.settings.timeLimit,
      ...(progress && { onProgress: progress.report }),
      onLog: (level, message) => {
        ctx.mcpReq.log(wireLevels[level], message, desk.library.identity.name).catch(ignoreGone);
      },
    });
  } finally {
    progress?.finish();
  }
}

/** A session, or the connection of a request without one. On stdin and stdout there is one client. */
const peerOf = ({ sessionId, http }: ServerContext): string =>
  `mcp ${sessionId ?? http?.req?.headers.get(peerHeader) ?? ""}`;

const wireLevels: Record<LogLevel, LoggingLevel> = {
  debug: "debug",
  info: "info",
  warn: "warning",
  error: "error",
};

/** A client that left hears nothing more; its call ends by the signal. */
function ignoreGone(): void {}

function progressOf(ctx: ServerContext) {
  const progressToken = ctx.mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  return reportProgress(({ progress, total, message }) => {
    const percentage = total ? Math.round((100 * progress) / total) : undefined;
    ctx.mcpReq
      .notify({
        method: "notifications/progress",
        params: {
          progressToken,
          progress,
          total,
          message,
          // The founding document of the repository shelf words progress so.
          _meta: { "lectern/progress": { kind: "report", message, percentage } },
        },
      })
      .catch(ignoreGone);
  });
}

/** A request of the newer era says who sent it and what they can; in the older the handshake did. */
function clientOf(server: GuardedServer, ctx: ServerContext) {
  const said = new Map<string, unknown>(Object.entries(ctx.mcpReq.envelope ?? {}));
  return {
    name: named.safeParse(said.get(CLIENT_INFO_META_KEY) ?? server.getClientVersion()).data?.name,
    capabilities: said.get(CLIENT_CAPABILITIES_META_KEY) ?? server.getClientCapabilities(),
  };
}

const named = z.object({ name: z.string() });

/** What a client must have said of itself; a form needs no mention where no other way is named. */
const ables: Record<Question["kind"], z.ZodType> = {
  form: z.object({
    elicitation: z.looseObject({}).refine((ways) => "form" in ways || !("url" in ways)),
  }),
  model: z.object({ sampling: z.looseObject({}) }),
  roots: z.object({ roots: z.looseObject({}) }),
};

export const sizeOf = (result: unknown): number => Buffer.byteLength(JSON.stringify(result));

export const inMegabytes = (bytes: number): string => `${Math.ceil(bytes / 1e5) / 10} MB`;
