import { createHmac, randomBytes } from "node:crypto";
import type { Context } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { sha256Hex } from "../../../kernel/files/hashes.ts";
import { secretsEqual } from "../../../kernel/home/equal-secrets.ts";
import type { OwnHosts } from "./own-hosts.ts";

/**
 * The sessions of the web app. A session has two parts: a cookie, which scripts cannot read, and a
 * key, which the page stores for its origin and sends as a header. Both are required, because
 * browsers send a cookie to every port of its host.
 */
export interface PageSessions {
  /** Starts a session, or continues that of the request's cookie. Returns the page's key. */
  open(c: Context): string;
  /** Whether the request has a session cookie: enough for the files of the web app. */
  hasCookie(c: Context): boolean;
  /** Whether the request has cookie and key: enough to read the data of the page. */
  isAuthenticated(c: Context): boolean;
  /** Whether the web app's own page sent the request. Only such a request acts for a person. */
  isFromPage(c: Context): boolean;
}

export interface PageSessionOptions {
  /** A session that is unused for this time expires. */
  idleMs?: number;
  maxSessions?: number;
}

/** The name of the key in the page's markup. */
export const pageKeyName = "lectern-page-key";
const pageKeyHeader = "x-lectern-page-key";

/** Sessions are kept in memory, so they end at a restart. */
export function createPageSessions(
  hosts: Pick<OwnHosts, "originFor" | "isSecure">,
  { idleMs = 12 * 60 * 60_000, maxSessions = 1_000 }: PageSessionOptions = {},
): PageSessions {
  const secret = randomBytes(32);
  /** When each session was last used, by the hash of its id and origin. */
  const sessions = new Map<string, number>();
  const entryOf = (c: Context, id: string) => sha256Hex(`${id} ${hosts.originFor(c)}`);
  const keyOf = (id: string) => createHmac("sha256", secret).update(id).digest("base64url");

  /** The id in the cookie, if its session has not expired. Restarts the idle time. */
  function activeSessionId(c: Context): string | undefined {
    const id = getCookie(c, cookieName(c));
    if (id === undefined) return undefined;
    const entry = entryOf(c, id);
    const lastUsed = sessions.get(entry);
    if (lastUsed === undefined) return undefined;
    sessions.delete(entry);
    if (performance.now() - lastUsed > idleMs) return undefined;
    sessions.set(entry, performance.now());
    return id;
  }

  /** Includes the port: browsers share cookies between ports, and two servers may run on a host. */
  function cookieName(c: Context): string {
    const { port, protocol } = new URL(hosts.originFor(c));
    const number = port || (protocol === "https:" ? "443" : "80");
    return `${hosts.isSecure(c) ? "__Host-" : ""}lectern-page-${number}`;
  }

  function hasCookieAndKey(c: Context): boolean {
    const id = activeSessionId(c);
    // EventSource cannot set headers, so for the event stream the key is in the query.
    const key = c.req.header(pageKeyHeader) ?? (c.req.path === "/events" ? c.req.query("key") : "");
    return id !== undefined && secretsEqual(key ?? "", keyOf(id));
  }

  return {
    open(c) {
      const id = activeSessionId(c) ?? randomBytes(32).toString("base64url");
      sessions.set(entryOf(c, id), performance.now());
      // The map is in least-recently-used order.
      for (const oldest of sessions.keys()) {
        if (sessions.size <= maxSessions) break;
        sessions.delete(oldest);
      }
      setCookie(c, cookieName(c), id, {
        httpOnly: true,
        sameSite: "Strict",
        path: "/",
        secure: hosts.isSecure(c),
      });
      return keyOf(id);
    },
    hasCookie: (c) => activeSessionId(c) !== undefined,
    isAuthenticated: hasCookieAndKey,
    isFromPage(c) {
      const site = c.req.header("sec-fetch-site");
      return (
        c.req.header("origin") === hosts.originFor(c) &&
        (site === undefined || site === "same-origin") &&
        hasCookieAndKey(c)
      );
    },
  };
}
