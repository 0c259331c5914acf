import type { Context } from "hono";
import type { Block } from "../../kernel/block.ts";
import type { Entry } from "../../kernel/catalogue.ts";
import { Failure } from "../../kernel/failure.ts";
import type { Library } from "../../kernel/library.ts";
import { callFor } from "./calling.ts";
import { asDeclared, type Spelling, snakeCase } from "./casing.ts";
import type { PageSessions } from "./page-sessions.ts";
import { type PathTemplate, parsePath } from "./path-template.ts";
import { refuse, refuseFailure } from "./refusal.ts";
import { readInput } from "./request-input.ts";
import type { Method, Route } from "./route.ts";

/** Every operation that has a route, as one: it answers its output, or `{detail, status_code}`. */
export function operationRoutes(library: Library, pages: PageSessions): Route[] {
  const { entries, withheld } = library.catalogue;
  const served = entries.flatMap((entry): Route[] => {
    const place = placeOf(entry);
    return place ? [{ ...place, answer: (c) => answer(c, library, pages, entry, place.path) }] : [];
  });
  const refused = withheld.flatMap((entry): Route[] => {
    const place = placeOf(entry);
    return place ? [{ ...place, answer: async (c) => refuseFailure(c, readOnly(entry)) }] : [];
  });
  return [...served, ...refused];
}

const readOnly = ({ operation }: Entry): Failure =>
  new Failure("forbidden", "read-only", `${operation.name} writes, and --read-only is on.`, {
    hints: ["Start the server without it to write."],
  });

/** Where an operation stands on this surface. A definition that breaks a rule fails the start. */
export function placeOf({
  operation,
  shelf,
}: Entry): { method: Method; path: PathTemplate } | undefined {
  const { http } = operation.expose;
  if (!http) return undefined;
  // The type of `http` promises a method, a space and a path.
  const [method, text] = http.split(" ") as [Method, string];
  if (method === "GET" && operation.effect !== "reads") {
    throw new Error(`${operation.name} ${operation.effect}, so its route must not be a GET.`);
  }
  const path = parsePath(text);
  const spelling = spellingOf({ operation, shelf });
  const known = Object.keys(operation.input.shape).flatMap((key) => [key, spelling.key(key)]);
  for (const name of path.parameters) {
    if (!known.includes(name)) throw new Error(`${operation.name} has no input '${name}'.`);
  }
  return { method, path };
}

export const spellingOf = ({ shelf }: Entry): Spelling =>
  shelf.dialect === "qmd" ? snakeCase : asDeclared;

/** The search shelf's founding document puts the words for a reader beside the data. */
export const carriesContent = ({ operation, shelf }: Entry): boolean =>
  shelf.dialect === "qmd" && operation.present !== undefined;

async function answer(
  c: Context,
  library: Library,
  pages: PageSessions,
  entry: Entry,
  path: PathTemplate,
): Promise<Response> {
  const { operation } = entry;
  if (operation.effect === "decides" && !pages.isShownBy(c)) {
    return refuse(c, 403, "Only a person decides this, in the web app. Load its page anew.");
  }
  const spelling = spellingOf(entry);
  const ending = await readInput(c, path, operation.input, spelling).then(
    (input) => callFor(c, library, pages, entry, input),
    asEnding,
  );
  if (!ending.ok) {
    return refuseFailure(c, respelled(ending.failure, operation.input.shape, spelling));
  }
  const output = { ...Object(spelling.write(operation.output, ending.output)) };
  if (!carriesContent(entry)) return c.json(output);
  // Where the output is the content itself, nothing is said twice.
  if (operation.expose.mcp === "content") return c.json({ ...output, content: null });
  const blocks = operation.present?.(ending.output, ending.input, "program") ?? [];
  return c.json({ ...output, content: wordsOf(blocks) });
}

/** Bad input is an ending like any other; what nobody foresaw goes on to the app's own catch. */
export function asEnding(error: unknown): { ok: false; failure: Failure } {
  if (error instanceof Failure) return { ok: false, failure: error };
  throw error;
}

/** A parameter that the schema complains of is named as this surface spells it. */
function respelled(failure: Failure, shape: object, spelling: Spelling): Failure {
  if (failure.code !== "invalid-argument") return failure;
  const message = Object.keys(shape).reduce(
    (words, key) => words.replaceAll(`parameter '${key}'`, `parameter '${spelling.key(key)}'`),
    failure.message,
  );
  return new Failure(failure.kind, failure.code, message, { hints: failure.hints });
}

function wordsOf(blocks: readonly Block[]): string | null {
  const words = blocks.map((block) => (block.type === "text" ? block.text : undefined));
  return words.includes(undefined) ? null : words.join("\n");
}
