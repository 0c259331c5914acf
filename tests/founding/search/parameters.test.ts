import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Agent } from "../answers.ts";
import { inSnakeCase } from "../every-surface.ts";
import { type QmdLibrary, qmdLibrary } from "./qmd-library.ts";

/** Founding document 004: what each of the six tools takes, on each surface. */
let library: QmdLibrary;

beforeAll(async () => {
  library = await qmdLibrary({ "notes/lamp.md": "# Lamp\n\nThe lamp is lit at dusk.\n" });
});

afterAll(() => library.close());

interface Parameter {
  type: string;
  default?: unknown;
}

const text = { type: "string" };
const number = { type: "number" };
const line = { type: "integer" };
const truth = { type: "boolean", default: false };

/** The tables of the document: what is required, and every parameter with its default. */
const documented: Record<string, { required: string[]; takes: Record<string, Parameter> }> = {
  search: {
    required: ["query"],
    takes: searching({ limit: 10, minScore: 0 }),
  },
  vsearch: {
    required: ["query"],
    takes: searching({ limit: 10, minScore: 0.3 }),
  },
  // The document requires `query`; today's clients may send `searches` instead of it.
  query: {
    required: [],
    takes: searching({ limit: 10, minScore: 0 }),
  },
  get: {
    required: ["file"],
    takes: { file: text, fromLine: line, maxLines: line, lineNumbers: truth },
  },
  multi_get: {
    required: ["pattern"],
    takes: {
      pattern: text,
      maxLines: line,
      maxBytes: { ...line, default: 10_240 },
      lineNumbers: truth,
    },
  },
  status: { required: [], takes: {} },
};

function searching(usual: { limit: number; minScore: number }): Record<string, Parameter> {
  return {
    query: text,
    limit: { ...line, default: usual.limit },
    minScore: { ...number, default: usual.minScore },
    collection: text,
  };
}

interface Tool {
  name: string;
  inputSchema: { properties: Record<string, Parameter>; required?: string[] };
  outputSchema?: object;
  annotations: object;
}

/** The tools by their names, as agents see them. */
async function toolsOf(ask: Agent["ask"]) {
  const { result } = await ask("tools/list");
  // `tools/list` answers with tools.
  const { tools } = result as unknown as { tools: Tool[] };
  return new Map(tools.map((tool) => [tool.name, tool]));
}

describe.each(Object.entries(documented))("%s", (name, { required, takes }) => {
  test("[search.tools.parameters] it declares its parameters, types and defaults", async () => {
    for (const { over, ask } of library.agents) {
      const schema = (await toolsOf(ask)).get(name)?.inputSchema;
      expect(schema?.properties, over).toMatchObject(takes);
      expect(schema?.required ?? [], over).toEqual(required);
    }
  });

  test("[search.tools.rest-parameters] REST has the same ones in its own spelling", async () => {
    const { body } = await library.rest("GET /openapi.json");
    // The document of the routes has a schema for the body of each.
    const { components, paths } = body as unknown as RouteDocument;
    const isRead = name === "status";
    expect(Object.keys(paths[`/${name}`] ?? {})).toEqual([isRead ? "get" : "post"]);
    const schema = components.schemas[`${name}.input`];
    expect(schema === undefined).toBe(isRead);
    expect(schema?.properties ?? {}).toMatchObject(inSnakeCase(takes));
    expect(schema?.required ?? []).toEqual(required);
  });

  test("[search.tools.cli-parameters] the command line documents them as flags", async () => {
    const help = (await library.qmd("help", name.replace("_", "-"))).stdout;
    for (const [key, { default: usual }] of Object.entries(takes)) {
      if (required.includes(key) || key === "query") continue;
      const flag = key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
      const row = new RegExp(`--(\\[no-\\])?${flag}\\b[^\\n]*(\\n {10,}[^\\n]*)*`).exec(help)?.[0];
      expect(row, `--${flag} in\n${help}`).toBeDefined();
      if (typeof usual === "number") expect(row).toContain(`default ${usual}`);
    }
  });
});

interface RouteDocument {
  paths: Record<string, object>;
  components: { schemas: Record<string, { properties: object; required?: string[] }> };
}

