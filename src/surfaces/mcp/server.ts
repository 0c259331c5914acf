import {
  type JSONRPCMessage,
  LATEST_PROTOCOL_VERSION,
  type McpRequestContext,
  type Tool,
} from "@modelcontextprotocol/server";
import * as z from "zod";
import type { Library } from "../../kernel/library.ts";
import type { Desk } from "./exchange.ts";
import { usualAnswerLimit } from "./fitting.ts";
import { GuardedServer } from "./guarded-server.ts";
import { cacheHints, capabilitiesOf, instructionsOf, introduce } from "./introduction.ts";
import { notifierOf, relay } from "./notices.ts";
import { serveCompletions, servePrompts } from "./prompts.ts";
import { makeQuestions } from "./questions.ts";
import { serveResources, serveSubscriptions } from "./resources.ts";
import { describeTools, serveTools } from "./tools.ts";

export interface ServingOptions {
  /** Bytes of text that a tool answers at most; 20,000 tokens unless said. */
  answerLimit?: number;
  /** Bytes of the largest result that is sent; 10 MiB unless said. */
  outboundLimit?: number;
  /** The credential of the one client that all connections belong to; none over HTTP. */
  clientKey?: string | undefined;
  /** Hears of every message that leaves; a transport of lines has an ear of its own. */
  onSend?: (message: JSONRPCMessage) => void;
}

/**
 * Makes servers, one for each connection or each request: all they share is the library, so that
 * no client ever sees another's. Making one is cheap; what can be worked out once is.
 */
export function serverFactory(
  library: Library,
  {
    answerLimit = usualAnswerLimit,
    outboundLimit = 10 * 1024 * 1024,
    clientKey,
    onSend,
  }: ServingOptions = {},
): (ctx: McpRequestContext) => GuardedServer {
  const questions = makeQuestions();
  const instructions = instructionsOf(library);
  const capabilities = capabilitiesOf(library);
  let described: Tool[] | undefined;
  const tools = () => {
    described ??= describeTools(library.catalogue);
    return described;
  };

  return ({ era, requestInfo }) => {
    const server = new GuardedServer(introduce(library), {
      capabilities,
      instructions,
      cacheHints,
      requestState: { verify: questions.verify },
    });
    server.onInternal = (method, error) =>
      library.log("error", `${method} failed`, { cause: error });
    server.onSend = onSend;
    server.onerror = (error) => library.log.trace("mcp:protocol", () => error.message);

    const told = requestInfo?.headers.get("mcp-protocol-version");
    const desk: Desk = {
      library,
      server,
      questions,
      answerLimit,
      outboundLimit,
      clientKey,
      version: () => server.getNegotiatedProtocolVersion() ?? told ?? LATEST_PROTOCOL_VERSION,
      refusesArguments() {
        // Who says nothing on a line speaks as the founding document does.
        const silent = requestInfo ? LATEST_PROTOCOL_VERSION : oldestVersion;
        return (server.getNegotiatedProtocolVersion() ?? told ?? silent) < argumentsAreResults;
      },
    };
    if (capabilities.tools) serveTools(desk, tools);
    if (capabilities.resources) serveResources(desk);
    if (capabilities.prompts) servePrompts(desk);
    if (capabilities.completions) serveCompletions(desk);

    // A request alone carries itself along; what has none is a connection that lasts.
    const subscribed = requestInfo ? undefined : new Map<string, string>();
    if (era === "legacy") {
      if (capabilities.resources) serveSubscriptions(desk, subscribed);
      serveOldWords(server, library);
    }
    if (subscribed) {
      const wordedAs = (uri: string) => (era === "modern" ? uri : subscribed.get(uri));
      const notifier = notifierOf(server, capabilities, wordedAs);
      server.onclose = library.subscribe((notice) => {
        // Before the handshake a client is not to be told anything.
        if (server.getNegotiatedProtocolVersion() !== undefined) relay(notice, notifier);
      });
    }
    return server;
  };
}

const oldestVersion = "2024-11-05";

/** From this version on, bad arguments are a result that a model can read. */
const argumentsAreResults = "2025-11-25";

/** Words of founding documents that the protocol never had. */
function serveOldWords(server: GuardedServer, library: Library): void {
  server.setRequestHandler("initialized", { params: z.looseObject({}) }, () => ({}));
  const metrics = library.catalogue.find("metrics");
  if (!metrics) return;
  server.setRequestHandler("server/performance", { params: z.looseObject({}) }, async () => {
    const outcome = await library.call(metrics, {}, { actor: { surface: "mcp" } });
    if (!outcome.ok) throw outcome.failure ?? new Error("Metrics ask nothing.");
    return { server_info: introduce(library), ...outcome.value };
  });
}
