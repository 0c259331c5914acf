import type { Context } from "hono";
import { similarNames } from "../../../text/strings/similar-names.ts";
import { errorResponse } from "./error-response.ts";
import type { Route } from "./route.ts";
import type { WebFiles } from "./web-files.ts";

/** Answers requests that match no route: a file of the web app, a wrong method or an unknown path. */
export async function answerUnmatched(
  c: Context,
  routes: readonly Route[],
  web: WebFiles,
): Promise<Response> {
  const { path, method } = c.req;
  const allowed = web.has(path)
    ? ["GET"]
    : routes.filter((route) => route.path.matches(path)).map((route) => route.method);
  if (allowed.length === 0) return errorResponse(c, 404, unknownRoute(method, path, routes));
  if (web.has(path) && (method === "GET" || method === "HEAD")) {
    return (
      (await web.answer(c, path)) ??
      errorResponse(c, 404, "The file no longer exists. Restart the server.")
    );
  }
  const allow = [...allowed, ...(allowed.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ");
  if (method === "OPTIONS") return c.body(null, 204, { allow });
  return errorResponse(c, 405, `${method} is not allowed here. Use ${allowed.join(" or ")}.`, {
    allow,
  });
}

function unknownRoute(method: string, path: string, routes: readonly Route[]): string {
  const shown = path.slice(0, 200);
  const texts = [...new Set(routes.map((route) => route.path.text))];
  const [guess] = similarNames(shown, texts);
  const similar = routes.find((route) => route.path.text === guess);
  const remedy = similar
    ? `Did you mean '${similar.method} ${similar.path.text}'?`
    : "GET /openapi.json lists all routes.";
  return `No route '${method} ${shown}'.\n${remedy}`;
}
