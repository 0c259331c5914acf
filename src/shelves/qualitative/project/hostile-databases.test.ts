import { execFileSync } from "node:child_process";
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { outcomeOf } from "../../../../tests/fixtures/library/named-call.ts";
import {
  alteredProjects,
  bomb,
  classicDatabase,
  endless,
  privateDatabase,
  projectSchemas,
  taguetteDatabase,
} from "../../../../tests/fixtures/qualitative/hostile-schemas.ts";
import {
  databaseOf,
  interviewLibrary,
  projectLibrary,
} from "../../../../tests/fixtures/qualitative/project-library.ts";
import { journalNaming } from "../../../../tests/fixtures/sql/super-journal.ts";

const person = { surface: "web" };

test("[qualitative.hostile.schema] a schema that can run code is refused, naming the object", async () => {
  const { refusal, root } = projectLibrary();

  for (const [name, { change, refusal: reason }] of Object.entries(projectSchemas)) {
    const path = join(root, `${name}.qda`);
    classicDatabase(path, change);
    const failure = await refusal("open_project", { path }).catch((error) => error);
    expect([name, failure.code]).toEqual([name, "PROJECT_NOT_OPENED/DB_OPEN_FAILED"]);
    expect([name, failure.message]).toEqual([name, expect.stringMatching(reason)]);
  }
});

test("[qualitative.hostile.honest] valid projects of QualCoder and Lectern are opened", async () => {
  const { call, root } = projectLibrary();
  classicDatabase(join(root, "ours.qda"));
  privateDatabase(join(root, "private.qda"));
  classicDatabase(join(root, "theirs.qda"), (db) =>
    db.exec(`DROP TABLE coder_names; DROP VIEW code_text_visible; DROP VIEW code_av_visible;
      CREATE TABLE IF NOT EXISTS coder_names (
        name TEXT UNIQUE NOT NULL,
        visibility INTEGER NOT NULL DEFAULT 1 CHECK (visibility IN (0, 1))
      );
      CREATE VIEW IF NOT EXISTS code_text_visible AS
        SELECT t.*
        FROM code_text t
        WHERE NOT EXISTS (
          SELECT 1
          FROM coder_names c
          WHERE c.name = t.owner
            AND c.visibility = 0
        );
      CREATE INDEX own_index ON code_text (fid, cid);
      CREATE TABLE "own table" (a TEXT DEFAULT 'none', b REAL DEFAULT -1.5, c DEFAULT NULL,
        d INTEGER NOT NULL DEFAULT (0), e COLLATE NOCASE);
      ANALYZE`),
  );

  for (const name of ["ours", "private", "theirs"]) {
    expect(await call("open_project", { path: `${name}.qda` })).toMatchObject({
      project_name: name,
    });
    await call("create_code", { name: "Hope", color: "#00AA00" }, person);
    expect(await call("list_codes")).toBeDefined();
  }
});

test("[qualitative.hostile.values] tables and values that no program writes are reported as such", async () => {
  const { library, root } = projectLibrary();
  for (const [name, sql] of Object.entries(alteredProjects)) {
    const path = join(root, `${name}.qda`);
    privateDatabase(path, (db) => db.exec(sql));
    const reports: string[] = [];
    for (const [operation, input] of [
      ["open_project", { path }],
      ["get_project_context", {}],
      ["list_sources", {}],
      ["list_codes", {}],
      ["create_code", { name: `Hope ${name}`, color: "#00AA00" }],
      ["close_project", {}],
    ] as const) {
      const outcome = await outcomeOf(library, operation, input, { actor: person });
      if (!outcome.ok && outcome.failure) reports.push(outcome.failure.code);
    }
    expect([name, reports[0]]).toEqual([
      name,
      expect.stringMatching(/^PROJECT_(ALTERED|NOT_OPENED\/DB_OPEN_FAILED)$/),
    ]);
    expect([name, reports.filter((code) => code === "internal-error")]).toEqual([name, []]);
  }
});

test("[qualitative.hostile.hides-files] a project can hide the files that its private sources name, but no folder", async () => {
  const { call, library, root } = projectLibrary();
  writeFileSync(join(root, "lamp.md"), "# Lamp\n");
  privateDatabase(join(root, "foreign.qda"), (db) => {
    for (const [id, path] of ["/", root, `${root}/.`, join(root, "lamp.md")].entries()) {
      db.prepare("INSERT INTO source (id, name, mediapath) VALUES (?, ?, ?)").run(
        id + 2,
        `n${id}`,
        `docs:${path}`,
      );
    }
    db.exec("INSERT OR REPLACE INTO lectern_sources (source_id, private) SELECT id, 1 FROM source");
  });
  await call("open_project", { path: "foreign.qda" });

  const { privateFiles } = library.runtime;
  expect(["/", root, join(root, "lamp.md")].map((path) => privateFiles.has(path))).toEqual([
    false,
    false,
    true,
  ]);
});

