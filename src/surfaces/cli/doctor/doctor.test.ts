import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { childSource } from "../../../../tests/child-source.ts";
import { runCli } from "../../../../tests/fixtures/library/cli-library.ts";
import { bundledModelsFolder, damagedModelFiles } from "../../../kernel/models/bundled-models.ts";
import { openPrivateFiles } from "../../../kernel/paths/private-files.ts";
import { openApp } from "../../../kernel/runtime/app.ts";
import { createLog } from "../../../kernel/runtime/log.ts";
import { defineShelf } from "../../../kernel/shelf.ts";
import { openDatabase } from "../../../kernel/storage/database.ts";
import { derivedTables } from "../../../kernel/storage/migrations.ts";
import { run } from "../../../kernel/storage/steps.ts";
import type { Check } from "./check.ts";
import { checkCollection, checkFolder, checkWatching } from "./folder-checks.ts";
import { checkNode } from "./installation-checks.ts";

/** A shelf with one derived table, which shows whether documents were indexed again. */
const notes = defineShelf<undefined>({
  name: "notes",
  dialect: "qmd",
  guide: "",
  tables: derivedTables(1, "CREATE TABLE notes_seen (path TEXT);"),
  operations: [],
  open: () => undefined,
  *onDocumentChanges(_state, { added }) {
    for (const { path } of added) yield* run("INSERT INTO notes_seen VALUES (?)", path);
    return [];
  },
});

/** A home with one collection of two documents that was never opened. */
function home() {
  const folder = mkdtempSync(join(tmpdir(), "lectern-doctor-"));
  const documents = join(folder, "documents");
  mkdirSync(documents);
  for (const name of ["a.md", "b.md"]) writeFileSync(join(documents, name), `# ${name}\n`);
  const env = { LECTERN_HOME: join(folder, "home") };
  mkdirSync(env.LECTERN_HOME);
  const config = join(env.LECTERN_HOME, "config.json");
  const content = { collections: { docs: { path: documents, pattern: "**/*.md" } } };
  writeFileSync(config, JSON.stringify(content));
  const run = (...argv: string[]) =>
    runCli(["doctor", ...argv], {
      env,
      cwd: folder,
      shelves: [notes],
      openApp: (settings, identity) =>
        openApp({
          shelves: [notes],
          settings,
          identity,
          log: createLog({ level: "error", write: () => {} }),
        }),
    });
  const checks = async (...argv: string[]) => {
    const { code, out } = await run("--json", ...argv);
    const report: { ok: boolean; checks: Check[]; repairs?: string[] } = JSON.parse(out);
    const states = (name: string) =>
      report.checks.filter((check) => check.name === name).map(({ state }) => state);
    return { code, ...report, states };
  };
  const store = join(env.LECTERN_HOME, "lectern.sqlite");
  const seen = () => {
    const db = openDatabase(store);
    const rows = db.all<{ path: string }>("SELECT path FROM notes_seen ORDER BY path");
    db.close();
    return rows.map(({ path }) => path);
  };
  return { folder, env, config, documents, store, run, checks, seen };
}

/** Like the initial indexing of a store, which also repairs it. */
async function filledHome() {
  const made = home();
  const db = openDatabase(made.store);
  db.exec("CREATE TABLE migrations (what TEXT PRIMARY KEY, state TEXT NOT NULL)");
  db.exec(`INSERT INTO migrations VALUES ('derived names', '["gone"]')`);
  db.close();
  expect((await made.run("--repair")).code).toBe(0);
  expect(made.seen()).toEqual(["a.md", "b.md"]);
  return made;
}

test("[core.cli.doctor] a healthy home passes, line by line", async () => {
  const { run, checks } = await filledHome();
  const { code, out } = await run();
  expect(code).toBe(0);
  expect(out).toMatch(/^ok +node +Node \d/m);
  expect(out).toMatch(/^ok +sqlite +SQLite 3\./m);
  expect(out).toMatch(/^ok +collection +docs: /m);
  expect(out).toMatch(/No problems found\.\n$/);
  const { ok, states } = await checks();
  expect(ok).toBe(true);
  for (const name of ["node", "sqlite", "home", "config", "store", "index", "lease", "watching"]) {
    expect(states(name), name).toEqual(["ok"]);
  }
});

test.skipIf(process.platform !== "linux")(
  "[core.cli.doctor] a file whose name is not valid UTF-8 has to be renamed",
  async () => {
    const { checks, documents } = await filledHome();
    execFileSync("sh", ["-c", `printf x > "$1/$(printf 'caf\\351.md')"`, "sh", documents]);
    const { checks: all } = await checks();

    expect(all.filter(({ state }) => state === "warn")).toEqual([
      {
        name: "collection",
        state: "warn",
        says: "docs: caf\uFFFD.md: its name is not valid UTF-8.",
        remedy: "Rename it to index it.",
      },
    ]);
  },
);

test("[core.cli.doctor] on a new machine nothing is wrong, and nothing is created", async () => {
  const { run, env } = home();
  rmSync(env.LECTERN_HOME, { recursive: true });
  expect((await run()).code).toBe(0);
  expect((await run("--repair")).code).toBe(0);
  expect(existsSync(env.LECTERN_HOME)).toBe(false);
});

