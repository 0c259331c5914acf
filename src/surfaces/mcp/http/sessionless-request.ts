import {
  type McpRequestContext,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import type { GuardedServer } from "../guarded-server.ts";
import { onBodyEnd } from "./response-end.ts";

/**
 * Serves one message without a session, before protocol 2026. A client that does not accept an event
 * stream, such as `curl`, receives plain JSON; the SDK alone would reject it.
 */
export async function serveSessionless(
  makeServer: (ctx: McpRequestContext) => GuardedServer,
  request: Request,
  body: unknown,
): Promise<Response> {
  const server = makeServer({ era: "legacy", requestInfo: request });
  const transport = new WebStandardStreamableHTTPServerTransport({
    enableJsonResponse: !acceptsEventStream(request),
  });
  await server.connect(transport);

  const { signal } = request;
  let onAbort = (): void => undefined;
  const aborted = new Promise<Response>((resolve) => {
    onAbort = () => resolve(new Response(null, { status: 499 }));
  });
  const end = (): void => {
    signal.removeEventListener("abort", onAbort);
    // Cancels a call whose client has disconnected. An error here has no consequence.
    server.close().catch(() => undefined);
  };
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();

  const headers = new Headers(request.headers);
  headers.set("accept", "application/json, text/event-stream");
  const forwarded = new Request(request.url, { method: "POST", headers, signal });
  const response = await Promise.race([
    transport.handleRequest(forwarded, { parsedBody: body }),
    aborted,
  ]);
  return onBodyEnd(response, end);
}

export const acceptsEventStream = (request: Request): boolean =>
  request.headers.get("accept")?.includes("text/event-stream") ?? false;
