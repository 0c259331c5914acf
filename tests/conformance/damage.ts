import type { Hono } from "hono";

type Fetch = Hono["fetch"];

/** What can be taken from the server, to see that the suite would notice if it were really gone. */
export const damages: Record<string, ((fetch: Fetch) => Fetch) | undefined> = {
  none: (fetch) => fetch,

  /** Every request looks to the guard as if it came from this machine. */
  "no-origin-guard": (fetch) => (request, env, ctx) => {
    const headers = new Headers(request.headers);
    headers.delete("origin");
    headers.set("host", "localhost");
    const { method, signal, body } = request;
    const url = new URL(request.url);
    url.host = "localhost";
    return fetch(new Request(url, { method, headers, signal, body, duplex: "half" }), env, ctx);
  },

  /** No answer says how long it may be kept. */
  "no-ttl": (fetch) => async (request, env, ctx) => {
    const response = await fetch(request, env, ctx);
    if (!response.headers.get("content-type")?.startsWith("application/json")) return response;
    const { status, headers } = response;
    const body = (await response.text()).replace(/"ttlMs":\d+,?/g, "");
    return new Response(body, { status, headers });
  },
};
