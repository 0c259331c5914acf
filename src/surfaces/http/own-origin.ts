import type { Context } from "hono";

/** How this server is addressed: by loopback, by a bound address, or through a TLS proxy. */
export interface OwnNames {
  /** Whether a request may name this host. */
  has(authority: string): boolean;
  /** The origin of our own pages, as a browser that sent this request writes it. */
  originFor(c: Context): string;
  isSecure(c: Context): boolean;
  /** Whether the request names a host that only a proxy answers for. */
  isProxied(c: Context): boolean;
}

export interface OwnNameOptions {
  /** Names and addresses that the server itself is bound to, beside loopback. */
  boundHosts?: readonly string[] | undefined;
  /** Names that a proxy with TLS answers for, and passes on in `Host`. */
  proxyHosts?: readonly string[] | undefined;
}

export function ownNames({ boundHosts = [], proxyHosts = [] }: OwnNameOptions): OwnNames {
  const written = (host: string) => (host.includes(":") ? `[${host}]` : host.toLowerCase());
  const proxied = new Set(proxyHosts.map(written));
  const all = new Set(["localhost", "127.0.0.1", "[::1]", ...boundHosts.map(written), ...proxied]);
  const isProxied = (c: Context) => proxied.has(hostOf(new URL(c.req.url).host));
  const isSecure = (c: Context): boolean => {
    const [said] = (c.req.header("x-forwarded-proto") ?? "").split(",");
    // Only a proxy that was configured is believed, and without a word it is taken to have TLS.
    return isProxied(c) && said?.trim().toLowerCase() !== "http";
  };
  return {
    has: (authority) => all.has(hostOf(authority)),
    isProxied,
    isSecure,
    originFor: (c) =>
      new URL(`${isSecure(c) ? "https" : "http"}://${new URL(c.req.url).host}`).origin,
  };
}

/** `localhost:8765` → `localhost`; anything that is not a plain host and port → `""`. */
const hostOf = (authority: string): string =>
  /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d{1,5})?$/.exec(authority.toLowerCase())?.[1] ?? "";
