import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { architecture } from "../shelves/architecture/shelf.ts";
import { search } from "../shelves/search/shelf.ts";
import { openLibrary } from "./library.ts";
import { makeLog } from "./log.ts";
import { readSettings } from "./settings.ts";

/** What comes of an operation where the home lies below a file, so that nobody can make it. */
async function outcomeOf(shelves: string | undefined, name: string, input: object) {
  const root = mkdtempSync(join(tmpdir(), "lectern-homeless-"));
  writeFileSync(join(root, "file"), "");
  const library = openLibrary({
    shelves: [architecture, search],
    settings: readSettings({ root, shelves }, { LECTERN_HOME: join(root, "file", "home") }, root),
    identity: { name: "lectern", title: "Lectern", version: "0" },
    log: makeLog({ level: "error", write: () => {} }),
  });
  onTestFinished(async () => {
    await library.close();
    rmSync(root, { recursive: true, force: true });
  });
  const entry = library.catalogue.find(name);
  if (!entry) throw new Error(`There is no ${name}.`);
  const outcome = await library.call(entry, input, { actor: { surface: "test" } });
  return outcome.ok ? "ok" : outcome.failure?.code;
}

test("shelves that keep nothing are served where no home can be made, and others are not", async () => {
  const asked = ["search-architecture", { query: "lamp" }] as const;

  expect(await outcomeOf("architecture", ...asked)).toBe("ok");
  expect(await outcomeOf("architecture,search", ...asked)).toBe("home-unusable");
  expect(await outcomeOf(undefined, ...asked)).toBe("home-unusable");
});

test("[house.home.own] the store is its owner's alone, in a folder that others may look into", async () => {
  const home = mkdtempSync(join(tmpdir(), "lectern-open-"));
  chmodSync(home, 0o755);
  const library = openLibrary({
    shelves: [search],
    settings: readSettings({}, { LECTERN_HOME: home }, home),
    identity: { name: "lectern", title: "Lectern", version: "0" },
    log: makeLog({ level: "error", write: () => {} }),
  });
  onTestFinished(async () => {
    await library.close();
    rmSync(home, { recursive: true, force: true });
  });
  expect(library.house.documents.count()).toBe(0);
  const stores = readdirSync(home).filter((name) => name.startsWith("lectern.sqlite"));
  expect(stores).toContain("lectern.sqlite-wal");
  for (const name of stores) {
    expect([name, statSync(join(home, name)).mode & 0o777]).toEqual([name, 0o600]);
  }
});

test("nothing is proposed to a store that ends with the process", async () => {
  expect(await outcomeOf("architecture", "propose-decision", { kind: "new", title: "Lamp" })).toBe(
    "home-unusable",
  );
});
