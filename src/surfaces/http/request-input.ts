import type { Context } from "hono";
import type * as z from "zod";
import { invalid } from "../../kernel/failure.ts";
import { nearest } from "../../text/similar-names.ts";
import type { Spelling } from "./casing.ts";
import { readJsonBody } from "./json-body.ts";
import type { PathTemplate } from "./path-template.ts";
import { fromTexts } from "./query.ts";

type Fields = Record<string, unknown>;

/** What a request asks of an operation: the fields of its path, and of its body or query string. */
export async function readInput(
  c: Context,
  path: PathTemplate,
  schema: z.ZodObject,
  spelling: Spelling,
): Promise<Fields> {
  const beside = takesBody(c.req.method)
    ? await fieldsOfBody(c, schema, spelling)
    : fieldsOfQuery(c, schema, spelling);
  refuseUnknown(beside, Object.keys(schema.shape), spelling);
  const within = fieldsOfPath(c, path, schema, spelling);
  for (const key of Object.keys(within)) {
    if (!Object.hasOwn(beside, key)) continue;
    throw invalid(`'${spelling.key(key)}' is given by the path already. Give it once.`);
  }
  return { ...beside, ...within };
}

export const takesBody = (method: string): boolean => method === "POST" || method === "PUT";

async function fieldsOfBody(c: Context, schema: z.ZodObject, spelling: Spelling): Promise<Fields> {
  if (new URL(c.req.url).search !== "") {
    throw invalid(`${c.req.method} takes its parameters as JSON in the body, not after a '?'.`);
  }
  return { ...Object(spelling.read(schema, await readJsonBody(c.req.raw))) };
}

function fieldsOfQuery(c: Context, schema: z.ZodObject, spelling: Spelling): Fields {
  if (Number(c.req.header("content-length") ?? 0) > 0) {
    throw invalid(`${c.req.method} takes its parameters after a '?', not in a body.`);
  }
  const { searchParams } = new URL(c.req.url);
  const texts = Object.fromEntries(
    [...new Set(searchParams.keys())].map((key) => [key, searchParams.getAll(key)]),
  );
  return withMeaning(schema, spelling.read(schema, texts));
}

/** The router has decoded each parameter once; here it is only refused where that was impossible. */
function fieldsOfPath(
  c: Context,
  path: PathTemplate,
  schema: z.ZodObject,
  spelling: Spelling,
): Fields {
  try {
    decodeURIComponent(new URL(c.req.url).pathname);
  } catch {
    throw invalid("The path has a '%' that is not percent-encoding. Write it as '%25'.");
  }
  const texts = Object.fromEntries(
    path.parameters.map((name) => [name, [c.req.param(name) ?? ""]]),
  );
  return withMeaning(schema, spelling.read(schema, texts));
}

function withMeaning(schema: z.ZodObject, texts: unknown): Fields {
  const entries = Object.entries(Object(texts)).map(([key, given]) => {
    const field = Object.hasOwn(schema.shape, key) ? schema.shape[key] : undefined;
    return [key, field && Array.isArray(given) ? fromTexts(field, given) : given];
  });
  return Object.fromEntries(entries);
}

/** A typing error is never a silent default: an unknown field is refused with the nearest one. */
export function refuseUnknown(given: object, known: readonly string[], spelling: Spelling): void {
  const names = known.map((key) => spelling.key(key));
  for (const key of Object.keys(given)) {
    if (known.includes(key)) continue;
    const shown = key.slice(0, 80);
    const guess = nearest(shown, names)[0];
    throw invalid(`Unknown parameter '${shown}'.`, [
      ...(guess ? [`Did you mean '${guess}'?`] : []),
      names.length > 0 ? `Known are ${names.join(", ")}.` : "None is taken.",
    ]);
  }
}
