import { existsSync } from "node:fs";
import { type IncomingMessage, type RequestOptions, request as sendRequest } from "node:http";
import { Failure, type FailureKind, failureKinds } from "../kernel/failure.ts";
import { homeFiles } from "../kernel/home/settings.ts";
import type { CatalogueEntry } from "../kernel/operations/catalogue.ts";
import { defaultPort } from "../surfaces/cli/arguments/result-flags.ts";
import type { CommandLine, ServerTarget } from "../surfaces/cli/run-command-line.ts";
import { takesBody } from "../surfaces/http/requests/request-input.ts";
import { httpStatusByKind } from "../surfaces/http/routes/error-response.ts";
import { keySpellingOf, routeOf } from "../surfaces/http/routes/operation-routes.ts";
import { tryParseJson } from "../text/formats/json-value.ts";
import { readTokenVariable } from "./serving/token.ts";

/**
 * Runs an operation on a running server over its REST route. The response is parsed as the
 * operation's output, so it is printed as if it had run in this process.
 */
export const callServer: NonNullable<CommandLine["callServer"]> = async (
  entry,
  input,
  server,
  { signal },
) => {
  const { operation } = entry;
  const request = createRequest(entry, input, server);
  const sendToServer = (serverRequest: ServerRequest) =>
    send(serverRequest, signal).catch((error: unknown) => {
      if (!signal?.aborted) throw serverUnreachable(server, error);
    });
  let response = await sendToServer(request);
  const authorized = response?.status === 401 ? await withHomeSecret(request, server) : undefined;
  if (authorized) response = await sendToServer(authorized);
  if (!response) {
    return {
      ok: false,
      failure: new Failure("unavailable", "cancelled", "The call was cancelled."),
    };
  }
  if (response.status === 200) {
    const respelled = keySpellingOf(entry).read(operation.output, response.body);
    const output = operation.output.safeParse(respelled);
    if (output.success) {
      return { ok: true, value: output.data, input: operation.input.parse(input) };
    }
  }
  if (response.status === 401) throw tokenRequired(server);
  const detail = readDetail(response.body);
  const kind = failureKinds.find((known) => httpStatusByKind[known] === response.status);
  if (detail === undefined || kind === undefined) throw foreignServer(server);
  return { ok: false, failure: toFailure(kind, detail) };
};

type ServerRequest = Omit<RequestOptions, "headers"> & {
  headers: Record<string, string>;
  body: string | undefined;
};

/**
 * Adds the home's secret to a request, for a Lectern server that cannot identify users. The secret
 * is sent only to a server of our own user or root, because another process may have taken the
 * port. If listeners cannot be identified, the socket in the home is used instead.
 */
async function withHomeSecret(
  request: ServerRequest,
  { port, env, settings }: ServerTarget,
): Promise<ServerRequest | undefined> {
  if (readTokenVariable(env) !== undefined) return undefined;
  const [{ readSecret }, { portOwner }] = await Promise.all([
    import("../kernel/home/home-secret.ts"),
    import("../kernel/peers/port-owner.ts"),
  ]);
  const { secret: file, socket } = homeFiles(settings);
  const secret = readSecret(file);
  if (secret === undefined) return undefined;
  const { port: _, ...unaddressed } = request;
  const owner = await portOwner(port);
  if (owner === "unknown" && existsSync(socket)) return { ...unaddressed, socketPath: socket };
  if (owner === "stranger" || owner === "nobody") return undefined;
  return { ...request, headers: { ...request.headers, authorization: `Bearer ${secret}` } };
}

function createRequest(
  entry: CatalogueEntry,
  input: Record<string, unknown>,
  { port, program, env }: ServerTarget,
): ServerRequest {
  const route = routeOf(entry);
  if (!route) throw new Error(`${entry.operation.name} has no route.`);
  const { method } = route;
  const { path, rest } = fillPath(route.path.text, input, keySpellingOf(entry).key);
  const token = readTokenVariable(env);
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

/** Fills the path parameters; the remaining fields go into the body or the query string. */
function fillPath(
  template: string,
  input: Readonly<Record<string, unknown>>,
  wireName: (key: string) => string,
) {
  const rest = { ...input };
  const path = template.replace(/\{(\w+)\+?\}/g, (_whole, name: string) => {
    const key = Object.keys(rest).find((known) => known === name || wireName(known) === name) ?? "";
    const value = encodeURIComponent(String(rest[key]).toWellFormed());
    delete rest[key];
    return value;
  });
  return { path, rest };
}

function withQuery(path: string, fields: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(fields)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      query.append(key, typeof item === "object" ? JSON.stringify(item) : String(item));
    }
  }
  return query.size > 0 ? `${path}?${query}` : path;
}

/** `node:http` starts faster than `fetch`, which matters for a short-lived command. */
async function send(
  { body, ...options }: ServerRequest,
  signal: AbortSignal | undefined,
): Promise<{ status: number | undefined; body: unknown }> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    sendRequest({ ...options, signal }, resolve)
      .on("error", reject)
      .end(body);
  });
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return {
    status: response.statusCode,
    body: tryParseJson(Buffer.concat(chunks).toString("utf8")),
  };
}

function readDetail(body: unknown): string | undefined {
  const hasDetail = typeof body === "object" && body !== null && "detail" in body;
  return hasDetail && typeof body.detail === "string" ? body.detail : undefined;
}

/** A REST failure is one text: the message on the first line, then the hints. */
function toFailure(kind: FailureKind, detail: string): Failure {
  const [message = "", ...hints] = detail.split("\n");
  return new Failure(kind, defaultCodes[kind] ?? kind, message, { hints });
}

/** REST responses contain no failure codes. For most kinds, the code equals the kind. */
const defaultCodes: Partial<Record<FailureKind, string>> = {
  invalid: "invalid-argument",
  internal: "internal-error",
};

function serverUnreachable({ port, program }: ServerTarget, cause: unknown): Failure {
  const start = `${program} serve${port === defaultPort ? "" : ` --port ${port}`}`;
  return new Failure("unavailable", "no-server", `No server responds on port ${port}.`, {
    hints: [`Start one with '${start}', or omit --mode server.`],
    cause,
  });
}

const tokenRequired = ({ port }: ServerTarget): Failure =>
  new Failure("forbidden", "token-needed", `The server on port ${port} requires a token.`, {
    hints: [
      "Set LECTERN_TOKEN to the token of that server. A server of your own home needs no token.",
    ],
  });

const foreignServer = ({ port, program }: ServerTarget): Failure =>
  new Failure("unavailable", "foreign-server", `Another program is listening on port ${port}.`, {
    hints: [`Set --port to the port of '${program} serve'; both must have the same version.`],
  });
