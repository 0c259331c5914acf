import { randomUUID } from "node:crypto";
import { type Context, Hono, type MiddlewareHandler } from "hono";
import { bodyLimit as limitBody } from "hono/body-limit";
import { Failure } from "../../kernel/failure.ts";
import type { Library } from "../../kernel/library.ts";
import { callerOf } from "./caller.ts";
import { peerOf } from "./calling.ts";
import type { Credentials } from "./credentials.ts";
import { type Events, makeEvents } from "./events.ts";
import { guard, securityHeaders } from "./guard.ts";
import { countGuesses } from "./guesses.ts";
import { type Health, houseRoutes } from "./house-routes.ts";
import type { Finding } from "./house-state.ts";
import { bodyLimit } from "./json-body.ts";
import { type LoginCodes, openLoginCodes } from "./login-code.ts";
import { type OwnNameOptions, ownNames } from "./own-origin.ts";
import { pageRoute } from "./page-calls.ts";
import { openPageSessions } from "./page-sessions.ts";
import { shapeOfPath } from "./path-template.ts";
import { refuse, refuseFailure } from "./refusal.ts";
import type { Route } from "./route.ts";
import { operationRoutes } from "./routes.ts";
import { toolRoutes } from "./tools.ts";
import { answerUnrouted } from "./unrouted.ts";
import { openWebFiles } from "./web-files.ts";

export interface AppOptions extends Credentials, OwnNameOptions {
  library: Library;
  /** The MCP endpoint; `main` hands it in, since surfaces do not know one another. */
  mcp: (request: Request, peer: string, sender: string) => Promise<Response>;
  /** Handed in where somebody else wants to know how many pages are open. */
  events?: Events;
  health?: () => Health;
  /** Looks at the installation; `main` hands it in, as the doctor belongs to another surface. */
  examine?: () => readonly Finding[];
  /** Knows the one-time links to the page; without it there are none. */
  codes?: LoginCodes;
  /** The folder of the built web app. */
  web?: string | undefined;
}

/** The whole HTTP surface as one function from request to answer; nothing listens yet. */
export function makeApp({ library, mcp, web: folder, ...options }: AppOptions): Hono {
  const { token, secret, boundHosts, proxyHosts } = options;
  const names = ownNames(token ? { boundHosts, proxyHosts } : {});
  const pages = openPageSessions(names);
  const guesses = countGuesses();
  const web = openWebFiles(folder);
  const routes: Route[] = [
    ...houseRoutes({
      library,
      pages,
      codes: options.codes ?? openLoginCodes(() => undefined),
      guesses,
      web,
      events: options.events ?? makeEvents(library, { onPages: pageCounter(library) }),
      health: options.health ?? (() => healthOf(library)),
      examine: options.examine ?? (() => []),
    }),
    ...toolRoutes(library, pages),
    pageRoute(library, pages),
    ...operationRoutes(library, pages),
  ];
  refuseTwins(routes);

  const app = new Hono();
  app.use(traced(library));
  app.use(securityHeaders);
  app.use(guard({ token, secret, names, pages, guesses, web }));
  app.use(limited);
  app.all("/mcp", (c) => mcp(c.req.raw, peerOf(c), callerOf(c).sender));
  for (const { method, path, answer } of routes) app.on(method, path.pattern, answer);
  app.notFound((c) => answerUnrouted(c, routes, web));
  app.onError((error, c) => {
    if (error instanceof Failure) return refuseFailure(c, error);
    // A sender that left in the middle of its own request is no fault of ours.
    if (c.req.raw.signal.aborted) return refuse(c, 400, "The request ended early.");
    library.log("error", "request failed", { id: randomUUID(), path: c.req.path, cause: error });
    return refuse(c, 500, "Internal error");
  });
  return app;
}

/** A page is served whether it can be counted or not: the home may be closing. */
function pageCounter(library: Library): (count: number) => void {
  const leaving: (() => void)[] = [];
  const note = async (): Promise<void> => {
    try {
      await library.house.db.writable();
      library.house.viewers.note(leaving.length);
    } catch (error) {
      library.log("debug", "pages could not be counted", { cause: error });
    }
  };
  return (count) => {
    while (leaving.length < count) leaving.push(library.clients.connect({ surface: "web" }));
    while (leaving.length > count) leaving.pop()?.();
    void note();
  };
}

const tooLarge = (c: Context): Response =>
  refuse(c, 413, `The body is larger than ${bodyLimit / 1024 / 1024} MB.`);

const counted = limitBody({ maxSize: bodyLimit, onError: tooLarge });

/** Node reads no further than a stated length, so only a body without one has to be counted. */
const limited: MiddlewareHandler = async (c, next) => {
  if (c.req.method === "GET" || c.req.method === "HEAD") return next();
  const length = c.req.header("content-length");
  if (length === undefined) return counted(c, next);
  return Number(length) > bodyLimit ? tooLarge(c) : next();
};

const traced =
  ({ log }: Library): MiddlewareHandler =>
  async (c, next) => {
    const started = performance.now();
    await next();
    log.trace("lectern:http", () => {
      const ms = Math.round((performance.now() - started) * 10) / 10;
      return `${c.req.method} ${c.req.path} ${c.res.status} ${ms} ms`;
    });
  };

/** The catalogue has compared its operations; here they meet the house's own routes. */
function refuseTwins(routes: readonly Route[]): void {
  const seen = new Set<string>();
  for (const { method, path } of routes) {
    const key = `${method} ${shapeOfPath(path)}`;
    if (seen.has(key) || path.text === "/mcp") throw new Error(`Two routes of one path: ${key}`);
    seen.add(key);
  }
}

function healthOf(library: Library): Health {
  const reason = library.problem();
  return reason === undefined
    ? { status: "healthy", model_loaded: library.hasModel() }
    : { status: "unhealthy", model_loaded: false, reason };
}
