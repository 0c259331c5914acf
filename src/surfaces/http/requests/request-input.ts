import type { Context } from "hono";
import type * as z from "zod";
import { describeUnknownKeys } from "../../../kernel/calls/perform.ts";
import { invalid } from "../../../kernel/failure.ts";
import type { PathTemplate } from "../routes/path-template.ts";
import { readJsonBody } from "./json-body.ts";
import type { KeySpelling } from "./key-spelling.ts";
import { valueFromStrings } from "./query-values.ts";

type Fields = Record<string, unknown>;

/** Reads the input of an operation from the path and from the body or query string. */
export async function readRequestInput(
  c: Context,
  path: PathTemplate,
  schema: z.ZodObject,
  spelling: KeySpelling,
): Promise<Fields> {
  const fields = takesBody(c.req.method)
    ? await fieldsOfBody(c, schema, spelling)
    : fieldsOfQuery(c, schema, spelling);
  assertKnownKeys(fields, Object.keys(schema.shape), spelling.key);
  const pathFields = fieldsOfPath(c, path, schema, spelling);
  for (const key of Object.keys(pathFields)) {
    if (!Object.hasOwn(fields, key)) continue;
    throw invalid(`'${spelling.key(key)}' is already part of the path. Remove it.`);
  }
  return { ...fields, ...pathFields };
}

export const takesBody = (method: string): boolean => method === "POST" || method === "PUT";

async function fieldsOfBody(
  c: Context,
  schema: z.ZodObject,
  spelling: KeySpelling,
): Promise<Fields> {
  if (new URL(c.req.url).search !== "") {
    throw invalid(`${c.req.method} takes its parameters as JSON in the body, not after a '?'.`);
  }
  return { ...Object(spelling.read(schema, await readJsonBody(c.req.raw))) };
}

function fieldsOfQuery(c: Context, schema: z.ZodObject, spelling: KeySpelling): Fields {
  if (Number(c.req.header("content-length") ?? 0) > 0) {
    throw invalid(`${c.req.method} takes its parameters after a '?', not in a body.`);
  }
  const { searchParams } = new URL(c.req.url);
  const texts = Object.fromEntries(
    [...new Set(searchParams.keys())].map((key) => [key, searchParams.getAll(key)]),
  );
  return convertFields(schema, spelling.read(schema, texts));
}

/** The router has already decoded the parameters. A path that cannot be decoded is rejected here. */
function fieldsOfPath(
  c: Context,
  path: PathTemplate,
  schema: z.ZodObject,
  spelling: KeySpelling,
): Fields {
  try {
    decodeURIComponent(new URL(c.req.url).pathname);
  } catch {
    throw invalid("The path has a '%' that is not percent-encoding. Write it as '%25'.");
  }
  const texts = Object.fromEntries(
    path.parameters.map((name) => [name, [c.req.param(name) ?? ""]]),
  );
  return convertFields(schema, spelling.read(schema, texts));
}

function convertFields(schema: z.ZodObject, texts: unknown): Fields {
  const entries = Object.entries(Object(texts)).map(([key, value]) => {
    const field = Object.hasOwn(schema.shape, key) ? schema.shape[key] : undefined;
    return [key, field && Array.isArray(value) ? valueFromStrings(field, value) : value];
  });
  return Object.fromEntries(entries);
}

/** Rejects unknown fields here, because the message names the known ones in the caller's spelling. */
export function assertKnownKeys(
  fields: object,
  known: readonly string[],
  spell = (key: string): string => key,
): void {
  const unknown = Object.keys(fields).filter((key) => !known.includes(key));
  if (unknown.length > 0) throw invalid(describeUnknownKeys(unknown, known.map(spell)));
}
