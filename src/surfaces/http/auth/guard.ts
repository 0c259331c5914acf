import type { Context, MiddlewareHandler } from "hono";
import { takesBody } from "../requests/request-input.ts";
import { errorResponse } from "../routes/error-response.ts";
import { setCaller } from "./caller.ts";
import { authenticate } from "./credentials.ts";
import type { OwnHosts } from "./own-hosts.ts";

/**
 * Checks every request before its route. `Host` stops DNS rebinding, where a web page resolves its
 * own name to this machine. `Origin`, `Sec-Fetch-Site` and the content type stop cross-site
 * requests. The peer of the connection stops processes of other users.
 */
export function guard(parts: Parameters<typeof authenticate>[1]): MiddlewareHandler {
  const { hosts, token } = parts;
  return async (c, next) => {
    // A request line with an absolute URL contains a second host.
    const requestedHosts = [new URL(c.req.url).host, c.req.header("host") ?? "localhost"];
    if (!requestedHosts.every((authority) => hosts.has(authority)))
      return errorResponse(c, 403, hostRefused);
    if (isCrossOrigin(c, hosts)) return errorResponse(c, 403, originRefused);
    const decision = await authenticate(c, parts);
    if ("waitSeconds" in decision) {
      const { waitSeconds: seconds } = decision;
      const detail = `Too many wrong credentials. Try again in ${seconds} s.`;
      return errorResponse(c, 429, detail, { "retry-after": String(seconds) });
    }
    if ("refusal" in decision) {
      return errorResponse(c, 401, token ? tokenNeeded : otherUser, {
        "www-authenticate": 'Bearer realm="lectern"',
      });
    }
    setCaller(c, decision.caller);
    if (takesBody(c.req.method) && hasBody(c) && !isJson(c)) {
      return errorResponse(c, 415, "The body must be JSON: send 'Content-Type: application/json'.");
    }
    return next();
  };
}

const hostRefused =
  "Host is not allowed: use localhost, 127.0.0.1 or [::1], or start the server with --allow-host.";

const originRefused =
  "Origin is not allowed: requests are accepted only from this server's own pages.";

const tokenNeeded =
  "A token is required: send 'Authorization: Bearer <token>'. To open the web app, use the link that 'lectern page-link' prints.";

const otherUser =
  "Only processes of the user who runs this server need no credential. Send 'Authorization: Bearer <secret of the home>', or start the server with --allow-user.";

/**
 * Whether a page of another origin sent the request. Pages on other ports of this machine are
 * another origin too. `Sec-Fetch-Site` covers requests without a body, which may have no `Origin`.
 * Following a link from another site is allowed. Programs send neither header.
 */
function isCrossOrigin(c: Context, hosts: OwnHosts): boolean {
  const origin = c.req.header("origin");
  if (origin !== undefined && origin !== hosts.originFor(c)) return true;
  const site = c.req.header("sec-fetch-site");
  if (site === undefined || site === "same-origin" || site === "none") return false;
  const isLink =
    c.req.method === "GET" &&
    c.req.header("sec-fetch-mode") === "navigate" &&
    c.req.header("sec-fetch-dest") === "document";
  return !isLink;
}

/** Without Content-Length, a transfer encoding or a content type announces a body. */
function hasBody(c: Context): boolean {
  const length = c.req.header("content-length");
  if (length !== undefined) return Number(length) > 0;
  return ["transfer-encoding", "content-type"].some((name) => c.req.header(name) !== undefined);
}

function isJson(c: Context): boolean {
  const [type = ""] = (c.req.header("content-type") ?? "").split(";");
  const encoding = c.req.header("content-encoding") ?? "identity";
  return type.trim().toLowerCase() === "application/json" && encoding === "identity";
}

/** Charts and graphs need inline styles. Inline scripts are never allowed. */
const pagePolicy = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");

/** Prevents content sniffing, framing, and reading by pages of other origins. */
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
