import type { Context } from "hono";
import type { Peer } from "../../kernel/peers/admission.ts";
import { sameSecret } from "../../kernel/same-secret.ts";
import { arrivalOf, type Caller } from "./caller.ts";
import type { Guesses } from "./guesses.ts";
import type { OwnNames } from "./own-origin.ts";
import type { PageSessions } from "./page-sessions.ts";
import type { WebFiles } from "./web-files.ts";

export interface Credentials {
  /** With it, every request over TCP needs a credential, also one of our own user. */
  token?: string | undefined;
  /** The home's secret, which is taken in place of the token. */
  secret?: string | undefined;
}

interface Parts extends Credentials {
  names: OwnNames;
  pages: PageSessions;
  guesses: Guesses;
  web: Pick<WebFiles, "has">;
}

export type Judgement = { caller: Caller } | { refusal: "unknown" } | { waitSeconds: number };

/** Finds out on whose behalf a request comes, and whether they are served at all. */
export async function judgeCaller(c: Context, parts: Parts): Promise<Judgement> {
  const { token, secret, names, pages, guesses, web } = parts;
  const { entrance, peer: look } = arrivalOf(c);
  const peer = await look();
  if (entrance === "home") return served("own", peer.name);
  const sender = senderOf(c, peer, names);
  // Behind a proxy everybody is its user, so with a token the peer alone is no credential.
  if (!token && peer.kind === "own") return served("own", sender);
  if (!token && peer.kind === "allowed") return served("program", sender);

  // Whoever asks after our health may have no credential, and shows none that is compared.
  if (isRead(c) && c.req.path === "/health") return served("anyone", sender);
  const shown = bearerOf(c);
  const isLogin = isRead(c) && c.req.path === "/login";
  if (shown !== undefined || isLogin) {
    // Before anything is compared: otherwise a flood of guesses would still find the right one.
    const waitSeconds = guesses.waitOf(sender);
    if (waitSeconds > 0) return { waitSeconds };
  }
  if (shown !== undefined) {
    if ([token, secret].some((known) => known && sameSecret(shown, known))) {
      return served("program", sender);
    }
    guesses.note(sender);
    return { refusal: "unknown" };
  }
  if (isLogin) return served("anyone", sender);
  const isShell = isRead(c) && (pagePaths.includes(c.req.path) || web.has(c.req.path));
  const isPart = c.req.path.startsWith("/page/") || partPaths.includes(c.req.path);
  if ((isShell && pages.hasCookie(c)) || (isPart && pages.isCarriedBy(c))) {
    return served("page", sender);
  }
  return { refusal: "unknown" };
}

const pagePaths = ["/", "/index.html"];
/** What the page asks for besides its calls. */
const partPaths = ["/events", "/house"];

const served = (kind: Caller["kind"], sender: string): Judgement => ({ caller: { kind, sender } });

const isRead = (c: Context): boolean => c.req.method === "GET" || c.req.method === "HEAD";

/** An empty one is one too: it was shown, and is wrong. Other schemes are a proxy's business. */
const bearerOf = (c: Context): string | undefined =>
  /^bearer\b *(.*)$/i.exec(c.req.header("authorization") ?? "")?.[1];

/** A proxy speaks for many; who they are it says itself, if it is one that we were told of. */
function senderOf(c: Context, { kind, name }: Peer, names: OwnNames): string {
  if (kind === "stranger" || !names.isProxied(c)) return name;
  return c.req.header("x-forwarded-for")?.split(",").at(-1)?.trim().slice(0, 45) || name;
}
