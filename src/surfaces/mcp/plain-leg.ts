import {
  type McpRequestContext,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import type { GuardedServer } from "./guarded-server.ts";
import { whenRead } from "./response-end.ts";

/**
 * Serves one message of the older era that belongs to no session. A client that does not ask for
 * an event stream, such as `curl`, gets plain JSON; the SDK would send it away.
 */
export async function servePlainly(
  makeServer: (ctx: McpRequestContext) => GuardedServer,
  request: Request,
  body: unknown,
): Promise<Response> {
  const server = makeServer({ era: "legacy", requestInfo: request });
  const transport = new WebStandardStreamableHTTPServerTransport({
    enableJsonResponse: !readsStreams(request),
  });
  await server.connect(transport);

  const { signal } = request;
  let onAbort = (): void => undefined;
  const left = new Promise<Response>((resolve) => {
    onAbort = () => resolve(new Response(null, { status: 499 }));
  });
  const end = (): void => {
    signal.removeEventListener("abort", onAbort);
    // Closing stops a call that nobody waits for any more; it cannot fail in a way that matters.
    server.close().catch(() => undefined);
  };
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();

  const headers = new Headers(request.headers);
  headers.set("accept", "application/json, text/event-stream");
  const asked = new Request(request.url, { method: "POST", headers, signal });
  const response = await Promise.race([transport.handleRequest(asked, { parsedBody: body }), left]);
  return whenRead(response, end);
}

export const readsStreams = (request: Request): boolean =>
  request.headers.get("accept")?.includes("text/event-stream") ?? false;
