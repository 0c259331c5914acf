import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readSettings, type SettingsFlags } from "../../../kernel/home/settings.ts";
import { checkInstallation } from "./installation-checks.ts";

/** A home with a collection whose folder is missing, and one whose folder exists. */
function glance(flags: SettingsFlags = {}) {
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
  return checkInstallation(settings, "lectern", "glance");
}

test("the quick check finds problems, and skips slow checks and those that a server does", () => {
  const checks = glance();

  expect(checks.filter(({ state }) => state === "fail")).toMatchObject([
    { name: "collection", remedy: "Restore the folder, or run 'lectern collection remove gone'." },
  ]);
  const names = checks.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(["node", "sqlite", "home", "config", "store"]));
  for (const slow of ["lease", "watching"]) expect(names).not.toContain(slow);
});

test("under a force root the quick check names nothing outside", () => {
  const checks = glance({ forceRoot: "papers" });

  expect(checks.map(({ name }) => name)).toEqual(expect.arrayContaining(["node", "sqlite"]));
  for (const { says } of checks) expect(says).not.toContain(tmpdir());
});
