import type { Context } from "hono";
import type { PathTemplate } from "./path-template.ts";

/** One row of the routing table: the house's own routes and every operation's. */
export interface Route {
  readonly method: Method;
  readonly path: PathTemplate;
  answer(c: Context): Response | Promise<Response>;
}

export type Method = "GET" | "POST" | "PUT" | "DELETE";
