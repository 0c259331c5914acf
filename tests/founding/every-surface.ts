import { expect } from "vitest";
import type { Content, Hit, SurfaceClients } from "./answers.ts";

/** Sends the same request to every surface, and fails if the answers differ. */
export function callEverySurface({ agents, rest, qmd }: SurfaceClients) {
  /** The results of a search. */
  async function resultsOf(name: string, input: object): Promise<Hit[]> {
    const { status, body } = await rest(`POST /${name}`, inSnakeCase(input));
    expect(status, body.detail).toBe(200);
    const results = body.results.map(inCamelCase);
    for (const { over, call } of agents) {
      const { isError, content, structuredContent } = await call(name, input);
      expect(isError, `${over}: ${content[0]?.text}`).toBeUndefined();
      expect(structuredContent.results, over).toEqual(results);
    }
    const shell = await qmd(name, ...argsFrom(input), "--json");
    expect(shell.code, shell.stderr).toBe(0);
    expect(JSON.parse(shell.stdout)).toEqual(results);
    return JSON.parse(shell.stdout);
  }

  /** The document returned by `get`. */
  async function documentOf(input: object): Promise<Content> {
    const { status, body } = await rest("POST /get", inSnakeCase(input));
    expect(status, body.detail).toBe(200);
    for (const { over, call } of agents) {
      expect(await call("get", input), over).toEqual({
        content: [{ type: "resource", resource: expect.objectContaining(body.document) }],
      });
    }
    const shell = await qmd("get", ...argsFrom(input), "--json");
    expect(shell.code, shell.stderr).toBe(0);
    expect(JSON.parse(shell.stdout)).toEqual(body.document);
    return body.document;
  }

  /** The failure of a call: the same message everywhere, a status, an exit code. */
  async function failureOf(name: string, input: object) {
    const { status, body } = await rest(`POST /${name}`, inSnakeCase(input));
    expect(body).toEqual({ detail: expect.any(String), status_code: status });
    for (const { over, call } of agents) {
      expect(await call(name, input), over).toEqual({
        content: [{ type: "text", text: body.detail }],
        isError: true,
      });
    }
    const shell = await qmd(name.replace("_", "-"), ...argsFrom(input));
    expect(shell.stdout).toBe("");
    expect(shell.stderr).toBe(`error: ${body.detail.replaceAll("\n", "\n  ")}\n`);
    return { text: body.detail, status, code: shell.code };
  }

  return { resultsOf, documentOf, failureOf };
}

/** In REST spelling. */
export const inSnakeCase = (input: object): object =>
  Object.fromEntries(Object.entries(input).map(([key, value]) => [convertKey(key, "_"), value]));

/** A REST result with the keys of the other surfaces. */
const inCamelCase = (hit: object): object =>
  Object.fromEntries(
    Object.entries(hit).map(([key, value]) => [
      key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  );

/** Command line arguments: the query first, the rest as flags. */
function argsFrom(input: object): string[] {
  const positional = ["query", "file", "pattern"];
  return Object.entries(input)
    .sort(([a], [b]) => Number(positional.includes(b)) - Number(positional.includes(a)))
    .flatMap(([key, value]) => {
      if (positional.includes(key)) return [String(value)];
      const flag = convertKey(key === "collections" ? "collection" : key, "-");
      if (value === true) return [`--${flag}`];
      if (value === false) return [`--no-${flag}`];
      return [value].flat().flatMap((item) => [`--${flag}`, String(item)]);
    });
}

const convertKey = (key: string, separator: string): string =>
  key.replace(/[A-Z]/g, (letter) => separator + letter.toLowerCase());
