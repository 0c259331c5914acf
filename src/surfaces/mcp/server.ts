import {
  type JSONRPCMessage,
  LATEST_PROTOCOL_VERSION,
  type McpRequestContext,
  type Tool,
} from "@modelcontextprotocol/server";
import * as z from "zod";
import type { App } from "../../kernel/runtime/app.ts";
import { defaultAnswerLimit } from "./answers/answer-limit.ts";
import { createClientQuestions } from "./answers/client-questions.ts";
import type { ConnectionContext } from "./connection-context.ts";
import { GuardedServer } from "./guarded-server.ts";
import { createNotifier, relayNotice } from "./notice-relay.ts";
import { serveCompletions, servePrompts } from "./prompts.ts";
import { serveResources, serveSubscriptions } from "./resources.ts";
import { cacheHints, capabilitiesOf, instructionsOf, serverInfo } from "./server-info.ts";
import { describeTools, serveTools } from "./tools.ts";

export interface ServerFactoryOptions {
  /** Maximum text of a tool result in bytes. Default: 20,000 tokens. */
  answerLimit?: number;
  /** Maximum size of a result in bytes. Default: 10 MiB. */
  outboundLimit?: number;
  /** The credential of the client that started this process; undefined over HTTP. */
  clientKey?: string | undefined;
  /** Called for each outgoing message. The line transport has its own hook. */
  onSend?: (message: JSONRPCMessage) => void;
}

/**
 * Creates a factory of servers, one per connection or per request. They share only the app, so no
 * client sees the state of another. Everything expensive is computed once, in the factory.
 */
export function createServerFactory(
  app: App,
  {
    answerLimit = defaultAnswerLimit,
    outboundLimit = 10 * 1024 * 1024,
    clientKey,
    onSend,
  }: ServerFactoryOptions = {},
): (ctx: McpRequestContext) => GuardedServer {
  const questions = createClientQuestions();
  const instructions = instructionsOf(app);
  const capabilities = capabilitiesOf(app);
  let described: Tool[] | undefined;
  const tools = () => {
    described ??= describeTools(app.catalogue);
    return described;
  };

  return ({ era, requestInfo }) => {
    const server = new GuardedServer(serverInfo(app), {
      capabilities,
      instructions,
      cacheHints,
      requestState: { verify: questions.verify },
    });
    server.onInternal = (method, error) => app.log("error", `${method} failed`, { cause: error });
    server.onSend = onSend;
    server.onerror = (error) => app.log.trace("mcp:protocol", () => error.message);

    const headerVersion = requestInfo?.headers.get("mcp-protocol-version");
    const connection: ConnectionContext = {
      app,
      server,
      questions,
      answerLimit,
      outboundLimit,
      clientKey,
      version: () =>
        server.getNegotiatedProtocolVersion() ?? headerVersion ?? LATEST_PROTOCOL_VERSION,
      refusesArguments() {
        // A stdio client without a handshake is treated as in the founding document.
        const defaultVersion = requestInfo ? LATEST_PROTOCOL_VERSION : oldestVersion;
        return (
          (server.getNegotiatedProtocolVersion() ?? headerVersion ?? defaultVersion) <
          argumentErrorsAsResultsSince
        );
      },
    };
    if (capabilities.tools) serveTools(connection, tools);
    if (capabilities.resources) serveResources(connection);
    if (capabilities.prompts) servePrompts(connection);
    if (capabilities.completions) serveCompletions(connection);

    // Without `requestInfo` the server is for a persistent connection, not for a single request.
    const subscribed = requestInfo ? undefined : new Map<string, string>();
    if (era === "legacy") {
      if (capabilities.resources) serveSubscriptions(connection, subscribed);
      serveLegacyMethods(server, app);
    }
    if (subscribed) {
      const subscribedAs = (uri: string) => (era === "modern" ? uri : subscribed.get(uri));
      const notifier = createNotifier(server, capabilities, subscribedAs);
      server.onclose = app.subscribe((notice) => {
        // No notifications before the handshake.
        if (server.getNegotiatedProtocolVersion() !== undefined) relayNotice(notice, notifier);
      });
    }
    return server;
  };
}

const oldestVersion = "2024-11-05";

/** Since this version, invalid tool arguments are a tool result, which a model can read. */
const argumentErrorsAsResultsSince = "2025-11-25";

/** Methods of the founding documents that are not part of MCP. */
function serveLegacyMethods(server: GuardedServer, app: App): void {
  server.setRequestHandler("initialized", { params: z.looseObject({}) }, () => ({}));
  const metrics = app.catalogue.find("metrics");
  if (!metrics) return;
  server.setRequestHandler("server/performance", { params: z.looseObject({}) }, async () => {
    const outcome = await app.call(metrics, {}, { actor: { surface: "mcp" } });
    if (!outcome.ok) throw outcome.failure ?? new Error("'metrics' must not ask questions.");
    return { server_info: serverInfo(app), ...outcome.value };
  });
}
