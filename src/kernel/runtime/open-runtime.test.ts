import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readDocumentsOf } from "../../../tests/fixtures/files/watched-folders.ts";
import { architecture } from "../../shelves/architecture/shelf.ts";
import { search } from "../../shelves/search/shelf.ts";
import { readSettings } from "../home/settings.ts";
import { openApp } from "./app.ts";
import { createLog } from "./log.ts";

/** The outcome of an operation if the home is below a file and cannot be created. */
async function outcomeOf(shelves: string | undefined, name: string, input: object) {
  const root = mkdtempSync(join(tmpdir(), "lectern-homeless-"));
  writeFileSync(join(root, "file"), "");
  const library = openApp({
    shelves: [architecture, search],
    settings: readSettings({ root, shelves }, { LECTERN_HOME: join(root, "file", "home") }, root),
    identity: { name: "lectern", title: "Lectern", version: "0" },
    log: createLog({ level: "error", write: () => {} }),
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

test("stateless shelves are served if no home can be created, and others are not", async () => {
  const asked = ["search-architecture", { query: "lamp" }] as const;

  expect(await outcomeOf("architecture", ...asked)).toBe("ok");
  expect(await outcomeOf("architecture,search", ...asked)).toBe("home-unusable");
  expect(await outcomeOf(undefined, ...asked)).toBe("home-unusable");
});

test("[core.home.own] only the owner can read the store, even in a folder that others can read", async () => {
  const home = mkdtempSync(join(tmpdir(), "lectern-open-"));
  chmodSync(home, 0o755);
  const library = openApp({
    shelves: [search],
    settings: readSettings({}, { LECTERN_HOME: home }, home),
    identity: { name: "lectern", title: "Lectern", version: "0" },
    log: createLog({ level: "error", write: () => {} }),
  });
  onTestFinished(async () => {
    await library.close();
    rmSync(home, { recursive: true, force: true });
  });
  expect(readDocumentsOf(library.runtime.db).count()).toBe(0);
  const stores = readdirSync(home).filter((name) => name.startsWith("lectern.sqlite"));
  expect(stores).toContain("lectern.sqlite-wal");
  for (const name of stores) {
    expect([name, statSync(join(home, name)).mode & 0o777]).toEqual([name, 0o600]);
  }
});

/** A home in a fresh folder, with world-readable files of an older version. */
function looseHome() {
  const top = mkdtempSync(join(tmpdir(), "lectern-loose-"));
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  const home = join(top, "home");
  mkdirSync(home);
  const files = ["config.json", "config.json.bak", "lease.beat", "lectern.sqlite.damaged-x"];
  for (const name of [...files, "notes.txt"]) writeFileSync(join(home, name), "{}");
  for (const name of ["", ...readdirSync(home)])
    chmodSync(join(home, name), name === "" ? 0o755 : 0o644);
  const modeOf = (path: string) => statSync(join(top, path)).mode & 0o1777;
  const open = async (root: string) => {
    const library = openApp({
      shelves: [search],
      settings: readSettings({ root }, { LECTERN_HOME: home }, top),
      identity: { name: "lectern", title: "Lectern", version: "0" },
      log: createLog({ level: "error", write: () => {} }),
    });
    readDocumentsOf(library.runtime.db).count();
    await library.close();
  };
  return { top, home, files, modeOf, open };
}

test("[core.home.tightened] permissions of a home that others could read are restricted when it is opened", async () => {
  const { top, home, files, modeOf, open } = looseHome();
  mkdirSync(join(top, "documents"));
  writeFileSync(join(top, "theirs.json"), "{}", { mode: 0o644 });
  symlinkSync(join(top, "theirs.json"), join(home, "config.json.linked"));

  await open(join(top, "documents"));

  expect(modeOf("home")).toBe(0o700);
  for (const name of files) expect([name, modeOf(join("home", name))]).toEqual([name, 0o600]);
  expect(modeOf("home/lectern.sqlite")).toBe(0o600);
  expect(modeOf("home/notes.txt")).toBe(0o644);
  expect(modeOf("theirs.json")).toBe(0o644);
});

test("[core.home.tightened] a folder shared on purpose, or served itself, keeps its mode", async () => {
  const served = looseHome();
  await served.open(served.home);
  expect(served.modeOf("home")).toBe(0o755);
  expect(served.modeOf("home/config.json")).toBe(0o600);

  const shared = looseHome();
  mkdirSync(join(shared.top, "documents"));
  chmodSync(shared.home, 0o1777);
  await shared.open(join(shared.top, "documents"));
  expect(shared.modeOf("home")).toBe(0o1777);
});

test("no proposals are made in a store that ends with the process", async () => {
  expect(await outcomeOf("architecture", "propose-decision", { kind: "new", title: "Lamp" })).toBe(
    "home-unusable",
  );
});
