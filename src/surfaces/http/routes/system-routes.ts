import type { App } from "../../../kernel/runtime/app.ts";
import { callerOf } from "../auth/caller.ts";
import type { LoginCodes } from "../auth/login-code.ts";
import type { LoginThrottle } from "../auth/login-throttle.ts";
import type { PageSessions } from "../auth/page-sessions.ts";
import { openApiDocument } from "../openapi/openapi.ts";
import { errorResponse } from "./error-response.ts";
import type { EventStreams } from "./event-stream.ts";
import { parsePath } from "./path-template.ts";
import type { Route } from "./route.ts";
import { type QuickChecks, systemStateOf } from "./system-state.ts";
import type { WebFiles } from "./web-files.ts";
import { logIn, servePage, welcome } from "./welcome.ts";

export interface Health {
  status: "healthy" | "unhealthy";
  model_loaded: boolean;
  /** Why it is unhealthy. */
  reason?: string;
}

interface SystemRouteOptions {
  app: App;
  pages: PageSessions;
  loginCodes: LoginCodes;
  throttle: LoginThrottle;
  web: WebFiles;
  events: EventStreams;
  health: () => Health | Promise<Health>;
  quickChecks: QuickChecks;
}

/** The routes that are not operations of a shelf. */
export function systemRoutes({
  app,
  pages,
  loginCodes,
  throttle,
  web,
  events,
  health,
  quickChecks,
}: SystemRouteOptions): Route[] {
  return [
    {
      method: "GET",
      path: parsePath("/"),
      answer: (c) => welcome(c, app, pages, web),
    },
    {
      method: "GET",
      path: parsePath("/index.html"),
      answer: (c) => servePage(c, app, pages, web),
    },
    {
      method: "GET",
      path: parsePath("/login"),
      answer: (c) => logIn(c, app, web, { pages, codes: loginCodes, guesses: throttle }),
    },
    {
      method: "GET",
      path: parsePath("/health"),
      async answer(c) {
        const { reason, ...state } = await health();
        // The reason may contain paths in the home, so only identified callers receive it.
        const showsReason = callerOf(c).kind !== "anyone" && reason !== undefined;
        const status = state.status === "healthy" ? 200 : 503;
        return c.json({ ...state, ...(showsReason && { reason }) }, status);
      },
    },
    // `/house` is the old name of `/system`, to be removed in the next version.
    ...["/system", "/house"].map(
      (path): Route => ({
        method: "GET",
        path: parsePath(path),
        answer: async (c) => c.json(await systemStateOf(app, quickChecks)),
      }),
    ),
    {
      method: "GET",
      path: parsePath("/openapi.json"),
      answer: (c) => c.json(openApiDocument(app)),
    },
    {
      method: "GET",
      path: parsePath("/events"),
      answer(c) {
        const headers = { "content-type": "text/event-stream", "cache-control": "no-cache" };
        // HEAD has no body, so a stream opened for it would never be cancelled.
        if (c.req.method === "HEAD") return c.body(null, 200, headers);
        const stream = events.open();
        if (stream) return c.body(stream, 200, headers);
        return errorResponse(c, 503, "Too many pages are open. Close one of them.", {
          "retry-after": "10",
        });
      },
    },
  ];
}
