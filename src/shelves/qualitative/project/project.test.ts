import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import {
  databaseOf,
  interviewLibrary,
  interviews,
  projectLibrary,
} from "../../../../tests/fixtures/qualitative/project-library.ts";
import { openDatabase } from "../../../kernel/storage/database.ts";

const person = { surface: "cli" };

/** A project of an old QualCoder version, without ctid, importance and coder names. */
function writeOldProject(folder: string): void {
  mkdirSync(folder);
  const db = openDatabase(join(folder, "data.qda"), { journal: "rollback" });
  db.exec(`
    CREATE TABLE project (databaseversion text, date text, memo text, about text, bookmarkfile integer, bookmarkpos integer);
    CREATE TABLE source (id integer primary key, name text, fulltext text, mediapath text, memo text, owner text, date text, unique(name));
    CREATE TABLE code_image (imid integer primary key, id integer, x1 integer, y1 integer, width integer, height integer, cid integer, memo text, date text, owner text);
    CREATE TABLE code_av (avid integer primary key, id integer, pos0 integer, pos1 integer, cid integer, memo text, date text, owner text);
    CREATE TABLE annotation (anid integer primary key, fid integer, pos0 integer, pos1 integer, memo text, owner text, date text);
    CREATE TABLE cases (caseid integer primary key, name text, memo text, owner text, date text, unique(name));
    CREATE TABLE case_text (id integer primary key, caseid integer, fid integer, pos0 integer, pos1 integer, owner text, date text, memo text);
    CREATE TABLE code_cat (catid integer primary key, name text, owner text, date text, memo text, supercatid integer, unique(name));
    CREATE TABLE code_text (cid integer, fid integer, seltext text, pos0 integer, pos1 integer, owner text, memo text, date text, avid integer, unique(cid,fid,pos0,pos1,owner));
    CREATE TABLE code_name (cid integer primary key, name text, memo text, catid integer, owner text, date text, color text, unique(name));
    INSERT INTO project VALUES ('v2', '2019-01-01 10:00:00', '', 'QualCoder', 0, 0);
    INSERT INTO source VALUES (4, 'old.txt', 'We met.' || char(13, 10) || 'We left.', '/docs/old.txt', null, 'Eva', '2019-01-02 10:00:00');
    INSERT INTO code_name VALUES (9, 'Meeting', null, null, 'Eva', '2019-01-02 10:00:00', '#FF0000');
    INSERT INTO code_text VALUES (9, 4, 'We met.', 0, 7, 'Eva', '', '2019-01-02 10:00:00', null);
    INSERT INTO cases VALUES (1, 'Case A', 'seen' || char(10) || '#####' || char(10) || 'own thoughts', 'Eva', '2019-01-02 10:00:00');
  `);
  db.close();
}

const beside = (root: string): string[] =>
  readdirSync(root).filter((name) => name.includes("_BKUP_"));

/** All files and folders at a path that other users can access. */
function openToOthers(place: string): string[] {
  const inner = statSync(place).isDirectory()
    ? readdirSync(place, { recursive: true, encoding: "utf8" })
    : [];
  return ["", ...inner].filter((path) => (statSync(join(place, path)).mode & 0o077) !== 0);
}

test("[qualitative.project.closed] only the owner can read a new project and its backup, with any umask", async () => {
  const before = process.umask(0);
  onTestFinished(() => void process.umask(before));
  const { call, root } = projectLibrary();
  await call("create_project", { path: "New.qda" });
  await call("create_code", { name: "Night", color: "#ff0000" }, person);
  writeFileSync(join(root, "talk.txt"), "We met at night.");
  await call("import_file_source", { file_path: join(root, "talk.txt") }, person);
  expect(openToOthers(join(root, "New.qda"))).toEqual([]);
  expect(statSync(join(root, "New.qda")).mode & 0o777).toBe(0o700);
  expect(statSync(join(root, "New.qda/data.qda")).mode & 0o777).toBe(0o600);

  const copies = [{ path: "New.qda" }, { path: "alone.qda" }];
  copyFileSync(join(root, "New.qda/data.qda"), join(root, "alone.qda"));
  for (const { path } of copies) {
    chmodSync(join(root, path), 0o755);
    await call("open_project", { path });
    await call("create_code", { name: `Day in ${path}`, color: "#00ff00" }, person);
  }
  const backups = beside(root);
  expect(backups.some((name) => name.startsWith("New_"))).toBe(true);
  expect(backups.some((name) => name.startsWith("alone_"))).toBe(true);
  expect(backups.flatMap((name) => openToOthers(join(root, name)))).toEqual([]);
});

