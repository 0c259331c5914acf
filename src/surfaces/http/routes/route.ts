import type { Context } from "hono";
import type { PathTemplate } from "./path-template.ts";

/** A row of the routing table, which has the system routes and those of all operations. */
export interface Route {
  readonly method: Method;
  readonly path: PathTemplate;
  answer(c: Context): Response | Promise<Response>;
}

export type Method = "GET" | "POST" | "PUT" | "DELETE";
