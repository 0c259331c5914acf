import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type InputRequiredResult,
  type LoggingLevel,
  type ServerContext,
} from "@modelcontextprotocol/server";
import * as z from "zod";
import type { CallOptions, Question } from "../../kernel/call.ts";
import type { Outcome } from "../../kernel/calls/perform.ts";
import type { App } from "../../kernel/runtime/app.ts";
import type { LogLevel } from "../../kernel/runtime/log.ts";
import type { ClientQuestions } from "./answers/client-questions.ts";
import { createProgressReporter } from "./answers/progress.ts";
import type { GuardedServer } from "./guarded-server.ts";
import { peerHeader, senderHeader } from "./http/peer-header.ts";

/** The context of a connection, for the handlers of all methods. */
export interface ConnectionContext {
  readonly app: App;
  readonly server: GuardedServer;
  readonly questions: ClientQuestions;
  /** Maximum text of a tool result in bytes; longer results are paged or truncated. */
  readonly answerLimit: number;
  /** Maximum size of a result in bytes. */
  readonly outboundLimit: number;
  /** The credential of the client that started this process, if it has one. */
  readonly clientKey: string | undefined;
  /** The protocol version of the client. */
  version(): string;
  /** Whether this client expects invalid tool arguments as a protocol error. */
  refusesArguments(): boolean;
}

/** An outcome other than questions. */
export type WithoutQuestions<Ended> = Exclude<Ended, { questions: unknown }>;

/**
 * Runs a call for a client and converts its outcome. If the outcome is questions, they are returned
 * instead. `params` identifies the call when the answers arrive.
 */
export async function callForClient<Ended extends Outcome<unknown>, Answer>(
  connection: ConnectionContext,
  ctx: ServerContext,
  params: unknown,
  run: (options: CallOptions) => Promise<Ended>,
  convert: (outcome: WithoutQuestions<Ended>) => Answer,
): Promise<InputRequiredResult | Answer> {
  const round = connection.questions.roundOf(ctx, params);
  const outcome = await runWithProgress(connection, ctx, (options) =>
    run({ ...options, ...round }),
  );
  if ("questions" in outcome) return connection.questions.ask(outcome, round, ctx, params);
  // The compiler does not narrow a type parameter by the check above.
  return convert(outcome as WithoutQuestions<Ended>);
}

/** Runs a call and sends its progress and log messages to the client. */
export async function runWithProgress<Ended>(
  connection: ConnectionContext,
  ctx: ServerContext,
  run: (options: CallOptions) => Promise<Ended>,
): Promise<Ended> {
  const progress = progressOf(ctx);
  const client = clientOf(connection.server, ctx);
  try {
    return await run({
      actor: { surface: "mcp", ...(client.name !== undefined && { client: client.name }) },
      sender: ctx.http?.req?.headers.get(senderHeader) ?? undefined,
      peer: peerOf(ctx),
      canAsk: (kind) => capabilitySchemas[kind].safeParse(client.capabilities).success,
      clientKey: connection.clientKey,
      signal: ctx.mcpReq.signal,
      timeLimit: connection.app.settings.timeLimit,
      ...(progress && { onProgress: progress.report }),
      onLog: (level, message) => {
        ctx.mcpReq
          .log(wireLevels[level], message, connection.app.identity.name)
          .catch(ignoreDisconnect);
      },
    });
  } finally {
    progress?.finish();
  }
}

/** The session, or the connection of a request without one. Over stdio there is only one client. */
const peerOf = ({ sessionId, http }: ServerContext): string =>
  `mcp ${sessionId ?? http?.req?.headers.get(peerHeader) ?? ""}`;

const wireLevels: Record<LogLevel, LoggingLevel> = {
  debug: "debug",
  info: "info",
  warn: "warning",
  error: "error",
};

/** Notifications to a disconnected client are dropped; the signal cancels its call. */
function ignoreDisconnect(): void {}

function progressOf(ctx: ServerContext) {
  const progressToken = ctx.mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  return createProgressReporter(({ progress, total, message }) => {
    const percentage = total ? Math.round((100 * progress) / total) : undefined;
    ctx.mcpReq
      .notify({
        method: "notifications/progress",
        params: {
          progressToken,
          progress,
          total,
          message,
          // Required by the founding document of the repository shelf.
          _meta: { "lectern/progress": { kind: "report", message, percentage } },
        },
      })
      .catch(ignoreDisconnect);
  });
}

/** The client of a request: from its envelope since protocol 2026, from the handshake before. */
function clientOf(server: GuardedServer, ctx: ServerContext) {
  const envelope = new Map<string, unknown>(Object.entries(ctx.mcpReq.envelope ?? {}));
  return {
    name: clientInfoSchema.safeParse(
      envelope.get(CLIENT_INFO_META_KEY) ?? server.getClientVersion(),
    ).data?.name,
    capabilities: envelope.get(CLIENT_CAPABILITIES_META_KEY) ?? server.getClientCapabilities(),
  };
}

const clientInfoSchema = z.object({ name: z.string() });

/** The capability required for each kind of question. `elicitation: {}` means form mode. */
const capabilitySchemas: Record<Question["kind"], z.ZodType> = {
  form: z.object({
    elicitation: z.looseObject({}).refine((modes) => "form" in modes || !("url" in modes)),
  }),
  model: z.object({ sampling: z.looseObject({}) }),
  roots: z.object({ roots: z.looseObject({}) }),
};

export const jsonBytes = (result: unknown): number => Buffer.byteLength(JSON.stringify(result));

export const formatMegabytes = (bytes: number): string => `${Math.ceil(bytes / 1e5) / 10} MB`;
