import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { validateModelSettings } from "./model-settings.ts";

const url = "http://localhost:8080/v1";
const openai = { kind: "openai", url, model: "some-model" };

/** The problem with a setting, and its field. */
function problem(role: string, setting: unknown): string | undefined {
  const found = validateModelSettings({ [role]: setting });
  return found && `${found.path.join(".")}: ${found.message}`;
}

test("[search.models.kinds] each role accepts the kinds that support it", () => {
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

test("[search.models.kinds] an unsupported kind for a role is refused with the reason", () => {
  for (const [role, setting, words] of [
    ["reranking", { kind: "ollama", url, model: "m" }, /kind: Ollama cannot re-rank: use/],
    ["reranking", { kind: "client" }, /kind: a client's model is used for query expansion only/],
    ["embedding", { kind: "client" }, /kind: a client's model cannot compute vectors/],
    [
      "expansion",
      { kind: "folder", path: "x" },
      /kind: a model in a folder cannot generate text: use/,
    ],
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

test("[search.models.no-secrets] a key in the file is refused under any name, and not repeated", () => {
  for (const name of ["key", "api_key", "apiKey", "token", "API-KEY", "secret", "Authorization"]) {
    const message = problem("embedding", { ...openai, [name]: "sk-123" });
    expect(message, name).toMatch(/must not contain a key: name .* in 'key_from'$/);
    expect(message).not.toContain("sk-123");
  }
  const named = problem("expansion", { ...openai, key_from: "sk-123" });
  expect(named).toMatch(/^expansion\.key_from: is the name of an environment variable/);
  expect(named).not.toContain("sk-123");
});

test("[search.models.address] only http and https URLs without credentials or query are accepted", () => {
  for (const [address, words] of [
    ["localhost:8080", /must start with http/],
    ["ftp://host/v1", /must start with http/],
    ["file:///etc/passwd", /must start with http/],
    ["/v1", /must be a complete URL/],
    ["http://me:pass@host/v1", /must not contain a user name or password: use 'key_from'/],
    ["http://host/v1?key=abc", /must not contain '\?' or '#'/],
  ] as const) {
    const message = problem("embedding", { ...openai, url: address });
    expect(message, address).toMatch(words);
    expect(message).not.toMatch(/pass@|abc/);
  }
});

test("[search.models.documented] every example in the user documentation is a valid configuration", () => {
  const page = readFileSync(new URL("../../../docs/models.md", import.meta.url), "utf8");
  const examples = [...page.matchAll(/```json\n(.*?)```/gs)].map(([, json]) =>
    JSON.parse(json ?? ""),
  );

  expect(examples.length).toBeGreaterThanOrEqual(6);
  for (const example of examples) {
    const models = example.models ?? { embedding: example };
    expect(validateModelSettings(models), JSON.stringify(example)).toBeUndefined();
  }
});
