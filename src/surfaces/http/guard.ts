import type { Context, MiddlewareHandler } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { sameSecret } from "./page-credential.ts";
import { refuse } from "./refusal.ts";
import { takesBody } from "./request-input.ts";

export interface Guarding {
  /** With it, every request must show it, and hosts other than loopback may be named. */
  token?: string | undefined;
  /** Names and addresses by which the server may be reached beyond loopback, also through a proxy. */
  boundHosts?: readonly string[] | undefined;
}

/**
 * Stands before every route. A web page that points its own name at this machine (DNS rebinding)
 * is caught by `Host`, one that sends requests across sites by `Origin` and the content type.
 */
export function guard({ token, boundHosts = [] }: Guarding): MiddlewareHandler {
  const hosts = new Set(["localhost", "127.0.0.1", "[::1]"]);
  if (token) {
    for (const host of boundHosts) hosts.add(host.includes(":") ? `[${host}]` : host.toLowerCase());
  }
  return async (c, next) => {
    // A request line may hold a whole URL, and then names a host a second time.
    const named = [new URL(c.req.url).host, c.req.header("host") ?? "localhost"];
    if (!named.every((authority) => hosts.has(hostOf(authority)))) {
      return refuse(c, 403, hostRefused);
    }
    const origin = c.req.header("origin");
    if (origin !== undefined && !hosts.has(hostOf(/^https?:\/\/(.*)$/.exec(origin)?.[1] ?? ""))) {
      return refuse(c, 403, "Origin is not allowed: only pages of this machine may ask.");
    }
    if (
      token &&
      ![bearer(c), getCookie(c, tokenCookie) ?? ""].some((it) => sameSecret(it, token))
    ) {
      if (isLogin(c, token)) return logIn(c, token);
      return refuse(c, 401, "A token is needed: send 'Authorization: Bearer <token>'.", {
        "www-authenticate": 'Bearer realm="lectern"',
      });
    }
    if (takesBody(c.req.method) && hasBody(c) && !isJson(c)) {
      return refuse(c, 415, "The body must be JSON: send 'Content-Type: application/json'.");
    }
    return next();
  };
}

const hostRefused =
  "Host is not allowed: use localhost, 127.0.0.1 or [::1], or start the server with --allow-host.";

/** `localhost:8765` → `localhost`; anything that is not a plain host and port → `""`. */
const hostOf = (authority: string): string =>
  /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d{1,5})?$/.exec(authority.toLowerCase())?.[1] ?? "";

const bearer = (c: Context): string =>
  /^bearer +(\S+)$/i.exec(c.req.header("authorization") ?? "")?.[1] ?? "";

const tokenCookie = "lectern-token";

/** A browser cannot send a bearer token with a page; it shows it once, as `/?token=…`. */
const isLogin = (c: Context, token: string): boolean =>
  c.req.method === "GET" && c.req.path === "/" && sameSecret(c.req.query("token") ?? "", token);

/** The token leaves the address at once, so that it stays in no history and no log of another site. */
function logIn(c: Context, token: string): Response {
  setCookie(c, tokenCookie, token, { httpOnly: true, sameSite: "Strict", path: "/" });
  return c.redirect("/", 303);
}

/** A client that says how long its body is may say zero; one that names its type means to send. */
function hasBody(c: Context): boolean {
  const length = c.req.header("content-length");
  if (length !== undefined) return Number(length) > 0;
  return ["transfer-encoding", "content-type"].some((name) => c.req.header(name) !== undefined);
}

function isJson(c: Context): boolean {
  const [type = ""] = (c.req.header("content-type") ?? "").split(";");
  const packed = c.req.header("content-encoding") ?? "identity";
  return type.trim().toLowerCase() === "application/json" && packed === "identity";
}

/** Charts and graphs style their own drawings, so styles may be inline; scripts never. */
const pagePolicy = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");

/** No answer may be guessed into another type, framed, or read by a page of another origin. */
export const securityHeaders: MiddlewareHandler = async (c, next) => {
  await next();
  const { headers } = c.res;
  const isPage = headers.get("content-type")?.startsWith("text/html") ?? false;
  headers.set(
    "content-security-policy",
    isPage ? pagePolicy : "default-src 'none'; frame-ancestors 'none'",
  );
  headers.set("x-content-type-options", "nosniff");
  headers.set("referrer-policy", "no-referrer");
  headers.set("cross-origin-resource-policy", "same-origin");
  if (!headers.has("cache-control")) headers.set("cache-control", "no-store");
};
