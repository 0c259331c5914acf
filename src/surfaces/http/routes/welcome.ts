import type { Context } from "hono";
import { accepts } from "hono/accepts";
import type { App } from "../../../kernel/runtime/app.ts";
import { escapeXml } from "../../../text/formats/xml-escape.ts";
import { callerOf, hasAgentCredential } from "../auth/caller.ts";
import type { LoginCodes } from "../auth/login-code.ts";
import type { LoginThrottle } from "../auth/login-throttle.ts";
import { type PageSessions, pageKeyName } from "../auth/page-sessions.ts";
import { errorResponse } from "./error-response.ts";
import type { WebFiles } from "./web-files.ts";

const description = "Serves and searches your documents for agents, programs and people.";

const endpoints = {
  mcp: "/mcp",
  tools: "/tools",
  openapi: "/openapi.json",
  events: "/events",
  health: "/health",
};

/** `GET /`: server information for a program, the web app for a browser. */
export async function welcome(
  c: Context,
  app: App,
  pages: PageSessions,
  web: WebFiles,
): Promise<Response> {
  c.header("vary", "accept");
  const wanted = accepts(c, {
    header: "Accept",
    supports: ["application/json", "text/html"],
    default: "application/json",
  });
  if (wanted === "text/html") return servePage(c, app, pages, web);
  const { name, title, version } = app.identity;
  const shelves = app.catalogue.shelves.map((shelf) => ({
    name: shelf.name,
    guide: shelf.guide,
  }));
  return c.json({ name, title, version, description, endpoints, shelves });
}

export async function servePage(
  c: Context,
  app: App,
  pages: PageSessions,
  web: WebFiles,
): Promise<Response> {
  const html = (await web.page()) ?? fallbackPage(app);
  // Our own user is identified by the connection; other users need a session from a login link.
  const mayOpen = callerOf(c).kind === "own" && !hasAgentCredential(c);
  return c.html(mayOpen ? withPageKey(html, pages.open(c)) : html);
}

/** `GET /login?code=…`: opens the web app with a one-time link. */
export async function logIn(
  c: Context,
  app: App,
  web: WebFiles,
  { pages, codes, guesses }: { pages: PageSessions; codes: LoginCodes; guesses: LoginThrottle },
): Promise<Response> {
  // A link preview (HEAD) must not consume the code.
  if (c.req.method === "HEAD") return c.body(null, 200);
  if (hasAgentCredential(c)) {
    return errorResponse(
      c,
      403,
      "Tokens are for programs. Open this link in a browser, without a token.",
    );
  }
  if (!codes.redeem(c.req.query("code") ?? "")) {
    guesses.recordFailure(callerOf(c).sender);
    return errorResponse(
      c,
      401,
      "This link was already used or has expired. Run 'lectern page-link' for a new one.",
    );
  }
  return c.html(withPageKey((await web.page()) ?? fallbackPage(app), pages.open(c)));
}

/** Inserts the page key before the title, which occurs exactly once in each page. */
const withPageKey = (html: string, key: string): string =>
  html.replace("<title>", `<meta name="${pageKeyName}" content="${key}"><title>`);

/** The page for a browser if the web app is not built. */
function fallbackPage({ identity, catalogue }: App): string {
  const links = Object.entries(endpoints).map(
    ([what, path]) => `<li>${what}: <a href="${path}"><code>${path}</code></a></li>`,
  );
  const shelves = catalogue.shelves.map(({ name }) => escapeXml(name)).join(", ");
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeXml(identity.title)}</title>
<style>
  :root { color-scheme: light dark; font-family: system-ui, sans-serif; line-height: 1.5 }
  body { max-width: 36rem; margin: 4rem auto; padding: 0 1rem }
</style>
<h1>${escapeXml(identity.title)} ${escapeXml(identity.version)}</h1>
<p>The server is running, without the web app. Endpoints for agents and programs:</p>
<ul>${links.join("")}</ul>
<p>Shelves: ${shelves}.</p>
</html>
`;
}
