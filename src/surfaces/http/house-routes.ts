import type { Library } from "../../kernel/library.ts";
import { callerOf } from "./caller.ts";
import type { Events } from "./events.ts";
import type { Guesses } from "./guesses.ts";
import { type Finding, houseState } from "./house-state.ts";
import type { LoginCodes } from "./login-code.ts";
import { openApi } from "./openapi.ts";
import type { PageSessions } from "./page-sessions.ts";
import { parsePath } from "./path-template.ts";
import { refuse } from "./refusal.ts";
import type { Route } from "./route.ts";
import type { WebFiles } from "./web-files.ts";
import { answerPage, logIn, welcome } from "./welcome.ts";

export interface Health {
  status: "healthy" | "unhealthy";
  model_loaded: boolean;
  /** Why it is unhealthy. */
  reason?: string;
}

interface Parts {
  library: Library;
  pages: PageSessions;
  codes: LoginCodes;
  guesses: Guesses;
  web: WebFiles;
  events: Events;
  health: () => Health;
  examine: () => readonly Finding[];
}

/** The routes that belong to no shelf. */
export function houseRoutes({
  library,
  pages,
  codes,
  guesses,
  web,
  events,
  health,
  examine,
}: Parts): Route[] {
  return [
    {
      method: "GET",
      path: parsePath("/"),
      answer: (c) => welcome(c, library, pages, web),
    },
    {
      method: "GET",
      path: parsePath("/index.html"),
      answer: (c) => answerPage(c, library, pages, web),
    },
    {
      method: "GET",
      path: parsePath("/login"),
      answer: (c) => logIn(c, library, web, { pages, codes, guesses }),
    },
    {
      method: "GET",
      path: parsePath("/health"),
      answer(c) {
        const { reason, ...state } = health();
        // Why we are ill may name what lies in the home; that is told to those who are known.
        const isKnown = callerOf(c).kind !== "anyone" && reason !== undefined;
        const status = state.status === "healthy" ? 200 : 503;
        return c.json({ ...state, ...(isKnown && { reason }) }, status);
      },
    },
    {
      method: "GET",
      path: parsePath("/house"),
      answer: (c) => c.json(houseState(library, examine)),
    },
    {
      method: "GET",
      path: parsePath("/openapi.json"),
      answer: (c) => c.json(openApi(library)),
    },
    {
      method: "GET",
      path: parsePath("/events"),
      answer(c) {
        const headers = { "content-type": "text/event-stream", "cache-control": "no-cache" };
        // A stream that nobody reads would never be cancelled, and HEAD reads none.
        if (c.req.method === "HEAD") return c.body(null, 200, headers);
        const stream = events.open();
        if (stream) return c.body(stream, 200, headers);
        return refuse(c, 503, "Too many pages listen already. Close one.", { "retry-after": "10" });
      },
    },
  ];
}
