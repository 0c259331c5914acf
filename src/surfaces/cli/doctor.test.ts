import { spawn } from "node:child_process";
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
import { childSource } from "../../../tests/child-source.ts";
import { runCli } from "../../../tests/fixtures/cli-library.ts";
import { openDatabase } from "../../kernel/database.ts";
import { openLibrary } from "../../kernel/library.ts";
import { makeLog } from "../../kernel/log.ts";
import { damagedFiles, shippedModels } from "../../kernel/models/bundled.ts";
import { defineShelf } from "../../kernel/shelf.ts";
import { derived } from "../../kernel/tables.ts";
import type { Check } from "./doctor-check.ts";
import { checkNode } from "./doctor-checks.ts";
import { checkCollection, checkFolder, checkWatching } from "./doctor-folders.ts";

/** A shelf with one derived table, which shows whether documents were taken in anew. */
const notes = defineShelf<{ add(path: string): void }>({
  name: "notes",
  dialect: "qmd",
  guide: "",
  tables: derived(1, "CREATE TABLE notes_seen (path TEXT);"),
  operations: [],
  open: ({ db }) => ({
    add: (path) => void db.run("INSERT INTO notes_seen VALUES (?)", path),
  }),
  absorb(state, { added }) {
    for (const { path } of added) state.add(path);
    return [];
  },
});

