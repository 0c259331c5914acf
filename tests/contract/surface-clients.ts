import { PassThrough } from "node:stream";
import { text as textOf } from "node:stream/consumers";
import type { App } from "../../src/kernel/runtime/app.ts";
import type { AnyShelf } from "../../src/kernel/shelf.ts";
import { shelves as ours } from "../../src/shelves.ts";
import { runCommandLine } from "../../src/surfaces/cli/run-command-line.ts";
import { createHttpApp } from "../../src/surfaces/http/http-app.ts";
import { createEndpoint } from "../../src/surfaces/mcp/http/endpoint.ts";

/** Clients of every surface of an app. */
export function clientsOf(app: App, shelves: readonly AnyShelf[] = ours) {
  const httpApp = createHttpApp({ app, mcp: createEndpoint(app).fetch });
  const post = (path: string, body: unknown) => request("POST", path, body);
  const request = (method: string, path: string, body?: unknown) => send(method, path, body, {});

  async function send(
    method: string,
    path: string,
    body: unknown,
    headers: Record<string, string>,
  ) {
    const response = await httpApp.request(`http://127.0.0.1:18765${path}`, {
      method,
      headers: {
        host: "127.0.0.1:18765",
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: JSON.parse(await response.text()) };
  }

  return {
    request,
    /** The same with additional headers. */
    withHeaders:
      (headers: Record<string, string>) => (method: string, path: string, body?: unknown) =>
        send(method, path, body, headers),
    tool: (name: string, input: unknown) => post(`/tools/${name}`, { arguments: input }),
    async rpc(method: string, params: unknown) {
      const { body } = await post("/mcp", { jsonrpc: "2.0", id: 1, method, params });
      return body as { result?: Record<string, unknown>; error?: { code: number } };
    },
    async shell(...argv: string[]) {
      const stdout = new PassThrough();
      const stderr = new PassThrough();
      const output = Promise.all([textOf(stdout), textOf(stderr)]);
      const code = await runCommandLine({
        argv,
        env: {},
        cwd: app.settings.root,
        stdout,
        stderr,
        program: "lectern",
        version: "0.0.0",
        shelves,
        commands: [],
        // Several commands share the app, so a command must not close it.
        openApp: () => ({ ...app, runtime: app.runtime, close: async () => {} }),
      });
      stdout.end();
      stderr.end();
      const [out, err] = await output;
      return { code, out, err };
    },
  };
}

/** An operation's route with an input: path parameters in the path, the rest as query or body. */
export function routeFor(http: string, input: Record<string, unknown>) {
  const [method = "GET", template = "/"] = http.split(" ");
  const rest = { ...input };
  const path = template.replace(/\{(\w+)\+?\}/g, (_, key: string) => {
    const value = encodeURIComponent(String(rest[key]));
    delete rest[key];
    return value;
  });
  if (method === "POST" || method === "PUT") return { method, path, body: rest };
  const query = new URLSearchParams(
    Object.entries(rest).map(([key, value]): [string, string] => [key, String(value)]),
  ).toString();
  return { method, path: query === "" ? path : `${path}?${query}`, body: undefined };
}

/** A command with an input as arguments. */
export function argsFor(cli: string, input: Record<string, unknown>, flags = true): string[] {
  const rest = { ...input };
  const args = cli.split(" ").flatMap((word) => {
    const key = /^[<[](\w+)/.exec(word)?.[1];
    if (!key) return word.split("|").slice(0, 1);
    const value = rest[key];
    delete rest[key];
    return value === undefined ? [] : [String(value)];
  });
  const kebab = (key: string) =>
    key.replace(/_/g, "-").replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`);
  const flagArgs = Object.entries(rest).flatMap(([key, value]) =>
    isListOfObjects(value)
      ? value.map((item) => `--${kebab(key)}=${flagValue(item)}`)
      : [`--${kebab(key)}=${flagValue(value)}`],
  );
  return flags ? [...args, ...flagArgs] : args;
}

const isListOfObjects = (value: unknown): value is object[] =>
  Array.isArray(value) && value.some((item) => typeof item === "object");

/** Objects are passed as JSON. */
const flagValue = (value: unknown): string =>
  typeof value === "object" && !Array.isArray(value) ? JSON.stringify(value) : String(value);
