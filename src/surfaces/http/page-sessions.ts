import { createHmac, randomBytes } from "node:crypto";
import type { Context } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { hashOf } from "../../kernel/hashing.ts";
import { sameSecret } from "../../kernel/same-secret.ts";
import type { OwnNames } from "./own-origin.ts";

/**
 * The sessions of people at the web app. A session has two halves: a cookie, which scripts cannot
 * read, and a key, which the page keeps for its own origin and sends as a header. Browsers send a
 * cookie to every port of its host, so a cookie alone opens nothing; neither does a key alone.
 */
export interface PageSessions {
  /** Begins a session, or goes on with the one whose cookie is shown, and gives the page's key. */
  open(c: Context): string;
  /** Whether the request has the cookie of a session: enough for the files of the web app. */
  hasCookie(c: Context): boolean;
  /** Whether the request has both halves: enough to read what the page shows. */
  isCarriedBy(c: Context): boolean;
  /** Whether the web app's own page sent the request; only then does a person act. */
  isShownBy(c: Context): boolean;
}

export interface PageSessionOptions {
  /** A session that nobody used for so long has ended. */
  idleMs?: number;
  maxSessions?: number;
}

/** The name of the key in the page's markup. */
export const keyName = "lectern-page-key";
const keyHeader = "x-lectern-page-key";

/** Kept in memory: after a restart a page asks for a session again. */
export function openPageSessions(
  names: Pick<OwnNames, "originFor" | "isSecure">,
  { idleMs = 12 * 60 * 60_000, maxSessions = 1_000 }: PageSessionOptions = {},
): PageSessions {
  const secret = randomBytes(32);
  /** When each was last used, by the hash of its id and the origin that it holds for. */
  const sessions = new Map<string, number>();
  const entryOf = (c: Context, id: string) => hashOf(`${id} ${names.originFor(c)}`);
  const keyOf = (id: string) => createHmac("sha256", secret).update(id).digest("base64url");

  /** The id in the cookie, where its session lives; using it keeps it alive. */
  function liveId(c: Context): string | undefined {
    const id = getCookie(c, cookieName(c));
    if (id === undefined) return undefined;
    const entry = entryOf(c, id);
    const used = sessions.get(entry);
    if (used === undefined) return undefined;
    sessions.delete(entry);
    if (performance.now() - used > idleMs) return undefined;
    sessions.set(entry, performance.now());
    return id;
  }

  /** Browsers share cookies between the ports of a host, and two of us may run on one. */
  function cookieName(c: Context): string {
    const { port, protocol } = new URL(names.originFor(c));
    const number = port || (protocol === "https:" ? "443" : "80");
    return `${names.isSecure(c) ? "__Host-" : ""}lectern-page-${number}`;
  }

  function isCarriedBy(c: Context): boolean {
    const id = liveId(c);
    // A stream of events is opened without headers of the page's choice.
    const shown = c.req.header(keyHeader) ?? (c.req.path === "/events" ? c.req.query("key") : "");
    return id !== undefined && sameSecret(shown ?? "", keyOf(id));
  }

  return {
    open(c) {
      const id = liveId(c) ?? randomBytes(32).toString("base64url");
      sessions.set(entryOf(c, id), performance.now());
      // The map is in the order of use, so the first was left alone longest.
      for (const oldest of sessions.keys()) {
        if (sessions.size <= maxSessions) break;
        sessions.delete(oldest);
      }
      setCookie(c, cookieName(c), id, {
        httpOnly: true,
        sameSite: "Strict",
        path: "/",
        secure: names.isSecure(c),
      });
      return keyOf(id);
    },
    hasCookie: (c) => liveId(c) !== undefined,
    isCarriedBy,
    isShownBy(c) {
      const site = c.req.header("sec-fetch-site");
      return (
        c.req.header("origin") === names.originFor(c) &&
        (site === undefined || site === "same-origin") &&
        isCarriedBy(c)
      );
    },
  };
}
