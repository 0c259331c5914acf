import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { problemWithModels } from "./configured.ts";

const url = "http://localhost:8080/v1";
const openai = { kind: "openai", url, model: "some-model" };

/** What is wrong with a setting, with the field that has it. */
function problem(role: string, setting: unknown): string | undefined {
  const found = problemWithModels({ [role]: setting });
  return found && `${found.path.join(".")}: ${found.message}`;
}

test("[search.models.kinds] each part takes the kinds that can play it", () => {
  const prefixed = { query_prefix: "query: ", document_prefix: "passage: " };
  for (const [role, setting] of [
    ["embedding", { ...openai, ...prefixed, dimensions: 256, key_from: "OPENAI_API_KEY" }],
    ["embedding", { ...prefixed, kind: "ollama", url: "https://models.local", model: "nomic" }],
    ["embedding", { ...prefixed, kind: "folder", path: "models/bge", pooling: "first" }],
    ["embedding", { ...prefixed, kind: "gguf", path: "/models/embedder.gguf" }],
    ["embedding", { kind: "none" }],
    ["reranking", { ...openai, key_from: "JINA_KEY" }],
    ["reranking", { kind: "folder", path: "models/cross" }],
    ["reranking", { kind: "gguf", path: "models/reranker.gguf" }],
    ["reranking", { kind: "none" }],
    ["expansion", openai],
    ["expansion", { kind: "ollama", url: "http://localhost:11434", model: "small" }],
    ["expansion", { kind: "gguf", path: "models/chat.gguf" }],
    ["expansion", { kind: "client" }],
    ["expansion", { kind: "none" }],
  ] as const) {
    expect(problem(role, setting), JSON.stringify(setting)).toBeUndefined();
  }
});

test("[search.models.kinds] a kind that cannot play a part is refused with the reason", () => {
  for (const [role, setting, words] of [
    ["reranking", { kind: "ollama", url, model: "m" }, /kind: Ollama has no way to re-rank: use/],
    ["reranking", { kind: "client" }, /kind: a client's model is asked for expansion only/],
    ["embedding", { kind: "client" }, /kind: a client's model makes no vectors/],
    ["expansion", { kind: "folder", path: "x" }, /kind: a folder .* writes no text: use/],
    ["embedding", { kind: "magic" }, /kind: must be one of openai, ollama, folder, gguf, none$/],
    ["embedding", {}, /kind: must be one of/],
    ["embedding", "openai", /kind: must be one of/],
    ["embedding", null, /kind: must be one of/],
    ["embedding", { ...openai, querry_prefix: "x" }, /Unrecognized key: "querry_prefix"/],
    ["embedding", { ...openai, dimensions: 0 }, /dimensions/],
    ["embedding", { kind: "openai", url }, /model/],
  ] as const) {
    expect(problem(role, setting), JSON.stringify(setting)).toMatch(words);
  }
});

test("[search.models.no-secrets] a key in the file is refused, by whatever name, and not repeated", () => {
  for (const name of ["key", "api_key", "apiKey", "token", "API-KEY", "secret", "Authorization"]) {
    const said = problem("embedding", { ...openai, [name]: "sk-123" });
    expect(said, name).toMatch(/no key may stand in this file: name .* in 'key_from'$/);
    expect(said).not.toContain("sk-123");
  }
  const named = problem("expansion", { ...openai, key_from: "sk-123" });
  expect(named).toMatch(/^expansion\.key_from: is the name of an environment variable/);
  expect(named).not.toContain("sk-123");
});

test("[search.models.address] only a plain http or https address is taken", () => {
  for (const [address, words] of [
    ["localhost:8080", /must begin with http/],
    ["ftp://host/v1", /must begin with http/],
    ["file:///etc/passwd", /must begin with http/],
    ["/v1", /must be a whole URL/],
    ["http://me:pass@host/v1", /must hold no name or password: use 'key_from'/],
    ["http://host/v1?key=abc", /must end with its path/],
  ] as const) {
    const said = problem("embedding", { ...openai, url: address });
    expect(said, address).toMatch(words);
    expect(said).not.toMatch(/pass@|abc/);
  }
});

test("[search.models.documented] every example of the page for users is taken as it stands", () => {
  const page = readFileSync(new URL("../../../docs/models.md", import.meta.url), "utf8");
  const examples = [...page.matchAll(/```json\n(.*?)```/gs)].map(([, json]) =>
    JSON.parse(json ?? ""),
  );

  expect(examples.length).toBeGreaterThanOrEqual(6);
  for (const example of examples) {
    const models = example.models ?? { embedding: example };
    expect(problemWithModels(models), JSON.stringify(example)).toBeUndefined();
  }
});
