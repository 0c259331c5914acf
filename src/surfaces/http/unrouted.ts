import type { Context } from "hono";
import { nearest } from "../../text/similar-names.ts";
import { refuse } from "./refusal.ts";
import type { Route } from "./route.ts";
import type { WebFiles } from "./web-files.ts";

/** What no route took: a file of the web app, a known path by a wrong method, or nothing at all. */
export async function answerUnrouted(
  c: Context,
  routes: readonly Route[],
  web: WebFiles,
): Promise<Response> {
  const { path, method } = c.req;
  const allowed = web.has(path)
    ? ["GET"]
    : routes.filter((route) => route.path.fits(path)).map((route) => route.method);
  if (allowed.length === 0) return refuse(c, 404, unknownRoute(method, path, routes));
  if (web.has(path) && (method === "GET" || method === "HEAD")) {
    return (
      (await web.answer(c, path)) ?? refuse(c, 404, "The file is gone. Start the server again.")
    );
  }
  const allow = [...allowed, ...(allowed.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ");
  if (method === "OPTIONS") return c.body(null, 204, { allow });
  return refuse(c, 405, `${method} is not allowed here. Use ${allowed.join(" or ")}.`, { allow });
}

function unknownRoute(method: string, path: string, routes: readonly Route[]): string {
  const shown = path.slice(0, 200);
  const texts = [...new Set(routes.map((route) => route.path.text))];
  const [guess] = nearest(shown, texts);
  const [like] = routes.filter((route) => route.path.text === guess);
  const remedy = like
    ? `Did you mean '${like.method} ${like.path.text}'?`
    : "GET /openapi.json lists all routes.";
  return `No route '${method} ${shown}'.\n${remedy}`;
}