test("[qualitative.project.closed] only the owner can read an imported project, with any umask", async () => {
  const before = process.umask(0);
  onTestFinished(() => void process.umask(before));
  const { call, root } = await interviewLibrary();
  await call("export_project", { file: "out.qdpx" }, person);
  await call("import_project", { file: "out.qdpx", path: "Back.qda" }, person);

  expect(readdirSync(join(root, "Back.qda"), { recursive: true }).length).toBeGreaterThan(4);
  expect(openToOthers(join(root, "Back.qda"))).toEqual([]);
});

test("[qualitative.project.closed] only the owner can read an export and a report, with any umask", async () => {
  const before = process.umask(0);
  onTestFinished(() => void process.umask(before));
  const { call, root } = await interviewLibrary();
  const files = ["out.qdpx", "out.qdc", "out.txt", "out.csv"];
  for (const file of files) await call("export_project", { file }, person);
  const reports = ["report.csv", "report.xlsx", "report.html", "report.md"];
  for (const name of reports) {
    await call("export_report", { report: "passages", to: join(root, name) }, person);
  }
  const old = join(root, "old.csv");
  writeFileSync(old, "", { mode: 0o644 });
  await call("export_report", { report: "passages", to: old, overwrite: true }, person);

  const modes = [...files, ...reports, "old.csv"].map((name) => statSync(join(root, name)).mode);
  expect(new Set(modes.map((mode) => mode & 0o777))).toEqual(new Set([0o600]));
});

test("[qualitative.project.create] a new project has QualCoder's folders, tables and columns", async () => {
  const { call, root } = projectLibrary();

  expect(await call("create_project", { path: "New.qda", name: "Nightwork" })).toEqual({
    project_name: "Nightwork",
    project_path: join(root, "New.qda"),
    source_count: 0,
  });
  expect(readdirSync(join(root, "New.qda")).sort()).toEqual(
    ["audio", "data.qda", "documents", "images", "video"].sort(),
  );
  const db = databaseOf(join(root, "New.qda", "data.qda"));
  const columns = (table: string) =>
    db.all<{ name: string }>("SELECT name FROM pragma_table_info(?)", table).map((one) => one.name);
  expect(columns("code_text").join(" ")).toBe(
    "ctid cid fid seltext pos0 pos1 owner date memo avid important",
  );
  expect(columns("code_name")).toContain("supercid");
  expect(columns("code_image")).toContain("pdf_page");
  expect(columns("code_text_visible")).toEqual(columns("code_text"));
  expect(db.get("SELECT databaseversion AS version, codername FROM project")).toEqual({
    version: "v17",
    codername: "default",
  });
});

test("[qualitative.project.create] creating a project never overwrites, nor uses another name", async () => {
  const { call, refusal } = projectLibrary();
  await call("create_project", { path: "New.qda" });

  expect(await refusal("create_project", { path: "New.qda" })).toMatchObject({
    code: "PROJECT_NOT_CREATED/ALREADY_EXISTS",
  });
  for (const path of ["New", "nowhere/New.qda"]) {
    expect(await refusal("create_project", { path })).toMatchObject({
      code: "PROJECT_NOT_CREATED/INVALID_PATH",
    });
  }
});

test("[qualitative.project.open] a project opens by its folder, its database, or as a single file", async () => {
  const { call, root } = await interviewLibrary();
  const folder = join(root, "interviews.qda");
  writeFileSync(join(root, "single.qda"), readFileSync(join(folder, "data.qda")));

  for (const [path, name] of [
    [folder, "interviews"],
    [join(folder, "data.qda"), "interviews"],
    [join(root, "single.qda"), "single"],
  ]) {
    expect(await call("open_project", { path })).toMatchObject({
      project_name: name,
      source_count: 2,
    });
  }
});

