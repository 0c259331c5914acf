import type { Context } from "hono";
import { Failure } from "../../../kernel/failure.ts";
import type { CatalogueEntry } from "../../../kernel/operations/catalogue.ts";
import type { OutputBlock } from "../../../kernel/operations/output-block.ts";
import type { App } from "../../../kernel/runtime/app.ts";
import type { PageSessions } from "../auth/page-sessions.ts";
import { declaredKeys, type KeySpelling, snakeCaseKeys } from "../requests/key-spelling.ts";
import { readRequestInput } from "../requests/request-input.ts";
import { errorResponse, failureResponse } from "./error-response.ts";
import { callForRequest } from "./operation-call.ts";
import { type PathTemplate, parsePath } from "./path-template.ts";
import type { Method, Route } from "./route.ts";

/** The routes of operations. They return the output, or `{detail, status_code}` on an error. */
export function operationRoutes(app: App, pages: PageSessions): Route[] {
  const { entries, withheld } = app.catalogue;
  const served = entries.flatMap((entry): Route[] => {
    const route = routeOf(entry);
    return route
      ? [{ ...route, answer: (c) => answerOperation(c, app, pages, entry, route.path) }]
      : [];
  });
  const refused = withheld.flatMap((entry): Route[] => {
    const route = routeOf(entry);
    return route
      ? [{ ...route, answer: async (c) => failureResponse(c, readOnlyFailure(entry)) }]
      : [];
  });
  return [...served, ...refused];
}

const readOnlyFailure = ({ operation }: CatalogueEntry): Failure =>
  new Failure("forbidden", "read-only", `${operation.name} writes, and --read-only is on.`, {
    hints: ["Restart the server without --read-only."],
  });

/** The route of an operation. Throws at startup if its definition is invalid. */
export function routeOf({
  operation,
  shelf,
}: CatalogueEntry): { method: Method; path: PathTemplate } | undefined {
  const { http } = operation.expose;
  if (!http) return undefined;
  // The type of `http` promises a method, a space and a path.
  const [method, text] = http.split(" ") as [Method, string];
  if (method === "GET" && operation.effect !== "reads") {
    throw new Error(`${operation.name} ${operation.effect}, so its route must not be a GET.`);
  }
  const path = parsePath(text);
  const spelling = keySpellingOf({ operation, shelf });
  const known = Object.keys(operation.input.shape).flatMap((key) => [key, spelling.key(key)]);
  for (const name of path.parameters) {
    if (!known.includes(name)) throw new Error(`${operation.name} has no input '${name}'.`);
  }
  return { method, path };
}

export const keySpellingOf = ({ shelf }: CatalogueEntry): KeySpelling =>
  shelf.dialect === "qmd" ? snakeCaseKeys : declaredKeys;

/** The founding document of the search shelf returns readable text in addition to the data. */
export const hasTextContent = ({ operation, shelf }: CatalogueEntry): boolean =>
  shelf.dialect === "qmd" &&
  operation.present !== undefined &&
  operation.output.meta()?.content !== false;

async function answerOperation(
  c: Context,
  app: App,
  pages: PageSessions,
  entry: CatalogueEntry,
  path: PathTemplate,
): Promise<Response> {
  const { operation } = entry;
  if (operation.effect === "decides" && !pages.isFromPage(c)) {
    return errorResponse(c, 403, "Only a person may decide this, in the web app. Reload its page.");
  }
  const spelling = keySpellingOf(entry);
  const result = await readRequestInput(c, path, operation.input, spelling).then(
    (input) => callForRequest(c, app, pages, entry, input),
    toCallResult,
  );
  if (!result.ok) {
    return failureResponse(c, withSpelledKeys(result.failure, operation.input.shape, spelling));
  }
  const output = { ...Object(spelling.write(operation.output, result.output)) };
  if (!hasTextContent(entry)) return c.json(output);
  // If the output is the content itself, it is not repeated.
  if (operation.expose.mcp === "content") return c.json({ ...output, content: null });
  const blocks = operation.present?.(result.output, result.input, "program") ?? [];
  return c.json({ ...output, content: textOfBlocks(blocks) });
}

/** Turns a Failure into a result; other errors are rethrown to the app's error handler. */
export function toCallResult(error: unknown): { ok: false; failure: Failure } {
  if (error instanceof Failure) return { ok: false, failure: error };
  throw error;
}

/** Changes parameter names in validation errors to the spelling of this surface. */
function withSpelledKeys(failure: Failure, shape: object, spelling: KeySpelling): Failure {
  if (failure.code !== "invalid-argument") return failure;
  const message = Object.keys(shape).reduce(
    (message, key) => message.replaceAll(`parameter '${key}'`, `parameter '${spelling.key(key)}'`),
    failure.message,
  );
  return new Failure(failure.kind, failure.code, message, { hints: failure.hints });
}

function textOfBlocks(blocks: readonly OutputBlock[]): string | null {
  const texts = blocks.map((block) => (block.type === "text" ? block.text : undefined));
  return texts.includes(undefined) ? null : texts.join("\n");
}
