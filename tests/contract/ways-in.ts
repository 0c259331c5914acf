import { PassThrough } from "node:stream";
import { text as textOf } from "node:stream/consumers";
import type { Library } from "../../src/kernel/library.ts";
import type { AnyShelf } from "../../src/kernel/shelf.ts";
import { shelves as ours } from "../../src/shelves.ts";
import { runCommandLine } from "../../src/surfaces/cli/run-command-line.ts";
import { makeApp } from "../../src/surfaces/http/app.ts";
import { makeEndpoint } from "../../src/surfaces/mcp/endpoint.ts";

/** Every surface over one library, as its clients see it. */
export function waysInto(library: Library, shelves: readonly AnyShelf[] = ours) {
  const app = makeApp({ library, mcp: makeEndpoint(library).fetch });
  const post = (path: string, body: unknown) => request("POST", path, body);
  const request = (method: string, path: string, body?: unknown) => send(method, path, body, {});

  async function send(
    method: string,
    path: string,
    body: unknown,
    headers: Record<string, string>,
  ) {
    const response = await app.request(`http://127.0.0.1:18765${path}`, {
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
    /** The same with headers of one's own. */
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
      const heard = Promise.all([textOf(stdout), textOf(stderr)]);
      const code = await runCommandLine({
        argv,
        env: {},
        cwd: library.settings.root,
        stdout,
        stderr,
        program: "lectern",
        version: "0.0.0",
        shelves,
        commands: [],
        // The library outlives one command here, so its end is not the command's.
        openLibrary: () => ({ ...library, house: library.house, close: async () => {} }),
      });
      stdout.end();
      stderr.end();
      const [out, err] = await heard;
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

/** The same as words of a command line. */
export function wordsFor(cli: string, input: Record<string, unknown>, flags = true): string[] {
  const rest = { ...input };
  const words = cli.split(" ").flatMap((word) => {
    const key = /^[<[](\w+)/.exec(word)?.[1];
    if (!key) return word.split("|").slice(0, 1);
    const value = rest[key];
    delete rest[key];
    return value === undefined ? [] : [String(value)];
  });
  const kebab = (key: string) =>
    key.replace(/_/g, "-").replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`);
  const given = Object.entries(rest).flatMap(([key, value]) =>
    isListOfObjects(value)
      ? value.map((item) => `--${kebab(key)}=${typed(item)}`)
      : [`--${kebab(key)}=${typed(value)}`],
  );
  return flags ? [...words, ...given] : words;
}

const isListOfObjects = (value: unknown): value is object[] =>
  Array.isArray(value) && value.some((item) => typeof item === "object");

/** What has keys is typed as JSON. */
const typed = (value: unknown): string =>
  typeof value === "object" && !Array.isArray(value) ? JSON.stringify(value) : String(value);
