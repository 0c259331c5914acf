import { existsSync } from "node:fs";
import { type IncomingMessage, type RequestOptions, request as sendRequest } from "node:http";
import type { Entry } from "../kernel/catalogue.ts";
import { Failure, type FailureKind, failureKinds } from "../kernel/failure.ts";
import { filesOf } from "../kernel/settings.ts";
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
  const request = requestFor(entry, input, server);
  const ask = (asked: Asked) =>
    send(asked, signal).catch((error: unknown) => {
      if (!signal?.aborted) throw noServer(server, error);
    });
  let answer = await ask(request);
  const opened = answer?.status === 401 ? await withSecret(request, server) : undefined;
  if (opened) answer = await ask(opened);
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

type Asked = Omit<RequestOptions, "headers"> & {
  headers: Record<string, string>;
  body: string | undefined;
};

/**
 * The same request with the home's secret, for a server of ours that cannot tell who we are. It goes
 * to nobody else: whoever took the port first would learn it. Where listeners cannot be identified,
 * the socket in the home leads to our own server.
 */
async function withSecret(
  request: Asked,
  { port, env, settings }: AskedServer,
): Promise<Asked | undefined> {
  if (tokenFrom(env) !== undefined) return undefined;
  const [{ readSecret }, { openSocketTables }] = await Promise.all([
    import("../kernel/home-secret.ts"),
    import("../kernel/peers/socket-table.ts"),
  ]);
  const { secret: file, socket } = filesOf(settings);
  const secret = readSecret(file);
  if (secret === undefined) return undefined;
  const { port: _, ...unaddressed } = request;
  if (process.platform !== "linux" && existsSync(socket))
    return { ...unaddressed, socketPath: socket };
  if (process.platform === "linux") {
    const table = await openSocketTables().fresh("tcp");
    const owners = table?.listeners(port).map(({ uid }) => uid) ?? [];
    const isOurs =
      owners.length > 0 && owners.every((uid) => [0, process.geteuid?.()].includes(uid));
    if (!isOurs) return undefined;
  }
  return { ...request, headers: { ...request.headers, authorization: `Bearer ${secret}` } };
}

function requestFor(
  entry: Entry,
  input: Record<string, unknown>,
  { port, program, env }: AskedServer,
): Asked {
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
  { body, ...options }: Asked,
  signal: AbortSignal | undefined,
): Promise<{ status: number | undefined; body: unknown }> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    sendRequest({ ...options, signal }, resolve)
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
    hints: [
      "Set LECTERN_TOKEN to the one that it was started with; a server of your own home needs none.",
    ],
  });

const stranger = ({ port, program }: AskedServer): Failure =>
  new Failure("unavailable", "foreign-server", `What answers on port ${port} is another program.`, {
    hints: [`Name the port of '${program} serve' with --port; both must be of the same version.`],
  });
