import { type IncomingMessage, type RequestOptions, request } from "node:http";
import type { Entry } from "../kernel/catalogue.ts";
import { Failure, type FailureKind, failureKinds } from "../kernel/failure.ts";
import { usualPort } from "../surfaces/cli/answer-flags.ts";
import type { AskedServer, CommandLine } from "../surfaces/cli/run-command-line.ts";
import { statusOf } from "../surfaces/http/refusal.ts";
import { takesBody } from "../surfaces/http/request-input.ts";
import { placeOf, spellingOf } from "../surfaces/http/routes.ts";
import { parsedJson } from "../text/json-value.ts";
import { tokenFrom } from "./token.ts";

/**
 * Has an operation done by a running server, over the route that programs use. The answer is the
 * operation's own output again, so that it is printed as if it had been done here.
 */
export const askServer: NonNullable<CommandLine["askServer"]> = async (
  entry,
  input,
  server,
  { signal },
) => {
  const { operation } = entry;
  const answer = await send(requestFor(entry, input, server), signal).catch((error: unknown) => {
    if (!signal?.aborted) throw noServer(server, error);
  });
  if (!answer) {
    return { ok: false, failure: new Failure("unavailable", "cancelled", "It was cancelled.") };
  }
  if (answer.status === 200) {
    const respelled = spellingOf(entry).read(operation.output, answer.body);
    const output = operation.output.safeParse(respelled);
    if (output.success) {
      return { ok: true, value: output.data, input: operation.input.parse(input) };
    }
  }
  if (answer.status === 401) throw tokenNeeded(server);
  const detail = detailOf(answer.body);
  const kind = failureKinds.find((known) => statusOf[known] === answer.status);
  if (detail === undefined || kind === undefined) throw stranger(server);
  return { ok: false, failure: asFailure(kind, detail) };
};

function requestFor(
  entry: Entry,
  input: Record<string, unknown>,
  { port, program, env }: AskedServer,
): RequestOptions & { body: string | undefined } {
  const place = placeOf(entry);
  if (!place) throw new Error(`${entry.operation.name} has no route.`);
  const { method } = place;
  const { path, rest } = filledPath(place.path.text, input, spellingOf(entry).key);
  const token = tokenFrom(env);
  const hasBody = takesBody(method);
  return {
    host: "127.0.0.1",
    port,
    method,
    path: hasBody ? path : withQuery(path, rest),
    headers: {
      "user-agent": program,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(hasBody && { "content-type": "application/json" }),
    },
    agent: false,
    body: hasBody ? JSON.stringify(rest) : undefined,
  };
}

/** The path with the fields that it names; the others go into the body or behind a `?`. */
function filledPath(
  template: string,
  input: Readonly<Record<string, unknown>>,
  spelled: (key: string) => string,
) {
  const rest = { ...input };
  const path = template.replace(/\{(\w+)\+?\}/g, (_whole, name: string) => {
    const key = Object.keys(rest).find((known) => known === name || spelled(known) === name) ?? "";
    const value = encodeURIComponent(String(rest[key]).toWellFormed());
    delete rest[key];
    return value;
  });
  return { path, rest };
}

function withQuery(path: string, fields: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(fields)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      query.append(key, typeof one === "object" ? JSON.stringify(one) : String(one));
    }
  }
  return query.size > 0 ? `${path}?${query}` : path;
}

/** `node:http` is ready sooner than `fetch`, which counts for a command that ends at once. */
async function send(
  { body, ...options }: ReturnType<typeof requestFor>,
  signal: AbortSignal | undefined,
): Promise<{ status: number | undefined; body: unknown }> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request({ ...options, signal }, resolve)
      .on("error", reject)
      .end(body);
  });
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return { status: response.statusCode, body: parsedJson(Buffer.concat(chunks).toString("utf8")) };
}

function detailOf(body: unknown): string | undefined {
  const isRefusal = typeof body === "object" && body !== null && "detail" in body;
  return isRefusal && typeof body.detail === "string" ? body.detail : undefined;
}

/** A route sends a failure's explanation as one text, whose first line is the message. */
function asFailure(kind: FailureKind, detail: string): Failure {
  const [message = "", ...hints] = detail.split("\n");
  return new Failure(kind, usualCodes[kind] ?? kind, message, { hints });
}

/** The word of a failure does not travel on a route; most kinds are called by their own. */
const usualCodes: Partial<Record<FailureKind, string>> = {
  invalid: "invalid-argument",
  internal: "internal-error",
};

function noServer({ port, program }: AskedServer, cause: unknown): Failure {
  const start = `${program} serve${port === usualPort ? "" : ` --port ${port}`}`;
  return new Failure("unavailable", "no-server", `No server answers on port ${port}.`, {
    hints: [`Start one with '${start}', or leave out --mode server.`],
    cause,
  });
}

const tokenNeeded = ({ port }: AskedServer): Failure =>
  new Failure("forbidden", "token-needed", `The server on port ${port} asks for a token.`, {
    hints: ["Set LECTERN_TOKEN to the one that it was started with."],
  });

const stranger = ({ port, program }: AskedServer): Failure =>
  new Failure("unavailable", "foreign-server", `What answers on port ${port} is another program.`, {
    hints: [`Name the port of '${program} serve' with --port; both must be of the same version.`],
  });
