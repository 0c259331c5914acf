import { randomUUID } from "node:crypto";
import { type Context, Hono, type MiddlewareHandler } from "hono";
import { bodyLimit as limitBody } from "hono/body-limit";
import { Failure } from "../../kernel/failure.ts";
import type { Library } from "../../kernel/library.ts";
import { type Events, makeEvents } from "./events.ts";
import { type Guarding, guard, securityHeaders } from "./guard.ts";
import { type Health, houseRoutes } from "./house-routes.ts";
import type { Finding } from "./house-state.ts";
import { bodyLimit } from "./json-body.ts";
import { pageRoute } from "./page-calls.ts";
import { makePageCredential } from "./page-credential.ts";
import { shapeOfPath } from "./path-template.ts";
import { refuse, refuseFailure } from "./refusal.ts";
import type { Route } from "./route.ts";
import { operationRoutes } from "./routes.ts";
import { toolRoutes } from "./tools.ts";
import { answerUnrouted } from "./unrouted.ts";
import { openWebFiles } from "./web-files.ts";

export interface AppOptions extends Guarding {
  library: Library;
  /** The MCP endpoint; `main` hands it in, since surfaces do not know one another. */
  mcp: (request: Request) => Promise<Response>;
  /** Handed in where somebody else wants to know how many pages are open. */
  events?: Events;
  health?: () => Health;
  /** Looks at the installation; `main` hands it in, as the doctor belongs to another surface. */
  examine?: () => readonly Finding[];
  /** The folder of the built web app. */
  web?: string | undefined;
}

/** The whole HTTP surface as one function from request to answer; nothing listens yet. */
export function makeApp({ library, mcp, web: folder, ...options }: AppOptions): Hono {
  const page = makePageCredential();
  const web = openWebFiles(folder);
  const routes: Route[] = [
    ...houseRoutes({
      library,
      page,
      web,
      events: options.events ?? makeEvents(library, { onPages: pageCounter(library) }),
      health: options.health ?? (() => healthOf(library)),
      examine: options.examine ?? (() => []),
    }),
    ...toolRoutes(library, page),
    pageRoute(library, page),
    ...operationRoutes(library, page),
  ];
  refuseTwins(routes);

  const app = new Hono();
  app.use(traced(library));
  app.use(securityHeaders);
  app.use(guard(options));
  app.use(limited);
  app.all("/mcp", (c) => mcp(c.req.raw));
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
  return (count) => {
    try {
      library.house.viewers.note(count);
    } catch (error) {
      library.log("debug", "pages could not be counted", { cause: error });
    }
    while (leaving.length < count) leaving.push(library.clients.connect({ surface: "web" }));
    while (leaving.length > count) leaving.pop()?.();
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
  const isReady = library.isReady();
  return {
    status: isReady ? "healthy" : "unhealthy",
    model_loaded: isReady && library.hasModel(),
  };
}
