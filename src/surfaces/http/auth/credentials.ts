import type { Context } from "hono";
import { secretsEqual } from "../../../kernel/home/equal-secrets.ts";
import type { Peer } from "../../../kernel/peers/admission.ts";
import type { WebFiles } from "../routes/web-files.ts";
import { type Caller, connectionInfoOf } from "./caller.ts";
import type { LoginThrottle } from "./login-throttle.ts";
import type { OwnHosts } from "./own-hosts.ts";
import type { PageSessions } from "./page-sessions.ts";

export interface Credentials {
  /** If set, every request over TCP needs a credential, even from our own user. */
  token?: string | undefined;
  /** The home's secret, accepted instead of the token. */
  secret?: string | undefined;
}

interface AuthContext extends Credentials {
  hosts: OwnHosts;
  pages: PageSessions;
  throttle: LoginThrottle;
  web: Pick<WebFiles, "has">;
}

export type AuthDecision = { caller: Caller } | { refusal: "unknown" } | { waitSeconds: number };

/** Authenticates the sender of a request. A wrong credential counts towards the throttle. */
export async function authenticate(c: Context, parts: AuthContext): Promise<AuthDecision> {
  const { token, secret, hosts, pages, throttle, web } = parts;
  const connection = connectionInfoOf(c);
  const peer = await connection.peer();
  if (connection.listener === "home") return admitted("own", peer.name);
  const sender = senderOf(c, peer, hosts);
  // Behind a proxy, every connection is from the proxy's user. So with a token, the peer alone is
  // not a credential.
  if (!token && peer.kind === "own") return admitted("own", sender);
  if (!token && peer.kind === "allowed") return admitted("program", sender);

  // Health checks need no credential; one that is sent anyway is not checked.
  if (isRead(c) && c.req.path === "/health") return admitted("anyone", sender);
  const bearerToken = bearerTokenOf(c);
  const isLogin = isRead(c) && c.req.path === "/login";
  if (bearerToken !== undefined || isLogin) {
    // Checked before comparing: otherwise a throttled sender could go on guessing.
    const waitSeconds = throttle.waitSeconds(sender);
    if (waitSeconds > 0) return { waitSeconds };
  }
  if (bearerToken !== undefined) {
    if ([token, secret].some((known) => known && secretsEqual(bearerToken, known))) {
      return admitted("program", sender);
    }
    throttle.recordFailure(sender);
    return { refusal: "unknown" };
  }
  if (isLogin) return admitted("anyone", sender);
  const isPageFile = isRead(c) && (pagePaths.includes(c.req.path) || web.has(c.req.path));
  const isPageRequest = c.req.path.startsWith("/page/") || pageDataPaths.includes(c.req.path);
  if ((isPageFile && pages.hasCookie(c)) || (isPageRequest && pages.isAuthenticated(c))) {
    return admitted("page", sender);
  }
  return { refusal: "unknown" };
}

const pagePaths = ["/", "/index.html"];
/** The paths that the page requests besides `/page/…`. */
const pageDataPaths = ["/events", "/system", "/house"];

const admitted = (kind: Caller["kind"], sender: string): AuthDecision => ({
  caller: { kind, sender },
});

const isRead = (c: Context): boolean => c.req.method === "GET" || c.req.method === "HEAD";

/** An empty token counts as a wrong one. Other schemes are for a proxy and are ignored. */
const bearerTokenOf = (c: Context): string | undefined =>
  /^bearer\b *(.*)$/i.exec(c.req.header("authorization") ?? "")?.[1];

/** A trusted proxy forwards the client's address in X-Forwarded-For. */
function senderOf(c: Context, { kind, name }: Peer, hosts: OwnHosts): string {
  if (kind === "stranger" || !hosts.isProxied(c)) return name;
  return c.req.header("x-forwarded-for")?.split(",").at(-1)?.trim().slice(0, 45) || name;
}
