import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Agent } from "../answers.ts";
import { inSnakeCase } from "../every-surface.ts";
import { type QmdServer, startQmdServer } from "./qmd-library.ts";

/** Founding document 004: the parameters of the six tools, on each surface. */
let server: QmdServer;

beforeAll(async () => {
  server = await startQmdServer({ "notes/lamp.md": "# Lamp\n\nThe lamp is lit at dusk.\n" });
});

afterAll(() => server.close());

interface Parameter {
  type: string;
  default?: unknown;
}

const text = { type: "string" };
const number = { type: "number" };
const line = { type: "integer" };
const boolean = { type: "boolean", default: false };

/** The tables of the document: required parameters, and all parameters with their defaults. */
const documented: Record<string, { required: string[]; parameters: Record<string, Parameter> }> = {
  search: {
    required: ["query"],
    parameters: searchParameters({ limit: 10, minScore: 0 }),
  },
  vsearch: {
    required: ["query"],
    parameters: searchParameters({ limit: 10, minScore: 0.3 }),
  },
  // The document requires `query`; current clients may send `searches` instead.
  query: {
    required: [],
    parameters: searchParameters({ limit: 10, minScore: 0 }),
  },
  get: {
    required: ["file"],
    parameters: { file: text, fromLine: line, maxLines: line, lineNumbers: boolean },
  },
  multi_get: {
    required: ["pattern"],
    parameters: {
      pattern: text,
      maxLines: line,
      maxBytes: { ...line, default: 10_240 },
      lineNumbers: boolean,
    },
  },
  status: { required: [], parameters: {} },
};

function searchParameters(defaults: {
  limit: number;
  minScore: number;
}): Record<string, Parameter> {
  return {
    query: text,
    limit: { ...line, default: defaults.limit },
    minScore: { ...number, default: defaults.minScore },
    collection: text,
  };
}

interface Tool {
  name: string;
  inputSchema: { properties: Record<string, Parameter>; required?: string[] };
  outputSchema?: object;
  annotations: object;
}

/** The listed tools, by name. */
async function toolsOf(ask: Agent["ask"]) {
  const { result } = await ask("tools/list");
  // The format of a `tools/list` result.
  const { tools } = result as unknown as { tools: Tool[] };
  return new Map(tools.map((tool) => [tool.name, tool]));
}

describe.each(Object.entries(documented))("%s", (name, { required, parameters }) => {
  test("[search.tools.parameters] the tool declares its parameters, types and defaults", async () => {
    for (const { over, ask } of server.agents) {
      const schema = (await toolsOf(ask)).get(name)?.inputSchema;
      expect(schema?.properties, over).toMatchObject(parameters);
      expect(schema?.required ?? [], over).toEqual(required);
    }
  });

  test("[search.tools.rest-parameters] REST has the same parameters in snake_case", async () => {
    const { body } = await server.rest("GET /openapi.json");
    // The OpenAPI document has a schema for the body of each route.
    const { components, paths } = body as unknown as RouteDocument;
    const isRead = name === "status";
    expect(Object.keys(paths[`/${name}`] ?? {})).toEqual([isRead ? "get" : "post"]);
    const schema = components.schemas[`${name}.input`];
    expect(schema === undefined).toBe(isRead);
    expect(schema?.properties ?? {}).toMatchObject(inSnakeCase(parameters));
    expect(schema?.required ?? []).toEqual(required);
  });

  test("[search.tools.cli-parameters] the command line documents them as flags", async () => {
    const help = (await server.qmd("help", name.replace("_", "-"))).stdout;
    for (const [key, { default: defaults }] of Object.entries(parameters)) {
      if (required.includes(key) || key === "query") continue;
      const flag = key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
      const row = new RegExp(`--(\\[no-\\])?${flag}\\b[^\\n]*(\\n {10,}[^\\n]*)*`).exec(help)?.[0];
      expect(row, `--${flag} in\n${help}`).toBeDefined();
      if (typeof defaults === "number") expect(row).toContain(`default ${defaults}`);
    }
  });
});

interface RouteDocument {
  paths: Record<string, object>;
  components: { schemas: Record<string, { properties: object; required?: string[] }> };
}

test("[search.tools.output-schema] tools that return data have an output schema", async () => {
  for (const { over, ask } of server.agents) {
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

test("[search.tools.annotations] all six tools are annotated as read-only", async () => {
  for (const { over, ask } of server.agents) {
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
  for (const spelling of [{ min_score: 1 }, { minScore: 1 }]) {
    const { status, body } = await server.rest("POST /search", { query: "dusk lamp", ...spelling });
    expect(status, body.detail).toBe(200);
  }
  const { body } = await server.rest("POST /search", { query: "a", min_score: 0, minScore: 1 });
  expect(body).toMatchObject({ status_code: 400, detail: expect.stringContaining("min_score") });
});

/** Invalid values for each parameter; the error must name the parameter. */
const invalidInputs: [tool: string, input: Record<string, unknown>, parameter: string][] = [
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

test.each(invalidInputs)(
  "[search.tools.bad-values] %s %j is named, as a tool error and as 400",
  async (tool, input, parameter) => {
    for (const { over, call } of server.agents) {
      expect(await call(tool, input), over).toMatchObject({
        isError: true,
        content: [{ type: "text", text: expect.stringContaining(`'${parameter}'`) }],
      });
    }
    const [restName = ""] = Object.keys(inSnakeCase({ [parameter]: 0 }));
    expect(await server.rest(`POST /${tool}`, inSnakeCase(input))).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining(`'${restName}'`), status_code: 400 },
    });
  },
);

test.each([
  ["search", "--limit", "0"],
  ["search", "--min-score", "2"],
  ["get", "--from-line", "0"],
  ["multi-get", "--max-bytes", "few"],
])("[search.tools.bad-values] qmd %s … %s %s names the flag and exits with 2", async (...args) => {
  const [command = "", flag = "", value = ""] = args;
  expect(await server.qmd(command, "lamp", flag, value)).toMatchObject({
    code: 2,
    stdout: "",
    stderr: expect.stringContaining(flag),
  });
});

test("[search.tools.unknown-parameter] an unknown parameter is rejected everywhere, and the closest name is suggested", async () => {
  for (const { over, call } of server.agents) {
    const { isError, content } = await call("search", { query: "lamp", limt: 3 });
    expect(isError, over).toBe(true);
    expect(content[0]?.text, over).toMatch(/'limt'[\s\S]*'limit'/);
  }
  const { body } = await server.rest("POST /search", { query: "lamp", limt: 3 });
  expect(body).toMatchObject({ status_code: 400 });
  expect(body.detail).toMatch(/'limt'[\s\S]*'limit'/);
  const { code, stderr } = await server.qmd("search", "lamp", "--limt", "3");
  expect(code).toBe(2);
  expect(stderr).toMatch(/--limt[\s\S]*--limit/);
});
