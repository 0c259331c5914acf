import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type Flags, readSettings } from "../../kernel/settings.ts";
import { checkAll } from "./doctor-checks.ts";

/** A home with a collection whose folder is gone, and one that is there. */
function glance(flags: Flags = {}) {
  const home = mkdtempSync(join(tmpdir(), "lectern-glance-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  mkdirSync(join(home, "papers"));
  const collections = {
    papers: { path: join(home, "papers"), pattern: "**/*.md" },
    gone: { path: join(home, "gone"), pattern: "**/*.md" },
  };
  writeFileSync(join(home, "config.json"), JSON.stringify({ collections }));
  const forced = flags.forceRoot === undefined ? {} : { forceRoot: join(home, "papers") };
  const settings = readSettings({ ...flags, ...forced }, { LECTERN_HOME: home }, home);
  return checkAll(settings, "lectern", "glance");
}

test("a glance finds what is wrong, and leaves alone what takes long or what a server knows", () => {
  const checks = glance();

  expect(checks.filter(({ state }) => state === "fail")).toMatchObject([
    { name: "collection", remedy: "Bring it back, or run 'lectern collection remove gone'." },
  ]);
  const names = checks.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(["node", "sqlite", "home", "config", "store"]));
  for (const slow of ["lease", "watching"]) expect(names).not.toContain(slow);
});

test("below a force root a glance names nothing that lies outside", () => {
  const checks = glance({ forceRoot: "papers" });

  expect(checks.map(({ name }) => name)).toEqual(expect.arrayContaining(["node", "sqlite"]));
  for (const { says } of checks) expect(says).not.toContain(tmpdir());
});