test("[core.cli.doctor] a damaged configuration is named, moved aside and restored", async () => {
  const { run, checks, config, env } = await filledHome();
  writeFileSync(`${config}.bak`, readFileSync(config));
  writeFileSync(config, '{ "collections": ');
  const sick = await run();
  expect(sick.code).toBe(1);
  expect(sick.out).toMatch(/^fail +config .*not valid JSON/m);
  expect(sick.out).toMatch("Run 'lectern doctor --repair'.");

  const repaired = await checks("--repair");

  expect(repaired.code).toBe(0);
  expect(repaired.repairs).toEqual([expect.stringMatching("the last good configuration")]);
  expect(repaired.states("collection")).toEqual(["ok"]);
  const kept = readdirSync(env.LECTERN_HOME).filter((name) =>
    name.startsWith("config.json.damaged"),
  );
  expect(kept).toHaveLength(1);
});

test("[core.cli.doctor] a damaged store is moved aside and rebuilt from the documents", async () => {
  const { checks, store, env, seen } = await filledHome();
  // A new file: an uncollected connection of this process may still write to the old one.
  for (const suffix of ["", "-wal", "-shm"]) rmSync(store + suffix, { force: true });
  writeFileSync(store, Buffer.alloc(8192, "x"));
  const sick = await checks();
  expect(sick.code).toBe(1);
  expect(sick.states("store")).toEqual(["fail"]);

  const repaired = await checks("--repair");

  expect(repaired.code).toBe(0);
  expect(repaired.repairs).toEqual([
    expect.stringMatching(/saved as .*; the new one has 2 documents/),
  ]);
  expect(seen()).toEqual(["a.md", "b.md"]);
  expect(
    readdirSync(env.LECTERN_HOME).some((name) => name.startsWith("lectern.sqlite.damaged")),
  ).toBe(true);
});

test("[core.cli.doctor] a missing table and an outdated shelf are rebuilt", async () => {
  const { checks, store, seen } = await filledHome();
  const break_ = (sql: string) => {
    const db = openDatabase(store);
    db.exec(sql);
    db.close();
  };
  for (const sql of ["DROP TABLE notes_seen", "INSERT INTO stale_shelves VALUES ('notes')"]) {
    break_(sql);
    expect((await checks()).states("index")).toEqual(["fail"]);
    const repaired = await checks("--repair");
    expect(repaired.code).toBe(0);
    expect(repaired.repairs).toEqual(["The index was rebuilt from 2 documents."]);
    expect(seen()).toEqual(["a.md", "b.md"]);
  }
});

