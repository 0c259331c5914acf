import type { Context, MiddlewareHandler } from "hono";
import { setCaller } from "./caller.ts";
import { judgeCaller } from "./credentials.ts";
import type { OwnNames } from "./own-origin.ts";
import { refuse } from "./refusal.ts";
import { takesBody } from "./request-input.ts";

/**
 * Stands before every route. A web page that points its own name at this machine (DNS rebinding)
 * is caught by `Host`; one that sends requests across sites by `Origin`, `Sec-Fetch-Site` and the
 * content type; a process of another user by the peer of its connection.
 */
export function guard(parts: Parameters<typeof judgeCaller>[1]): MiddlewareHandler {
  const { names, token } = parts;
  return async (c, next) => {
    // A request line may hold a whole URL, and then names a host a second time.
    const named = [new URL(c.req.url).host, c.req.header("host") ?? "localhost"];
    if (!named.every((authority) => names.has(authority))) return refuse(c, 403, hostRefused);
    if (isForeign(c, names)) return refuse(c, 403, originRefused);
    const judgement = await judgeCaller(c, parts);
    if ("waitSeconds" in judgement) {
      const { waitSeconds: seconds } = judgement;
      const detail = `Too many wrong credentials came from here. Try again in ${seconds} s.`;
      return refuse(c, 429, detail, { "retry-after": String(seconds) });
    }
    if ("refusal" in judgement) {
      return refuse(c, 401, token ? tokenNeeded : otherUser, {
        "www-authenticate": 'Bearer realm="lectern"',
      });
    }
    setCaller(c, judgement.caller);
    if (takesBody(c.req.method) && hasBody(c) && !isJson(c)) {
      return refuse(c, 415, "The body must be JSON: send 'Content-Type: application/json'.");
    }
    return next();
  };
}

const hostRefused =
  "Host is not allowed: use localhost, 127.0.0.1 or [::1], or start the server with --allow-host.";

const originRefused = "Origin is not allowed: only this server's own page may ask.";

const tokenNeeded =
  "A token is needed: send 'Authorization: Bearer <token>'. A person opens the page by the link that 'lectern page-link' prints.";

const otherUser =
  "Only processes of the user who runs this server are served without a credential. Send 'Authorization: Bearer <secret of the home>', or let the server allow your user with --allow-user.";

/**
 * Whether a page of another origin sent the request; pages of other ports of this machine are
 * foreign too. An empty request may come without `Origin`, and `Sec-Fetch-Site` tells of it. A link
 * on another site may lead here. A program sends neither header.
 */
function isForeign(c: Context, names: OwnNames): boolean {
  const origin = c.req.header("origin");
  if (origin !== undefined && origin !== names.originFor(c)) return true;
  const site = c.req.header("sec-fetch-site");
  if (site === undefined || site === "same-origin" || site === "none") return false;
  const isLink =
    c.req.method === "GET" &&
    c.req.header("sec-fetch-mode") === "navigate" &&
    c.req.header("sec-fetch-dest") === "document";
  return !isLink;
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
