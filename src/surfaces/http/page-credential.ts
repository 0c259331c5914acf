import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { Context } from "hono";
import { getCookie, setCookie } from "hono/cookie";

/**
 * What the web app's own page carries and nothing else is given: a cookie that scripts cannot
 * read and other sites cannot send. A person's yes or no is only taken together with it.
 */
export interface PageCredential {
  /** Puts the credential on an answer. Called for HTML pages alone, never for data. */
  giveTo(c: Context): void;
  isShownBy(c: Context): boolean;
}

/** Random for each process, so a page from before a restart has to be loaded again. */
export function makePageCredential(): PageCredential {
  const secret = randomBytes(32).toString("base64url");
  return {
    giveTo: (c) =>
      setCookie(c, cookieName(c), secret, { httpOnly: true, sameSite: "Strict", path: "/" }),
    isShownBy(c) {
      const site = c.req.header("sec-fetch-site");
      return (
        c.req.header("origin") === new URL(c.req.url).origin &&
        (site === undefined || site === "same-origin") &&
        sameSecret(getCookie(c, cookieName(c)) ?? "", secret)
      );
    },
  };
}

/** Browsers share cookies between the ports of a host, and two of us may run on one. */
const cookieName = (c: Context): string => `lectern-page-${new URL(c.req.url).port || "80"}`;

/** Takes the same time wherever the two begin to differ. */
export function sameSecret(given: string, secret: string): boolean {
  const [one, other] = [given, secret].map((words) => createHash("sha256").update(words).digest());
  return one !== undefined && other !== undefined && timingSafeEqual(one, other);
}
