import type { Hono } from "hono";

type Fetch = Hono["fetch"];

/** Guarantees that can be removed from the server, to verify that the suite detects it. */
export const damages: Record<string, ((fetch: Fetch) => Fetch) | undefined> = {
  none: (fetch) => fetch,

  /** Makes every request look local to the origin guard. */
  "no-origin-guard": (fetch) => (request, env, ctx) => {
    const headers = new Headers(request.headers);
    headers.delete("origin");
    headers.set("host", "localhost");
    const { method, signal, body } = request;
    const url = new URL(request.url);
    url.host = "localhost";
    return fetch(new Request(url, { method, headers, signal, body, duplex: "half" }), env, ctx);
  },

  /** No answer has a cache lifetime. */
  "no-ttl": (fetch) => async (request, env, ctx) => {
    const response = await fetch(request, env, ctx);
    if (!response.headers.get("content-type")?.startsWith("application/json")) return response;
    const { status, headers } = response;
    const body = (await response.text()).replace(/"ttlMs":\d+,?/g, "");
    return new Response(body, { status, headers });
  },
};
