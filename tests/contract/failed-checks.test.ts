import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { openSample } from "../fixtures/library/sample-library.ts";
import { clientsOf } from "./surface-clients.ts";

const app = await openSample();
const { shell } = clientsOf(app);
afterAll(() => app.close());

const files = {
  "right/docs/index.md": "# Tide\n\nSee [the start](start.md).\n",
  "right/docs/start.md": "# Start\n\nThere is not much yet.\n",
  "right/objects/a.qmd.md": "# A\n\n## One [[one: Item]]\n",
  "right/sitemap.xml": sitemap("https://tide.example/"),
  "wrong/docs/index.md": "# Tide\n\nSee [more](more.md).\n\n```json\n{ oops\n```\n",
  "wrong/objects/a.qmd.md": "# A\n\n## One [[one: Item]]\n\n- see: [[#two]]\n",
  "wrong/sitemap.xml": sitemap("no address"),
};
for (const [path, text] of Object.entries(files)) {
  const target = join(app.settings.root, path);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, text);
}

function sitemap(address: string): string {
  const namespace = "http://www.sitemaps.org/schemas/sitemap/0.9";
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="${namespace}"><url><loc>${address}</loc></url></urlset>\n`;
}

const sitemapFlag = "--sitemap-path";
const checks: [fails: string[], passes: string[]][] = [
  [
    ["repository", "links", "wrong/docs"],
    ["repository", "links", "right/docs"],
  ],
  [
    ["repository", "content", "wrong/docs"],
    ["repository", "content", "right/docs"],
  ],
  [
    ["repository", "diataxis", "wrong/docs"],
    ["repository", "diataxis", "right/docs"],
  ],
  [
    ["repository", "sitemap", "validate", "wrong/docs", sitemapFlag, "wrong/sitemap.xml"],
    ["repository", "sitemap", "validate", "right/docs", sitemapFlag, "right/sitemap.xml"],
  ],
  [
    ["objects", "check", "wrong/objects"],
    ["objects", "check", "right/objects"],
  ],
  [
    ["architecture", "validate", "one-ledger", "ledger.delete(entry)"],
    ["architecture", "validate", "one-ledger", "ledger.append(entry)"],
  ],
];

test.each(checks)("[core.cli.failed-check] %j exits with 1", async (fails, passes) => {
  const result = await shell(...fails);
  expect([result.code, result.err]).toEqual([1, ""]);
  expect(await shell(...fails, "--json")).toMatchObject({ code: 1, err: "" });

  expect(await shell(...passes)).toMatchObject({ code: 0, err: "" });
});

test("[core.cli.failed-check] a repository that cannot be published exits with 1", async () => {
  const { code, out } = await shell("repository", "verify-deployment", "wrong");
  expect(out).toContain("FAIL");
  expect(code).toBe(1);
});
