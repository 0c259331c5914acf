import type { Context } from "hono";

/** The hosts of this server: loopback, bound addresses, and the names of a TLS proxy. */
export interface OwnHosts {
  /** Whether requests to this host are accepted. */
  has(authority: string): boolean;
  /** The origin of our own pages, as seen by the browser that sent this request. */
  originFor(c: Context): string;
  isSecure(c: Context): boolean;
  /** Whether the request is for a host of the proxy. */
  isProxied(c: Context): boolean;
}

export interface OwnHostOptions {
  /** Names and addresses that the server is bound to, besides loopback. */
  boundHosts?: readonly string[] | undefined;
  /** Names of a TLS proxy, which forwards them in `Host`. */
  proxyHosts?: readonly string[] | undefined;
}

export function createOwnHosts({ boundHosts = [], proxyHosts = [] }: OwnHostOptions): OwnHosts {
  const normalizeHost = (host: string) => (host.includes(":") ? `[${host}]` : host.toLowerCase());
  const proxied = new Set(proxyHosts.map(normalizeHost));
  const all = new Set([
    "localhost",
    "127.0.0.1",
    "[::1]",
    ...boundHosts.map(normalizeHost),
    ...proxied,
  ]);
  const isProxied = (c: Context) =>
    proxied.size > 0 && proxied.has(hostOf(new URL(c.req.url).host));
  const isSecure = (c: Context): boolean => {
    const [scheme] = (c.req.header("x-forwarded-proto") ?? "").split(",");
    // Only a configured proxy is trusted. Without the header, TLS is assumed.
    return isProxied(c) && scheme?.trim().toLowerCase() !== "http";
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
