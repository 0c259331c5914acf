import type { Context } from "hono";
import { accepts } from "hono/accepts";
import type { Library } from "../../kernel/library.ts";
import { inMarkup } from "../../text/markup.ts";
import { callerOf, showsAgentCredential } from "./caller.ts";
import type { Guesses } from "./guesses.ts";
import type { LoginCodes } from "./login-code.ts";
import { keyName, type PageSessions } from "./page-sessions.ts";
import { refuse } from "./refusal.ts";
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
  pages: PageSessions,
  web: WebFiles,
): Promise<Response> {
  c.header("vary", "accept");
  const wanted = accepts(c, {
    header: "Accept",
    supports: ["application/json", "text/html"],
    default: "application/json",
  });
  if (wanted === "text/html") return answerPage(c, library, pages, web);
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
  pages: PageSessions,
  web: WebFiles,
): Promise<Response> {
  const html = (await web.page()) ?? plainPage(library);
  // The same user is known by the connection; anybody else has begun a session by a link.
  const mayOpen = callerOf(c).kind === "own" && !showsAgentCredential(c);
  return c.html(mayOpen ? withKey(html, pages.open(c)) : html);
}

/** `GET /login?code=…`: a person opens the page by a link that holds once. */
export async function logIn(
  c: Context,
  library: Library,
  web: WebFiles,
  { pages, codes, guesses }: { pages: PageSessions; codes: LoginCodes; guesses: Guesses },
): Promise<Response> {
  // Whoever only looks at what a link is must not use it up.
  if (c.req.method === "HEAD") return c.body(null, 200);
  if (showsAgentCredential(c)) {
    return refuse(c, 403, "A token is for programs: open this link in a browser, without it.");
  }
  if (!codes.redeem(c.req.query("code") ?? "")) {
    guesses.note(callerOf(c).sender);
    return refuse(c, 401, "This link was used or is too old. 'lectern page-link' prints another.");
  }
  return c.html(withKey((await web.page()) ?? plainPage(library), pages.open(c)));
}

/** Each page begins with a title, and only there does it have one. */
const withKey = (html: string, key: string): string =>
  html.replace("<title>", `<meta name="${keyName}" content="${key}"><title>`);

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