test("[core.cli.doctor] a damaged store in use by another process is left alone", async () => {
  const { run, store, env } = await filledHome();
  const holder = spawn(
    process.execPath,
    [
      childSource(`
        import { openLease } from "./src/kernel/home/lease.ts";
        const lease = openLease(process.argv[2]);
        lease.tryAcquire();
        console.log("holds");
        setInterval(() => {}, 1000);
      `),
      join(env.LECTERN_HOME, "lease.sqlite"),
    ],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  try {
    await once(holder.stdout, "data");
    expect((await run()).out).toMatch("Another process is watching and indexing");
    for (const suffix of ["-wal", "-shm"]) rmSync(store + suffix, { force: true });
    writeFileSync(store, Buffer.alloc(8192, "x"));
    const { code, err } = await run("--repair");
    expect(code).toBe(4);
    expect(err).toMatch("Stop the servers and agents");
    expect(readFileSync(store)).toEqual(Buffer.alloc(8192, "x"));
  } finally {
    holder.kill();
  }
});

test("[core.cli.doctor] a collection whose folder is missing or not a folder fails with a remedy", () => {
  const folder = mkdtempSync(join(tmpdir(), "lectern-doctor-"));
  writeFileSync(join(folder, "file"), "");
  const check = (path: string) => checkCollection({ name: "docs", path, pattern: "*" }, "lectern");
  expect(check(folder).state).toBe("ok");
  expect(check(join(folder, "gone"))).toMatchObject({
    state: "fail",
    remedy: "Restore the folder, or run 'lectern collection remove docs'.",
  });
  expect(check(join(folder, "file")).says).toMatch("is not a folder");
});

test("a home that cannot be written fails, and the message says how to choose another", () => {
  const folder = mkdtempSync(join(tmpdir(), "lectern-doctor-"));
  writeFileSync(join(folder, "file"), "");
  // A file in place of the folder also blocks users who bypass permissions.
  expect(checkFolder(join(folder, "file"))).toMatchObject({ name: "home", state: "fail" });
  expect(checkFolder(join(folder, "later", "deeper")).state).toBe("ok");
  chmodSync(folder, 0o500);
  const asOwner = checkFolder(folder);
  expect(asOwner.state).toBe(process.getuid?.() === 0 ? "ok" : "fail");
});

test("an old Node fails, by the version that package.json requires", () => {
  const { engines } = JSON.parse(
    readFileSync(new URL("../../../../package.json", import.meta.url), "utf8"),
  );
  const least = engines.node.replace(">=", "");
  expect(checkNode(`${least}.0`).state).toBe("ok");
  expect(checkNode("24.1.0").state).toBe("ok");
  expect(checkNode("20.18.3")).toMatchObject({
    state: "fail",
    remedy: `Install Node ${least} or newer.`,
  });
  expect(checkNode("18.20.0").state).toBe("fail");
});

test("more folders than watches is a warning, not a failure", () => {
  const folder = mkdtempSync(join(tmpdir(), "lectern-doctor-"));
  for (const name of ["a", "b", "c/d"]) mkdirSync(join(folder, name), { recursive: true });
  const roots = [{ name: "docs", path: folder, pattern: "**" }];
  expect(checkWatching(roots, 5)).toMatchObject({ state: "ok" });
  expect(checkWatching(roots, 4)).toMatchObject({ state: "warn" });
  const flat = roots.map((root) => ({ ...root, pattern: "*.md" }));
  expect(checkWatching(flat, 4)).toMatchObject({ state: "ok" });
  expect(checkWatching(flat, 3)).toMatchObject({ state: "warn" });
  expect(checkWatching(roots, undefined)).toMatchObject({ state: "ok" });
});

test("[core.cli.doctor] a folder in place of the store is reported as such", async () => {
  const { checks, store, run } = home();
  mkdirSync(store);
  const { code, states } = await checks();
  expect(code).toBe(1);
  expect(states("store")).toEqual(["fail"]);
  expect((await run("--repair")).out).toContain(`${store} is a folder.`);
});

test("[core.cli.doctor-newer] a store of a newer Lectern fails, as in every command", async () => {
  const { checks, store, run } = await filledHome();
  const db = openDatabase(store);
  db.run("UPDATE migrations SET state = '99' WHERE what = 'steps of proposals'");
  db.run("UPDATE migrations SET state = 'of a newer one' WHERE what = 'all tables'");
  db.close();
  const sick = await checks();
  expect(sick.code).toBe(1);
  expect(sick.states("store")).toEqual(["ok", "fail"]);
  expect((await run()).out).toContain(
    "The tables of 'proposals' were written by a newer version of Lectern.",
  );
});

test("[core.cli.doctor-hidden] the files that a project hides are named, with a remedy if it is missing", async () => {
  const { run, folder, documents, store: path } = await filledHome();
  const store = openDatabase(path);
  const project = join(folder, "foreign.qda");
  openPrivateFiles(store).replace(project, [join(documents, "a.md"), join(project, "b.md")]);
  store.close();

  const named = `Private sources of ${project} hide ${join(documents, "a.md")}`;
  expect((await run()).out).toContain(`${named}, but the project is missing.`);
  mkdirSync(project);
  expect((await run()).out).toContain(`${named}.`);
});

test("[core.cli.doctor-skipped] unindexed files are counted and named", async () => {
  const { checks, documents, run } = await filledHome();
  writeFileSync(join(documents, "c.md"), new Uint8Array([1, 0, 2]));
  writeFileSync(join(documents, "other.txt"), "");
  const { code, states } = await checks();
  expect(code).toBe(0);
  expect(states("collection")).toEqual(["ok", "warn"]);
  const { out } = await run();
  expect(out).toContain("docs: 1 file of 3 is not in the index: c.md.");
  expect(out).toContain("Run 'lectern update': it indexes them, or reports why it skips them");
});

test("[search.models.doctor] bundled models are named too, and compared with the built ones", async () => {
  const { run } = await filledHome();
  const { out } = await run();
  expect(out).toMatch(
    /^ok +models +embedding by all-MiniLM-L6-v2, re-ranking by \S+, expansion by none$/m,
  );
  const folder = mkdtempSync(join(tmpdir(), "lectern-models-"));
  cpSync(bundledModelsFolder(), folder, { recursive: true });
  expect(damagedModelFiles("embedder", folder)).toEqual([]);
  truncateSync(join(folder, "minilm", "model.onnx"), 1_000);
  expect(damagedModelFiles("embedder", folder)).toEqual(["minilm/model.onnx"]);
  expect(damagedModelFiles("reranker", folder)).toEqual([]);
});

test("[search.models.doctor] configured models are named, with what is missing", async () => {
  const { config, checks, run } = await filledHome();
  const configure = (models: object) =>
    writeFileSync(config, JSON.stringify({ ...JSON.parse(readFileSync(config, "utf8")), models }));
  const server = { kind: "openai", url: "http://127.0.0.1:9/v1", model: "words" };
  configure({ embedding: server, reranking: { kind: "none" } });
  expect((await checks()).states("models")).toEqual(["ok"]);
  expect((await run()).out).toContain(
    "embedding by words at 127.0.0.1:9, re-ranking by none, expansion by none",
  );

  configure({ embedding: { ...server, key_from: "LECTERN_NO_SUCH_VARIABLE" } });
  expect((await checks()).states("models")).toEqual(["warn"]);
  expect((await run()).out).toContain("models.embedding.key_from");
});
