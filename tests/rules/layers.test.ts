import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { cruise, type ICruiseResult } from "dependency-cruiser";
import { expect, test } from "vitest";
import { layerRules } from "./layer-rules.ts";

const repositoryRoot = fileURLToPath(new URL("../..", import.meta.url));

test("[core.layers.enforced] every import follows the dependency rule, without cycles", async () => {
  const { summary } = await checkImports(repositoryRoot);

  expect(summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`)).toEqual(
    [],
  );
  // If dependency-cruiser cannot parse TypeScript, it finds no modules and reports no violations.
  expect(summary.totalCruised).toBeGreaterThan(50);
});

const manifest = '{"name":"any","main":"index.js"}';

const violations: [rule: string, files: Record<string, string>][] = [
  [
    "text must not import other layers",
    { "src/text/a.ts": 'import "../kernel/b.ts";', "src/kernel/b.ts": "export {};" },
  ],
  ["text must not import Node modules", { "src/text/a.ts": 'import "node:fs";' }],
  [
    "the kernel may import only text",
    {
      "src/kernel/a.ts": 'import "../shelves/s/shelf.ts";',
      "src/shelves/s/shelf.ts": "export {};",
    },
  ],
  [
    "shelves must not import each other",
    {
      "src/shelves/one/shelf.ts": 'import "../two/shelf.ts";',
      "src/shelves/two/shelf.ts": "export {};",
    },
  ],
  [
    "shelves must not import surfaces",
    {
      "src/shelves/s/shelf.ts": 'import "../../surfaces/x.ts";',
      "src/surfaces/x.ts": "export {};",
    },
  ],
  [
    "other code imports a shelf only through shelf.ts",
    {
      "src/shelves.ts": 'import "./shelves/s/inside.ts";',
      "src/shelves/s/inside.ts": "export {};",
    },
  ],
  [
    "shelf-choice.ts imports only shelf.ts and tables.ts of a shelf",
    {
      "src/shelf-choice.ts": 'import "./shelves/s/inside.ts";',
      "src/shelves/s/inside.ts": "export {};",
    },
  ],
  [
    "commands import a shelf only through cli-api.ts",
    {
      "src/commands/c.ts": 'import "../shelves/s/inside.ts";',
      "src/shelves/s/inside.ts": "export {};",
    },
  ],
  [
    "surfaces must not import each other, only the files they share",
    { "src/surfaces/a/x.ts": 'import "../b/y.ts";', "src/surfaces/b/y.ts": "export {};" },
  ],
  [
    "surfaces must not import shelves",
    {
      "src/surfaces/a/x.ts": 'import "../../shelves/s/shelf.ts";',
      "src/shelves/s/shelf.ts": "export {};",
    },
  ],
  ["only database.ts imports the SQLite driver", { "src/kernel/a.ts": 'import "node:sqlite";' }],
  [
    "the kernel must not import protocol or web packages",
    {
      "src/kernel/a.ts": 'import "hono";',
      "node_modules/hono/index.js": "",
      "node_modules/hono/package.json": manifest,
    },
  ],
  [
    "only surfaces/mcp imports the MCP SDK",
    {
      "src/main.ts": 'import "@modelcontextprotocol/server";',
      "node_modules/@modelcontextprotocol/server/index.js": "",
      "node_modules/@modelcontextprotocol/server/package.json": manifest,
    },
  ],
  [
    "only surfaces/http imports the web framework",
    {
      "src/main.ts": 'import "hono";',
      "node_modules/hono/index.js": "",
      "node_modules/hono/package.json": manifest,
    },
  ],
  [
    "the web app imports values only from text, and types from any layer",
    {
      "web/page.ts": 'import { b } from "../src/kernel/b.ts"; b;',
      "src/kernel/b.ts": "export const b = 1;",
    },
  ],
  [
    "no import cycles",
    { "src/kernel/a.ts": 'import "./b.ts";', "src/kernel/b.ts": 'import "./a.ts";' },
  ],
];

test("[core.layers.detected] every rule has a test violation", () => {
  expect(violations.map(([rule]) => rule).sort()).toEqual(
    layerRules.map(({ name }) => name).sort(),
  );
});

for (const [rule, files] of violations) {
  test(`[core.layers.detected] a violation of "${rule}" is detected`, async () => {
    const folder = mkdtempSync(join(tmpdir(), "lectern-layers-"));
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }

    const { summary } = await checkImports(folder);

    expect(summary.violations.map((violation) => violation.rule.name)).toContain(rule);
  });
}

async function checkImports(baseDir: string): Promise<ICruiseResult> {
  const folders = ["src", "web"].filter((name) => existsSync(join(baseDir, name)));
  const result = await cruise(folders, {
    baseDir,
    validate: true,
    ruleSet: { forbidden: layerRules },
    tsPreCompilationDeps: true,
    exclude: { path: "\\.test\\.ts$" },
    doNotFollow: { path: "node_modules" },
    enhancedResolveOptions: {
      extensions: [".ts", ".tsx", ".js", ".mjs"],
      exportsFields: ["exports"],
    },
  });
  if (typeof result.output === "string")
    throw new Error("dependency-cruiser returned text instead of an object.");
  return result.output;
}