/** A home with one collection of two documents, never opened yet. */
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
      openLibrary: (settings, identity) =>
        openLibrary({
          shelves: [notes],
          settings,
          identity,
          log: makeLog({ level: "error", write: () => {} }),
        }),
    });
  const checks = async (...argv: string[]) => {
    const { code, out } = await run("--json", ...argv);
    const said: { ok: boolean; checks: Check[]; repairs?: string[] } = JSON.parse(out);
    const states = (name: string) =>
      said.checks.filter((check) => check.name === name).map(({ state }) => state);
    return { code, ...said, states };
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

/** What fills a store for the first time is the same that repairs one. */
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

test("[house.cli.doctor] a good home is well, line by line", async () => {
  const { run, checks } = await filledHome();
  const { code, out } = await run();
  expect(code).toBe(0);
  expect(out).toMatch(/^ok +node +Node \d/m);
  expect(out).toMatch(/^ok +sqlite +SQLite 3\./m);
  expect(out).toMatch(/^ok +collection +docs: /m);
  expect(out).toMatch(/All is well\.\n$/);
  const { ok, states } = await checks();
  expect(ok).toBe(true);
  for (const name of ["node", "sqlite", "home", "config", "store", "index", "lease", "watching"]) {
    expect(states(name), name).toEqual(["ok"]);
  }
});

test("[house.cli.doctor] on a fresh machine nothing is wrong, and nothing is made", async () => {
  const { run, env } = home();
  rmSync(env.LECTERN_HOME, { recursive: true });
  expect((await run()).code).toBe(0);
  expect((await run("--repair")).code).toBe(0);
  expect(existsSync(env.LECTERN_HOME)).toBe(false);
});

test("[house.cli.doctor] a damaged configuration is named, kept aside and restored", async () => {
  const { run, checks, config, env } = await filledHome();
  writeFileSync(`${config}.bak`, readFileSync(config));
  writeFileSync(config, '{ "collections": ');
  const sick = await run();
  expect(sick.code).toBe(1);
  expect(sick.out).toMatch(/^fail +config .*not valid JSON/m);
  expect(sick.out).toMatch("Run 'lectern doctor --repair'.");

  const mended = await checks("--repair");

  expect(mended.code).toBe(0);
  expect(mended.repairs).toEqual([expect.stringMatching("the last good configuration")]);
  expect(mended.states("collection")).toEqual(["ok"]);
  const kept = readdirSync(env.LECTERN_HOME).filter((name) =>
    name.startsWith("config.json.damaged"),
  );
  expect(kept).toHaveLength(1);
});

test("[house.cli.doctor] a damaged store is kept aside and filled anew from the documents", async () => {
  const { checks, store, env, seen } = await filledHome();
  // A new file: a connection of this process that is not yet collected may still write into the old one.
  for (const suffix of ["", "-wal", "-shm"]) rmSync(store + suffix, { force: true });
  writeFileSync(store, Buffer.alloc(8192, "x"));
  const sick = await checks();
  expect(sick.code).toBe(1);
  expect(sick.states("store")).toEqual(["fail"]);

  const mended = await checks("--repair");

  expect(mended.code).toBe(0);
  expect(mended.repairs).toEqual([
    expect.stringMatching(/kept as .*; a new one holds 2 documents/),
  ]);
  expect(seen()).toEqual(["a.md", "b.md"]);
  expect(
    readdirSync(env.LECTERN_HOME).some((name) => name.startsWith("lectern.sqlite.damaged")),
  ).toBe(true);
});

test("[house.cli.doctor] a lost table and a shelf that lags are made anew", async () => {
  const { checks, store, seen } = await filledHome();
  const break_ = (sql: string) => {
    const db = openDatabase(store);
    db.exec(sql);
    db.close();
  };
  for (const sql of ["DROP TABLE notes_seen", "INSERT INTO stale_shelves VALUES ('notes')"]) {
    break_(sql);
    expect((await checks()).states("index")).toEqual(["fail"]);
    const mended = await checks("--repair");
    expect(mended.code).toBe(0);
    expect(mended.repairs).toEqual(["The index was made anew from 2 documents."]);
    expect(seen()).toEqual(["a.md", "b.md"]);
  }
});

test("[house.cli.doctor] a damaged store that another process uses is left alone", async () => {
  const { run, store, env } = await filledHome();
  const holder = spawn(
    process.execPath,
    [
      childSource(`
        import { openLease } from "./src/kernel/lease.ts";
        const lease = openLease(process.argv[2]);
        lease.take();
        console.log("holds");
        setInterval(() => {}, 1000);
      `),
      join(env.LECTERN_HOME, "lease.sqlite"),
    ],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  try {
    await once(holder.stdout, "data");
    expect((await run()).out).toMatch("Another process watches and indexes");
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

test("[house.cli.doctor] a collection whose folder is gone or is no folder fails with its remedy", () => {
  const folder = mkdtempSync(join(tmpdir(), "lectern-doctor-"));
  writeFileSync(join(folder, "file"), "");
  const check = (path: string) => checkCollection({ name: "docs", path, pattern: "*" }, "lectern");
  expect(check(folder).state).toBe("ok");
  expect(check(join(folder, "gone"))).toMatchObject({
    state: "fail",
    remedy: "Bring it back, or run 'lectern collection remove docs'.",
  });
  expect(check(join(folder, "file")).says).toMatch("is no folder");
});

test("a home that cannot be written fails, and says how to choose another", () => {
  const folder = mkdtempSync(join(tmpdir(), "lectern-doctor-"));
  writeFileSync(join(folder, "file"), "");
  // A file in the way stops even those whom permissions do not.
  expect(checkFolder(join(folder, "file"))).toMatchObject({ name: "home", state: "fail" });
  expect(checkFolder(join(folder, "later", "deeper")).state).toBe("ok");
  chmodSync(folder, 0o500);
  const asOwner = checkFolder(folder);
  expect(asOwner.state).toBe(process.getuid?.() === 0 ? "ok" : "fail");
});

test("an old Node fails, by the version that package.json asks for", () => {
  const { engines } = JSON.parse(
    readFileSync(new URL("../../../package.json", import.meta.url), "utf8"),
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

test("[house.cli.doctor] a folder in the place of the store is told as one", async () => {
  const { checks, store, run } = home();
  mkdirSync(store);
  const { code, states } = await checks();
  expect(code).toBe(1);
  expect(states("store")).toEqual(["fail"]);
  expect((await run("--repair")).out).toContain(`${store} is a folder.`);
});

test("[house.cli.doctor-newer] a store that a newer Lectern kept fails, as every command does", async () => {
  const { checks, store, run } = await filledHome();
  const db = openDatabase(store);
  db.run("UPDATE migrations SET state = '99' WHERE what = 'steps of proposals'");
  db.run("UPDATE migrations SET state = 'of a newer one' WHERE what = 'all tables'");
  db.close();
  const sick = await checks();
  expect(sick.code).toBe(1);
  expect(sick.states("store")).toEqual(["ok", "fail"]);
  expect((await run()).out).toContain("The tables of 'proposals' were kept by a newer Lectern.");
});

test("[house.cli.doctor-skipped] files that are not in the index are counted and named", async () => {
  const { checks, documents, run } = await filledHome();
  writeFileSync(join(documents, "c.md"), new Uint8Array([1, 0, 2]));
  writeFileSync(join(documents, "other.txt"), "");
  const { code, states } = await checks();
  expect(code).toBe(0);
  expect(states("collection")).toEqual(["ok", "warn"]);
  const { out } = await run();
  expect(out).toContain("docs: 1 file of 3 is not in the index: c.md.");
  expect(out).toContain("Run 'lectern update': it takes in what it can and tells why it skips");
});

test("[search.models.doctor] the models that ship are named too, and compared with what was built", async () => {
  const { run } = await filledHome();
  const { out } = await run();
  expect(out).toMatch(
    /^ok +models +embedding by all-MiniLM-L6-v2, re-ranking by \S+, expansion by none$/m,
  );
  const folder = mkdtempSync(join(tmpdir(), "lectern-models-"));
  cpSync(shippedModels(), folder, { recursive: true });
  expect(damagedFiles("embedder", folder)).toEqual([]);
  truncateSync(join(folder, "minilm", "model.onnx"), 1_000);
  expect(damagedFiles("embedder", folder)).toEqual(["minilm/model.onnx"]);
  expect(damagedFiles("reranker", folder)).toEqual([]);
});

test("[search.models.doctor] configured models are named, and what they lack", async () => {
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