test("[search.tools.output-schema] tools that return data have an output schema", async () => {
  for (const { over, ask } of library.agents) {
    const described = await toolsOf(ask);
    for (const name of ["search", "vsearch", "query"]) {
      expect(described.get(name)?.outputSchema, over).toMatchObject({
        properties: { results: { type: "array" } },
      });
    }
    expect(described.get("status")?.outputSchema, over).toMatchObject({
      properties: {
        totalDocuments: { type: "integer" },
        needsEmbedding: { type: "integer" },
        hasVectorIndex: { type: "boolean" },
        collections: { type: "array" },
      },
    });
  }
});

test("[search.tools.annotations] all six are annotated as read-only", async () => {
  for (const { over, ask } of library.agents) {
    for (const { name, annotations } of (await toolsOf(ask)).values()) {
      expect(annotations, `${name} over ${over}`).toEqual({
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      });
    }
  }
});

test("[search.tools.spellings] REST accepts both spellings of a name, but not the same parameter twice", async () => {
  for (const least of [{ min_score: 1 }, { minScore: 1 }]) {
    const { status, body } = await library.rest("POST /search", { query: "dusk lamp", ...least });
    expect(status, body.detail).toBe(200);
  }
  const { body } = await library.rest("POST /search", { query: "a", min_score: 0, minScore: 1 });
  expect(body).toMatchObject({ status_code: 400, detail: expect.stringContaining("min_score") });
});

/** A wrong value for each parameter; the name of the parameter must be in the answer. */
const wrong: [tool: string, input: Record<string, unknown>, parameter: string][] = [
  ["search", {}, "query"],
  ["search", { query: "" }, "query"],
  ["search", { query: 7 }, "query"],
  ["search", { query: "lamp", limit: 0 }, "limit"],
  ["search", { query: "lamp", limit: "many" }, "limit"],
  ["search", { query: "lamp", limit: 1.5 }, "limit"],
  ["search", { query: "lamp", minScore: 2 }, "minScore"],
  ["search", { query: "lamp", minScore: -1 }, "minScore"],
  ["search", { query: "lamp", collection: 3 }, "collection"],
  ["vsearch", { query: "lamp", minScore: 2 }, "minScore"],
  ["query", { query: "lamp", limit: 0 }, "limit"],
  ["get", {}, "file"],
  ["get", { file: "notes/lamp.md", fromLine: 0 }, "fromLine"],
  ["get", { file: "notes/lamp.md", maxLines: 0 }, "maxLines"],
  ["get", { file: "notes/lamp.md", lineNumbers: "perhaps" }, "lineNumbers"],
  ["multi_get", {}, "pattern"],
  ["multi_get", { pattern: "*.md", maxBytes: 0 }, "maxBytes"],
  ["multi_get", { pattern: "*.md", maxLines: -3 }, "maxLines"],
];

test.each(wrong)(
  "[search.tools.bad-values] %s %j is named, as a tool error and as 400",
  async (tool, input, parameter) => {
    for (const { over, call } of library.agents) {
      expect(await call(tool, input), over).toMatchObject({
        isError: true,
        content: [{ type: "text", text: expect.stringContaining(`'${parameter}'`) }],
      });
    }
    const [spelt = ""] = Object.keys(inSnakeCase({ [parameter]: 0 }));
    expect(await library.rest(`POST /${tool}`, inSnakeCase(input))).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining(`'${spelt}'`), status_code: 400 },
    });
  },
);

test.each([
  ["search", "--limit", "0"],
  ["search", "--min-score", "2"],
  ["get", "--from-line", "0"],
  ["multi-get", "--max-bytes", "few"],
])("[search.tools.bad-values] qmd %s … %s %s names the flag and ends with 2", async (...words) => {
  const [command = "", flag = "", value = ""] = words;
  expect(await library.qmd(command, "lamp", flag, value)).toMatchObject({
    code: 2,
    stdout: "",
    stderr: expect.stringContaining(flag),
  });
});

test("[search.tools.unknown-parameter] an unknown one is refused everywhere, and the closest name is suggested", async () => {
  for (const { over, call } of library.agents) {
    const { isError, content } = await call("search", { query: "lamp", limt: 3 });
    expect(isError, over).toBe(true);
    expect(content[0]?.text, over).toMatch(/'limt'[\s\S]*'limit'/);
  }
  const { body } = await library.rest("POST /search", { query: "lamp", limt: 3 });
  expect(body).toMatchObject({ status_code: 400 });
  expect(body.detail).toMatch(/'limt'[\s\S]*'limit'/);
  const { code, stderr } = await library.qmd("search", "lamp", "--limt", "3");
  expect(code).toBe(2);
  expect(stderr).toMatch(/--limt[\s\S]*--limit/);
});