test("[qualitative.hostile.files] pipes, devices, links in place of journals and huge files are refused without blocking", async () => {
  const { refusal, root } = projectLibrary({});
  const victim = join(root, "victim.txt");
  writeFileSync(victim, "precious");
  const file = (name: string): string => {
    const path = join(root, `${name}.qda`);
    classicDatabase(path);
    return path;
  };
  execFileSync("mkfifo", [join(root, "pipe.qda")]);
  mkdirSync(join(root, "folder.qda"));
  execFileSync("mkfifo", [join(root, "folder.qda", "data.qda")]);
  mkdirSync(join(root, "nested.qda", "data.qda"), { recursive: true });
  symlinkSync("/dev/zero", join(root, "device.qda"));
  symlinkSync("loop.qda", join(root, "loop.qda"));
  symlinkSync(victim, `${file("log link")}-wal`);
  symlinkSync(victim, `${file("journal link")}-journal`);
  linkSync(victim, `${file("journal name")}-journal`);
  execFileSync("mkfifo", [`${file("journal pipe")}-journal`]);
  execFileSync("mkfifo", [`${file("memory pipe")}-shm`]);
  writeFileSync(`${file("journal elsewhere")}-journal`, journalNaming(victim));
  truncateSync(file("huge"), 10 * 1024 ** 3);
  writeFileSync(join(root, "garbage.qda"), Buffer.alloc(100_000, 7));
  writeFileSync(join(root, "empty.qda"), "");

  for (const name of readdirSync(root).filter((one) => one.endsWith(".qda"))) {
    const failure = await refusal("open_project", { path: join(root, name) });
    expect([name, failure.code]).toEqual([name, expect.stringMatching(/^PROJECT_NOT_OPENED\//)]);
  }
  expect(readFileSync(victim, "utf8")).toBe("precious");
});

test("[qualitative.hostile.force-root] under a force root a database with a second hard link is refused", async () => {
  const { root } = projectLibrary();
  const outside = projectLibrary();
  classicDatabase(join(outside.root, "outside.qda"));
  linkSync(join(outside.root, "outside.qda"), join(root, "inside.qda"));
  const fenced = projectLibrary({ forceRoot: root });

  expect(await fenced.refusal("open_project", { path: join(root, "inside.qda") })).toMatchObject({
    message: expect.stringContaining("another hard link"),
  });
  expect(await outside.call("open_project", { path: join(root, "inside.qda") })).toBeDefined();
});

test("[qualitative.hostile.later] a trigger added while a project is open stops reading and writing", async () => {
  const { call, refusal, root } = await interviewLibrary();
  const path = join(root, "interviews.qda", "data.qda");
  await call("set_source_privacy", { source_id: 1 }, person).catch(() => undefined);
  await call("create_code", { name: "Doubt", color: "#0000AA" }, person);
  const other = databaseOf(path);
  other.exec(`CREATE TRIGGER undo AFTER INSERT ON code_name BEGIN
    UPDATE lectern_sources SET private = NULL; END`);

  for (const [name, input] of [
    ["create_code", { name: "Fear", color: "#00AAAA" }],
    ["list_codes", {}],
  ] as const) {
    expect(await refusal(name, input)).toMatchObject({
      code: "PROJECT_UNSAFE",
      message: expect.stringContaining("trigger 'undo' on table 'code_name'"),
    });
  }

  other.exec("DROP TRIGGER undo");
  expect(await call("list_codes")).toBeDefined();
});

test("[qualitative.hostile.imports] a Taguette database whose schema can run code is refused", async () => {
  const { call, refusal, root } = projectLibrary();
  taguetteDatabase(join(root, "good.sqlite3"));
  const hostile = {
    computed: `ALTER TABLE documents ADD COLUMN x AS (${bomb})`,
    trigger: `CREATE TRIGGER slow AFTER INSERT ON tags BEGIN SELECT ${endless}; END`,
    view: `CREATE VIEW extra AS SELECT ${endless}`,
    virtual: "CREATE VIRTUAL TABLE extra USING fts5(a)",
    index: "CREATE INDEX extra ON tags (lower(path))",
  };
  for (const [name, sql] of Object.entries(hostile)) {
    taguetteDatabase(join(root, `${name}.sqlite3`), (db) => db.exec(sql));
    const failure = await refusal("import_project", {
      file: `${name}.sqlite3`,
      path: `${name}.qda`,
    });
    expect([name, failure.code]).toEqual([name, "PROJECT_NOT_IMPORTED/UNREADABLE"]);
    expect(failure.message).toContain(`'${name}' cannot be read: it contains the `);
    expect(existsSync(join(root, `${name}.qda`))).toBe(false);
  }

  expect(
    await call("import_project", { file: "good.sqlite3", path: "good.qda" }, person),
  ).toMatchObject({ project_name: "Lamps" });
});