test("[qualitative.project.open] anything that is not a project is refused, and the open one stays open", async () => {
  const { call, refusal, root } = await interviewLibrary();
  mkdirSync(join(root, "empty.qda"));
  writeFileSync(join(root, "text.qda"), "no database at all, but long enough for one");
  databaseOf(join(root, "other.qda")).exec("CREATE TABLE project (a)");

  for (const path of ["gone.qda", "empty.qda"]) {
    expect(await refusal("open_project", { path })).toMatchObject({
      kind: "not-found",
      code: "PROJECT_NOT_OPENED/INVALID_PATH",
    });
  }
  for (const path of ["text.qda", "other.qda"]) {
    expect(await refusal("open_project", { path })).toMatchObject({
      code: "PROJECT_NOT_OPENED/DB_OPEN_FAILED",
    });
  }
  expect(await call("get_project_context")).toMatchObject({ project_name: "interviews" });
});

test("[qualitative.project.open] a damaged project is distinguished from a damaged store", async () => {
  const { call, refusal, root } = await interviewLibrary();
  await call("close_project");
  const path = join(root, "interviews.qda", "data.qda");
  const { page, size } = databaseOf(path).get<{ page: number; size: number }>(
    `SELECT rootpage AS page, page_size AS size FROM sqlite_schema, pragma_page_size
      WHERE type = 'table' AND name = 'source'`,
  ) ?? { page: 0, size: 0 };
  const bytes = readFileSync(path);
  bytes.fill(0xff, (page - 1) * size, page * size);
  writeFileSync(path, bytes);
  await call("open_project", { path: "interviews.qda" });

  for (const [name, input] of [
    ["list_sources", {}],
    ["add_text_source", { name: "New", content: "words" }],
  ] as const) {
    expect(await refusal(name, input)).toMatchObject({ kind: "conflict", code: "PROJECT_DAMAGED" });
  }
});

test("[qualitative.project.open] under a force root no project outside is opened or created", async () => {
  const { root } = projectLibrary();
  const { refusal } = projectLibrary({ forceRoot: root });

  expect(await refusal("open_project", { path: "/tmp" })).toMatchObject({ code: "out-of-root" });
  expect(await refusal("create_project", { path: "/tmp/a.qda" })).toMatchObject({
    code: "out-of-root",
  });
  expect(await refusal("create_project", { path: "New.qda" })).toMatchObject({
    code: "out-of-root",
    message: "'New.qda' is outside the root.",
  });
  expect(existsSync("/tmp/a.qda")).toBe(false);
});

test("[qualitative.project.close] closing twice is not an error, and nothing is read afterwards", async () => {
  const { call, refusal } = await interviewLibrary();

  expect(await call("close_project")).toEqual({ closed: true, project_name: "interviews" });
  expect(await call("close_project")).toEqual({ closed: false, message: "No project was open" });
  expect(await call("get_project_context")).toEqual({ project_open: false });
  for (const name of ["list_sources", "list_codes", "list_folders"]) {
    expect(await refusal(name)).toMatchObject({ kind: "conflict", code: "NO_PROJECT" });
  }
});

test("[qualitative.project.old] a project of version 2 is read and written", async () => {
  const { call, root } = projectLibrary();
  writeOldProject(join(root, "Old.qda"));
  await call("open_project", { path: "Old.qda" });

  expect(await call("get_project_context")).toMatchObject({
    sources: [{ id: 4, name: "old.txt", type: "text", status: "coded" }],
    cases: [{ id: 1, name: "Case A", description: "seen" }],
  });
  expect(await call("read_source_content", { source_id: 4 })).toMatchObject({
    content: "We met.\r\nWe left.",
    total_length: 17,
  });
  await call("batch_apply_codes", {
    operations: [{ code_id: 9, source_id: 4, quote: "We left.", importance: 2 }],
  });
  expect(await call("list_segments_for_source", { source_id: 4 })).toMatchObject({
    segments: [
      { start_position: 0, end_position: 7, selected_text: "We met.", owner: "Eva" },
      { start_position: 9, end_position: 17, selected_text: "We left.", importance: 0 },
    ],
  });
});

test("[qualitative.project.open] an interrupted write is rolled back", async () => {
  const { call, root } = projectLibrary();
  writeOldProject(join(root, "Old.qda"));
  const path = join(root, "Old.qda", "data.qda");
  const db = databaseOf(path);
  db.run("UPDATE source SET fulltext = ?", "before ".repeat(10_000));
  db.exec("PRAGMA cache_size = 1");
  db.exec("BEGIN");
  db.run("UPDATE source SET fulltext = ?", "after! ".repeat(10_000));
  mkdirSync(join(root, "Cut.qda"));
  for (const end of ["", "-journal"]) {
    copyFileSync(`${path}${end}`, join(root, "Cut.qda", `data.qda${end}`));
  }
  await call("open_project", { path: "Cut.qda" });

  expect(await call("read_source_content", { source_id: 4, max_length: 6 })).toMatchObject({
    content: "before",
  });
});

