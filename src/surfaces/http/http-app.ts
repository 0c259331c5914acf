import { randomUUID } from "node:crypto";
import { type Context, Hono, type MiddlewareHandler } from "hono";
import { bodyLimit as limitBody } from "hono/body-limit";
import { Failure } from "../../kernel/failure.ts";
import type { App } from "../../kernel/runtime/app.ts";
import { callerOf, connectionInfoOf } from "./auth/caller.ts";
import type { Credentials } from "./auth/credentials.ts";
import { guard, securityHeaders } from "./auth/guard.ts";
import type { LoginCodes } from "./auth/login-code.ts";
import { createLoginThrottle } from "./auth/login-throttle.ts";
import { createOwnHosts, type OwnHostOptions } from "./auth/own-hosts.ts";
import { createPageSessions } from "./auth/page-sessions.ts";
import { maxBodyBytes } from "./requests/json-body.ts";
import { errorResponse, failureResponse } from "./routes/error-response.ts";
import { createEventStreams, type EventStreams } from "./routes/event-stream.ts";
import { operationRoutes } from "./routes/operation-routes.ts";
import { pageRoute } from "./routes/page-route.ts";
import { shapeOfPath } from "./routes/path-template.ts";
import type { Route } from "./routes/route.ts";
import { type Health, systemRoutes } from "./routes/system-routes.ts";
import type { QuickChecks } from "./routes/system-state.ts";
import { toolRoutes } from "./routes/tool-routes.ts";
import { answerUnmatched } from "./routes/unmatched.ts";
import { loadWebFiles } from "./routes/web-files.ts";

export interface HttpAppOptions extends Credentials, OwnHostOptions {
  app: App;
  /** The MCP endpoint, injected because surfaces must not import each other. */
  mcp: (request: Request, peer: string, sender: string) => Promise<Response>;
  /** Injected if the caller needs the number of open pages. */
  events?: EventStreams;
  health?: () => Health | Promise<Health>;
  /** The doctor's quick checks, injected because surfaces must not import each other. */
  quickChecks?: QuickChecks;
  /** Redeems one-time login links; without it there are none. */
  loginCodes?: LoginCodes;
  /** The folder of the built web app. */
  web?: string | undefined;
}

/** Builds the HTTP surface as a function from request to response. It does not listen yet. */
export function createHttpApp({ app, mcp, web: folder, ...options }: HttpAppOptions): Hono {
  const { token, secret, boundHosts, proxyHosts } = options;
  const hosts = createOwnHosts(token ? { boundHosts, proxyHosts } : {});
  const pages = createPageSessions(hosts);
  const throttle = createLoginThrottle();
  const web = loadWebFiles(folder);
  const routes: Route[] = [
    ...systemRoutes({
      app,
      pages,
      loginCodes: options.loginCodes ?? { redeem: () => false },
      throttle,
      web,
      events: options.events ?? createEventStreams(app, { onPages: trackOpenPages(app) }),
      health: options.health ?? (() => healthOf(app)),
      quickChecks: options.quickChecks ?? (() => []),
    }),
    ...toolRoutes(app, pages),
    pageRoute(app, pages),
    ...operationRoutes(app, pages),
  ];
  assertUniqueRoutes(routes);

  const server = new Hono();
  server.use(traceRequests(app));
  server.use(securityHeaders);
  server.use(guard({ token, secret, hosts, pages, throttle, web }));
  server.use(limitRequestBody);
  server.all("/mcp", (c) => mcp(c.req.raw, connectionInfoOf(c).connectionId, callerOf(c).sender));
  for (const { method, path, answer } of routes) server.on(method, path.pattern, answer);
  server.notFound((c) => answerUnmatched(c, routes, web));
  server.onError((error, c) => {
    if (error instanceof Failure) return failureResponse(c, error);
    // A client that disconnects while sending its request is not a server error.
    if (c.req.raw.signal.aborted) return errorResponse(c, 400, "The request ended early.");
    app.log("error", "request failed", { id: randomUUID(), path: c.req.path, cause: error });
    return errorResponse(c, 500, "Internal error");
  });
  return server;
}

/** Records the number of open pages. Errors are only logged: the home may be closing. */
function trackOpenPages(app: App): (count: number) => void {
  const disconnects: (() => void)[] = [];
  const report = async (): Promise<void> => {
    try {
      await app.prepare();
      const { store, viewers } = app.runtime;
      await store.waitUntilWritable();
      await store.run(viewers.reportPages(disconnects.length));
    } catch (error) {
      app.log("debug", "pages could not be counted", { cause: error });
    }
  };
  return (count) => {
    while (disconnects.length < count)
      disconnects.push(app.clientRegistry.connect({ surface: "web" }));
    while (disconnects.length > count) disconnects.pop()?.();
    void report();
  };
}

const tooLarge = (c: Context): Response =>
  errorResponse(c, 413, `The body is larger than ${maxBodyBytes / 1024 / 1024} MB.`);

const limitUnsizedBody = limitBody({ maxSize: maxBodyBytes, onError: tooLarge });

/** Node enforces Content-Length, so only a body without one needs to be counted. */
const limitRequestBody: MiddlewareHandler = async (c, next) => {
  if (c.req.method === "GET" || c.req.method === "HEAD") return next();
  const length = c.req.header("content-length");
  if (length === undefined) return limitUnsizedBody(c, next);
  return Number(length) > maxBodyBytes ? tooLarge(c) : next();
};

const traceRequests =
  ({ log }: App): MiddlewareHandler =>
  async (c, next) => {
    const started = performance.now();
    await next();
    log.trace("lectern:http", () => {
      const ms = Math.round((performance.now() - started) * 10) / 10;
      return `${c.req.method} ${c.req.path} ${c.res.status} ${ms} ms`;
    });
  };

/** The catalogue checks only operations; this also covers the system routes. */
function assertUniqueRoutes(routes: readonly Route[]): void {
  const seen = new Set<string>();
  for (const { method, path } of routes) {
    const key = `${method} ${shapeOfPath(path)}`;
    if (seen.has(key) || path.text === "/mcp")
      throw new Error(`Two routes have the same path: ${key}`);
    seen.add(key);
  }
}

async function healthOf(app: App): Promise<Health> {
  const reason = await app.problem();
  return reason === undefined
    ? { status: "healthy", model_loaded: app.hasModel() }
    : { status: "unhealthy", model_loaded: false, reason };
}
