import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { cruise, type ICruiseResult } from "dependency-cruiser";
import { expect, test } from "vitest";
import { layerRules } from "./layer-rules.ts";

const home = fileURLToPath(new URL("../..", import.meta.url));

test("[core.layers.enforced] every import follows the dependency rule, without cycles", async () => {
  const { summary } = await look(home);

  expect(summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`)).toEqual(
    [],
  );
  // A cruiser that cannot read the installed TypeScript sees nothing and is content.
  expect(summary.totalCruised).toBeGreaterThan(50);
});

const manifest = '{"name":"any","main":"index.js"}';

const planted: [rule: string, files: Record<string, string>][] = [
  [
    "text imports nothing of ours",
    { "src/text/a.ts": 'import "../kernel/b.ts";', "src/kernel/b.ts": "export {};" },
  ],
  ["text has no Node I/O", { "src/text/a.ts": 'import "node:fs";' }],
  [
    "kernel knows only text",
    {
      "src/kernel/a.ts": 'import "../shelves/s/shelf.ts";',
      "src/shelves/s/shelf.ts": "export {};",
    },
  ],
  [
    "shelves never touch",
    {
      "src/shelves/one/shelf.ts": 'import "../two/shelf.ts";',
      "src/shelves/two/shelf.ts": "export {};",
    },
  ],
  [
    "a shelf knows no surface",
    {
      "src/shelves/s/shelf.ts": 'import "../../surfaces/x.ts";',
      "src/surfaces/x.ts": "export {};",
    },
  ],
  [
    "a shelf's door is shelf.ts",
    {
      "src/shelves.ts": 'import "./shelves/s/inside.ts";',
      "src/shelves/s/inside.ts": "export {};",
    },
  ],
  [
    "a shelf at rest shows its tables",
    {
      "src/shelf-choice.ts": 'import "./shelves/s/inside.ts";',
      "src/shelves/s/inside.ts": "export {};",
    },
  ],
  [
    "a command uses a shelf through cli-api.ts",
    {
      "src/commands/c.ts": 'import "../shelves/s/inside.ts";',
      "src/shelves/s/inside.ts": "export {};",
    },
  ],
  [
    "a surface imports no other surface, only the files that all share",
    { "src/surfaces/a/x.ts": 'import "../b/y.ts";', "src/surfaces/b/y.ts": "export {};" },
  ],
  [
    "a surface knows the list of shelves, not their inside",
    {
      "src/surfaces/a/x.ts": 'import "../../shelves/s/shelf.ts";',
      "src/shelves/s/shelf.ts": "export {};",
    },
  ],
  ["only the database opens SQLite", { "src/kernel/a.ts": 'import "node:sqlite";' }],
  [
    "kernel knows no protocol",
    {
      "src/kernel/a.ts": 'import "hono";',
      "node_modules/hono/index.js": "",
      "node_modules/hono/package.json": manifest,
    },
  ],
  [
    "only surfaces/mcp knows the protocol's SDK",
    {
      "src/main.ts": 'import "@modelcontextprotocol/server";',
      "node_modules/@modelcontextprotocol/server/index.js": "",
      "node_modules/@modelcontextprotocol/server/package.json": manifest,
    },
  ],
  [
    "only surfaces/http knows the web server",
    {
      "src/main.ts": 'import "hono";',
      "node_modules/hono/index.js": "",
      "node_modules/hono/package.json": manifest,
    },
  ],
  [
    "the page takes values from text, and only types from elsewhere",
    {
      "web/page.ts": 'import { b } from "../src/kernel/b.ts"; b;',
      "src/kernel/b.ts": "export const b = 1;",
    },
  ],
  ["no cycles", { "src/kernel/a.ts": 'import "./b.ts";', "src/kernel/b.ts": 'import "./a.ts";' }],
];

test("[core.layers.detected] every rule has a test violation", () => {
  expect(planted.map(([rule]) => rule).sort()).toEqual(layerRules.map(({ name }) => name).sort());
});

for (const [rule, files] of planted) {
  test(`[core.layers.detected] a violation of "${rule}" is detected`, async () => {
    const folder = mkdtempSync(join(tmpdir(), "lectern-layers-"));
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }

    const { summary } = await look(folder);

    expect(summary.violations.map((violation) => violation.rule.name)).toContain(rule);
  });
}

async function look(baseDir: string): Promise<ICruiseResult> {
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
  if (typeof result.output === "string") throw new Error("The cruiser answered in words.");
  return result.output;
}