test("[qualitative.project.untouched] reading leaves every byte unchanged, and creates no file beside it", async () => {
  const { call, root } = projectLibrary();
  writeOldProject(join(root, "Old.qda"));
  const before = readFileSync(join(root, "Old.qda", "data.qda"));
  await call("open_project", { path: "Old.qda" });
  for (const name of ["list_sources", "list_codes", "list_folders", "list_categories"]) {
    await call(name);
  }
  await call("close_project");

  expect(readFileSync(join(root, "Old.qda", "data.qda")).equals(before)).toBe(true);
  expect(readdirSync(join(root, "Old.qda"))).toEqual(["data.qda"]);
  expect(readdirSync(root)).toEqual(["Old.qda"]);
});

test("[qualitative.project.backup] the first write of a session creates a backup of the project", async () => {
  const { call, root } = projectLibrary();
  writeOldProject(join(root, "Old.qda"));
  await call("open_project", { path: "Old.qda" });
  await call("create_code", { name: "One", color: "#111" });
  await call("create_code", { name: "Two", color: "#222222" });

  const copies = beside(root);
  expect(copies).toHaveLength(1);
  expect(await call("open_project", { path: copies[0] ?? "" }, person)).toMatchObject({
    source_count: 1,
  });
  expect(await call("list_codes")).toMatchObject({ codes: [{ name: "Meeting" }] });
});

test("[qualitative.project.backup] a single-file project is backed up beside itself and written", async () => {
  const { call, root } = await interviewLibrary();
  writeFileSync(join(root, "single.qda"), readFileSync(join(root, "interviews.qda", "data.qda")));
  await call("open_project", { path: "single.qda" });
  await call("create_code", { name: "One", color: "#111" });

  expect(beside(root)).toHaveLength(1);
  expect(await call("open_project", { path: beside(root)[0] ?? "" }, person)).toMatchObject({
    source_count: 2,
  });
});

test("[qualitative.project.backup] if the force root is the project, the backup stays inside", async () => {
  const { root, call } = projectLibrary();
  writeOldProject(join(root, "Old.qda"));
  const inside = projectLibrary({ forceRoot: join(root, "Old.qda") });
  await inside.call("open_project", { path: join(root, "Old.qda") });
  await inside.call("create_code", { name: "One", color: "#111" });

  expect(beside(root)).toEqual([]);
  const copy = beside(join(root, "Old.qda"))[0] ?? "";
  expect(await call("open_project", { path: join(root, "Old.qda", copy) }, person)).toMatchObject({
    source_count: 1,
  });
});

test("[qualitative.project.own-tables] Lectern's data is in its own tables, created by the first write", async () => {
  const { call, root } = projectLibrary();
  writeOldProject(join(root, "Old.qda"));
  const db = databaseOf(join(root, "Old.qda", "data.qda"));
  const tables = () =>
    db
      .all<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
      .map(({ name }) => name);
  const before = tables();
  await call("open_project", { path: "Old.qda" });
  expect(await call("list_folders")).toEqual({ folders: [], total_count: 0 });
  expect(tables()).toEqual(before);

  await call("create_folder", { name: "Round 1" });
  const added = tables().filter((name) => !before.includes(name) && !name.startsWith("sqlite_"));
  expect(added.length).toBeGreaterThan(0);
  for (const name of added) expect(name).toMatch(/^lectern_/);
});

test("[qualitative.project.in-use] nothing is written while QualCoder has the project open", async () => {
  const { call, refusal, root } = await interviewLibrary();
  const lock = join(root, "interviews.qda", "project_in_use.lock");
  writeFileSync(lock, "eva\n1");

  expect(await refusal("create_code", { name: "Doubt", color: "#123456" })).toMatchObject({
    kind: "conflict",
    code: "PROJECT_IN_USE",
  });
  expect(await call("list_codes")).toMatchObject({ codes: [{ id: 1 }, { id: 2 }] });

  const longAgo = new Date(Date.now() - 600_000);
  utimesSync(lock, longAgo, longAgo);
  expect(await call("create_code", { name: "Doubt", color: "#123456" })).toMatchObject({
    code_id: 3,
  });
});

