import type { Context } from "hono";
import { accepts } from "hono/accepts";
import type { Library } from "../../kernel/library.ts";
import { inMarkup } from "../../text/markup.ts";
import type { PageCredential } from "./page-credential.ts";
import type { WebFiles } from "./web-files.ts";

const description = "Puts your documents in front of agents, programs and people.";

const endpoints = {
  mcp: "/mcp",
  tools: "/tools",
  openapi: "/openapi.json",
  events: "/events",
  health: "/health",
};

/** `GET /`: who we are and where things are, for a program as data and for a browser as the web app. */
export async function welcome(
  c: Context,
  library: Library,
  page: PageCredential,
  web: WebFiles,
): Promise<Response> {
  c.header("vary", "accept");
  const wanted = accepts(c, {
    header: "Accept",
    supports: ["application/json", "text/html"],
    default: "application/json",
  });
  if (wanted === "text/html") return answerPage(c, library, page, web);
  const { name, title, version } = library.identity;
  const shelves = library.catalogue.shelves.map((shelf) => ({
    name: shelf.name,
    guide: shelf.guide,
  }));
  return c.json({ name, title, version, description, endpoints, shelves });
}

export async function answerPage(
  c: Context,
  library: Library,
  page: PageCredential,
  web: WebFiles,
): Promise<Response> {
  page.giveTo(c);
  return c.html((await web.page()) ?? plainPage(library));
}

/** What a browser sees where the web app is not built. */
function plainPage({ identity, catalogue }: Library): string {
  const places = Object.entries(endpoints).map(
    ([what, path]) => `<li>${what}: <a href="${path}"><code>${path}</code></a></li>`,
  );
  const shelves = catalogue.shelves.map(({ name }) => inMarkup(name)).join(", ");
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${inMarkup(identity.title)}</title>
<style>
  :root { color-scheme: light dark; font-family: system-ui, sans-serif; line-height: 1.5 }
  body { max-width: 36rem; margin: 4rem auto; padding: 0 1rem }
</style>
<h1>${inMarkup(identity.title)} ${inMarkup(identity.version)}</h1>
<p>The server runs. Its web app is not part of this build; agents and programs are served here:</p>
<ul>${places.join("")}</ul>
<p>Shelves: ${shelves}.</p>
</html>
`;
}