test("[qualitative.project.in-use] nothing is written in place of a deleted project", async () => {
  const { call, refusal, root } = projectLibrary();
  writeOldProject(join(root, "Old.qda"));
  await call("open_project", { path: "Old.qda" });
  rmSync(join(root, "Old.qda", "data.qda"));

  expect(await refusal("create_code", { name: "One", color: "#111" })).toMatchObject({
    kind: "not-found",
    code: "PROJECT_GONE",
  });
  expect(readdirSync(root)).toEqual(["Old.qda"]);
  expect(readdirSync(join(root, "Old.qda"))).toEqual([]);
});

test("[qualitative.project.exact-text] stored text is never changed: line ends, byte order mark, emoji", async () => {
  const { call, root } = await interviewLibrary();
  await call("close_project");
  const db = databaseOf(join(root, "interviews.qda", "data.qda"));

  expect(db.all("SELECT name, hex(fulltext) AS bytes FROM source ORDER BY id")).toEqual(
    Object.entries(interviews).map(([name, text]) => ({
      name,
      bytes: Buffer.from(text).toString("hex").toUpperCase(),
    })),
  );
});

test("[qualitative.project.private] the private part of a memo is hidden from agents and kept", async () => {
  const { call, root } = await interviewLibrary();
  const db = databaseOf(join(root, "interviews.qda", "data.qda"));
  db.run("UPDATE code_name SET memo = 'Seen' || char(10) || '#####' || char(10) || 'Mine'");

  expect(await call("get_code", { code_id: 1 })).toMatchObject({ memo: "Seen" });
  await call("set_policy", { operation: "update_code", tier: "notify" }, { surface: "cli" });
  await call("update_code", { code_id: 1, memo: "Other" });
  expect(await call("get_code", { code_id: 1 })).toMatchObject({ memo: "Other" });
  expect(db.get("SELECT memo FROM code_name WHERE cid = 1")).toEqual({
    memo: "Other\n#####\nMine",
  });
});

test("[qualitative.project.hidden] codings of a hidden coder are not shown", async () => {
  const { call, root } = await interviewLibrary();
  const db = databaseOf(join(root, "interviews.qda", "data.qda"));
  db.run("UPDATE coder_names SET visibility = 0 WHERE name = 'AI Agent'");

  expect(await call("list_segments_for_source", { source_id: 1 })).toEqual({ segments: [] });
});

test("[qualitative.project.hidden] counts exclude codings of hidden coders, except in deletion previews", async () => {
  const { call, refusal } = await interviewLibrary();
  const operations = [{ code_id: 2, source_id: 1, start_position: 2, end_position: 7 }];
  await call("batch_apply_codes", { operations });
  const counts = async () => {
    const [codes, sources, context, twins] = [
      (await call("list_codes")).codes as { segment_count: number }[],
      (await call("list_sources")).sources as { code_count: number; status: string }[],
      (await call("get_project_context")).sources as { status: string }[],
      (await call("find_duplicate_codes", { threshold: 0 })).candidates as {
        code_a_segments: number;
        shared_passages: number;
      }[],
    ];
    return {
      codes: codes.map(({ segment_count }) => segment_count),
      code: (await call("get_code", { code_id: 1 })).segment_count,
      sources: sources.map(({ code_count, status }) => `${code_count} ${status}`),
      context: context.map(({ status }) => status),
      twins: twins.map((one) => [one.code_a_segments, one.shared_passages]),
    };
  };
  expect(await counts()).toEqual({
    codes: [1, 1],
    code: 1,
    sources: ["2 coded", "0 imported"],
    context: ["coded", "imported"],
    twins: [[1, 100]],
  });

  await call("save_coder", { name: "AI Agent", hidden: true }, person);
  expect(await counts()).toEqual({
    codes: [0, 0],
    code: 0,
    sources: ["0 imported", "0 imported"],
    context: ["imported", "imported"],
    twins: [[0, 0]],
  });
  // A deletion preview counts everything, since it is deleted for all coders.
  expect(await call("remove_source", { source_id: 1 })).toMatchObject({ coded_segments_count: 2 });
  expect(await refusal("delete_code", { code_id: 1 })).toMatchObject({
    message: "Code has 1 segment(s) and cannot be deleted",
  });
});
