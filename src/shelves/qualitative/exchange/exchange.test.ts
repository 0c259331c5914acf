import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type * as z from "zod";
import { createZip } from "../../../../tests/fixtures/files/made-files.ts";
import {
  databaseOf,
  interviewLibrary,
  interviews,
  type ProjectLibrary,
  projectLibrary,
} from "../../../../tests/fixtures/qualitative/project-library.ts";
import { openZip } from "../../../kernel/formats/containers/zip-reader.ts";
import type { Loss } from "./losses.ts";

const person = { surface: "cli" };

/** The command line's answer for an unspecified person. */
const all = { private: "included" };

type Losses = z.infer<typeof Loss>[];

const lossOf = (answer: Record<string, unknown>, what: string) =>
  (answer.losses as Losses).find((loss) => loss.what === what);

/** A project of pictures and recordings, in QualCoder's layout. */
async function withMedia(): Promise<ProjectLibrary> {
  const library = await interviewLibrary();
  const project = join(library.root, "interviews.qda");
  writeFileSync(join(project, "images", "room.png"), Buffer.from([0x89, 0x50, 0, 1, 2]));
  writeFileSync(join(project, "audio", "talk.mp3"), "sound");
  writeFileSync(join(project, "documents", "letter.docx"), "a document");
  writeFileSync(join(project, "documents", "letter.odt"), "another document");
  const db = databaseOf(join(project, "data.qda"));
  db.exec(`
    INSERT INTO source (id, name, fulltext, mediapath, memo, owner, date) VALUES
      (10, 'room.png', null, '/images/room.png', 'The room', 'Eva', '2026-01-01 10:00:00'),
      (11, 'talk.mp3', null, '/audio/talk.mp3', '', 'Eva', '2026-01-01 10:00:00'),
      (12, 'letter.docx', 'Dear all', '/docs/letter.docx', '', 'Eva', '2026-01-01 10:00:00'),
      (13, 'letter.odt', 'Dear you', '/docs/letter.odt', '', 'Eva', '2026-01-01 10:00:00'),
      (14, 'far.mp4', null, 'video:/elsewhere/far.mp4', '', 'Eva', '2026-01-01 10:00:00');
    INSERT INTO code_image (id, x1, y1, width, height, cid, memo, date, owner)
      VALUES (10, 5, 6, 70, 80, 1, 'a corner', '2026-01-01 10:00:00', 'Eva');
    INSERT INTO code_av (id, pos0, pos1, cid, memo, date, owner)
      VALUES (11, 1500, 2500, 2, '', '2026-01-01 10:00:00', 'Eva');
    UPDATE code_text SET important = 1;
    INSERT INTO stored_sql VALUES ('a query', '', '', 'select 1');
  `);
  return library;
}

test("[qualitative.exchange.export] a project is written to a new file, and never overwrites one", async () => {
  const { call, refusal, root } = await interviewLibrary();

  const written = await call("export_project", { file: "out.qdpx", ...all }, person);

  expect(written).toMatchObject({
    file: join(root, "out.qdpx"),
    source_count: 2,
    code_count: 2,
    segment_count: 1,
  });
  const bytes = readFileSync(join(root, "out.qdpx"));
  expect(await refusal("export_project", { file: "out.qdpx" })).toMatchObject({
    code: "PROJECT_NOT_EXPORTED/ALREADY_EXISTS",
  });
  expect(readFileSync(join(root, "out.qdpx"))).toEqual(bytes);
  expect(await refusal("export_project", { file: "out.pdf" })).toMatchObject({
    code: "PROJECT_NOT_EXPORTED/UNKNOWN_FORMAT",
  });
  expect(readdirSync(root).filter((name) => name.startsWith("."))).toEqual([]);
});

test("[qualitative.exchange.export] of two concurrent exports to one file, exactly one succeeds", async () => {
  const { call, root } = await interviewLibrary();
  const both = await Promise.allSettled([
    call("export_project", { file: "out.qdpx", ...all }, person),
    call("export_project", { file: "out.qdpx", ...all }, person),
  ]);

  expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(both.find(({ status }) => status === "rejected")).toMatchObject({
    reason: { code: "PROJECT_NOT_EXPORTED/ALREADY_EXISTS" },
  });
  expect((await openZip(readFileSync(join(root, "out.qdpx")))).entries).toHaveLength(3);
  expect(readdirSync(root).filter((name) => name.startsWith("."))).toEqual([]);
});

test("[qualitative.exchange.export] under a force root nothing outside is read or written", async () => {
  const { root, call } = await interviewLibrary();
  await call("export_project", { file: "out.qdpx", ...all }, person);
  const inside = join(root, "interviews.qda");
  const fenced = projectLibrary({ forceRoot: inside });
  await fenced.call("open_project", { path: inside });

  expect(await fenced.refusal("export_project", { file: join(root, "more.qdpx") })).toMatchObject({
    code: "out-of-root",
  });
  const [file, path] = [join(root, "out.qdpx"), join(inside, "New.qda")];
  expect(await fenced.refusal("import_project", { file, path })).toMatchObject({
    code: "out-of-root",
  });
  expect(await fenced.refusal("import_codes", { file })).toMatchObject({ code: "out-of-root" });
  const own = await fenced.call("export_project", { file: join(inside, "own.qdpx") }, person);
  const beyond = { file: String(own.file), path: join(root, "New.qda") };
  await expect(fenced.call("import_project", beyond, person)).rejects.toMatchObject({
    code: "out-of-root",
  });
  expect(existsSync(join(root, "more.qdpx"))).toBe(false);
  expect(existsSync(join(root, "New.qda"))).toBe(false);
});

test("[qualitative.exchange.media] files are exported with their sources, and missing ones are reported", async () => {
  const { call, root } = await withMedia();

  const out = await call("export_project", { file: "out.qdpx", ...all }, person);

  expect(lossOf(out, "Importance of codings")).toMatchObject({ kind: "dropped", count: 1 });
  expect(lossOf(out, "Stored queries")).toMatchObject({ count: 1 });
  expect(lossOf(out, "Original documents other than .docx")?.examples).toEqual(["letter.odt"]);
  expect(lossOf(out, "Files that are not in the project's folder")?.examples).toEqual(["far.mp4"]);

  const back = await call("import_project", { file: "out.qdpx", path: "Back.qda" }, person);

  expect(back).toMatchObject({
    project_name: "interviews",
    coder: "default",
    source_count: 7,
    segment_count: 3,
  });
  const project = join(root, "Back.qda");
  expect(readFileSync(join(project, "images", "room.png"))).toEqual(
    Buffer.from([0x89, 0x50, 0, 1, 2]),
  );
  expect(readFileSync(join(project, "audio", "talk.mp3"), "utf8")).toBe("sound");
  expect(readFileSync(join(project, "documents", "letter.docx"), "utf8")).toBe("a document");
  const db = databaseOf(join(project, "data.qda"));
  expect(
    db.all("SELECT name, mediapath FROM source WHERE mediapath IS NOT NULL ORDER BY name"),
  ).toEqual([
    { name: "far.mp4", mediapath: "/video/far.mp4" },
    { name: "letter.docx", mediapath: "/docs/letter.docx" },
    { name: "room.png", mediapath: "/images/room.png" },
    { name: "talk.mp3", mediapath: "/audio/talk.mp3" },
  ]);
  expect(db.all("SELECT x1, y1, width, height, memo, owner FROM code_image")).toEqual([
    { x1: 5, y1: 6, width: 70, height: 80, memo: "a corner", owner: "Eva" },
  ]);
  expect(db.all("SELECT pos0, pos1, owner FROM code_av")).toEqual([
    { pos0: 1500, pos1: 2500, owner: "Eva" },
  ]);
  expect(db.all("PRAGMA integrity_check")).toEqual([{ integrity_check: "ok" }]);
});

test("[qualitative.exchange.media] a row that names a file outside the project does not export it", async () => {
  const { call, root } = await interviewLibrary();
  writeFileSync(join(root, "secret.png"), "secret");
  databaseOf(join(root, "interviews.qda", "data.qda")).exec(
    "INSERT INTO source (name, mediapath, memo, owner, date) VALUES ('x', '/images/../../secret.png', '', 'Eva', 'now')",
  );

  await call("export_project", { file: "out.qdpx", ...all }, person);

  const archive = await openZip(readFileSync(join(root, "out.qdpx")));
  expect(archive.entries.filter(({ name }) => name.endsWith(".png"))).toEqual([]);
});

test("[qualitative.exchange.media] a file that became unreadable is reported as missing", async () => {
  const { call, root } = await withMedia();
  const picture = join(root, "interviews.qda/images/room.png");
  // The path is short, but its real path exceeds the system's limit. As with a folder that is
  // swapped between two checks, the first check succeeds and the second fails.
  const near = join(root, ...Array.from({ length: 12 }, () => "n".repeat(200)));
  const far = join(root, "near", ...Array.from({ length: 12 }, () => "f".repeat(200)));
  mkdirSync(near, { recursive: true });
  symlinkSync(near, join(root, "near"));
  mkdirSync(far, { recursive: true });
  onTestFinished(() => rmSync(join(root, "near", "f".repeat(200)), { recursive: true }));
  writeFileSync(join(far, "room.png"), "a picture");
  rmSync(picture);
  symlinkSync(join(far, "room.png"), picture);

  const out = await call("export_project", { file: "out.qdpx", ...all }, person);

  expect(lossOf(out, "Files that are not in the project's folder")?.examples).toEqual([
    "room.png",
    "far.mp4",
  ]);
});

test("[qualitative.exchange.media] a folder in place of a source's file is reported as missing", async () => {
  const { call, root } = await interviewLibrary();
  mkdirSync(join(root, "interviews.qda", "images", "album.png"));
  databaseOf(join(root, "interviews.qda", "data.qda")).exec(
    "INSERT INTO source (name, mediapath, memo, owner, date) VALUES ('album', '/images/album.png', '', 'Eva', 'now')",
  );

  const out = await call("export_project", { file: "out.qdpx", ...all }, person);

  expect(lossOf(out, "Files that are not in the project's folder")?.examples).toEqual(["album"]);
});

test("[qualitative.exchange.private] an agent's export contains nothing private to the researcher", async () => {
  const { call, root } = await interviewLibrary();
  await call("update_code", { code_id: 1, memo: "shared" });
  const db = databaseOf(join(root, "interviews.qda", "data.qda"));
  db.exec(`
    UPDATE code_name SET memo = 'shared' || char(10) || '#####' || char(10) || 'own thought' WHERE cid = 1;
    INSERT INTO coder_names VALUES ('Hidden', 0);
    INSERT INTO code_text (cid, fid, seltext, pos0, pos1, owner, date, memo)
      VALUES (2, 1, 'I', 0, 1, 'Hidden', '2026-01-01 10:00:00', 'hidden words');
  `);

  const forAgent = await call("export_project", { file: "agent.qdpx" }, { surface: "http" });
  const forPerson = await call("export_project", { file: "person.qdpx", ...all }, person);

  const xmlOf = async (file: string) =>
    (await (await openZip(readFileSync(join(root, file)))).readText("project.qde")) ?? "";
  expect(await xmlOf("agent.qdpx")).not.toMatch(/own thought|hidden words|Hidden/);
  expect(lossOf(forAgent, "Private parts of memos")?.examples).toEqual(["Hope"]);
  expect(forAgent.segment_count).toBe(1);
  expect(await xmlOf("person.qdpx")).toMatch(/own thought[\s\S]*hidden words/);
  expect(forPerson.segment_count).toBe(2);
  expect([forAgent.private, forPerson.private]).toEqual(["left-out", "included"]);
});

test("[qualitative.exchange.private] only a person can export a private source, and its mark is reported as lost", async () => {
  const { call, root } = await interviewLibrary();
  await call("set_source_privacy", { source_id: 2 }, person);

  await call("export_project", { file: "agent.qdpx" }, { surface: "http" });
  const forPerson = await call("export_project", { file: "person.qdpx", ...all }, person);

  const partsOf = async (file: string) =>
    (await openZip(readFileSync(join(root, file)))).entries.length;
  expect(await partsOf("agent.qdpx")).toBe(2);
  expect(await partsOf("person.qdpx")).toBe(3);
  expect(lossOf(forPerson, "Which sources are private")?.examples).toEqual(["David"]);
});

test("[qualitative.exchange.private] only a person can include private data, even by a proposal", async () => {
  const { call, refusal, root } = await interviewLibrary();
  await call("set_source_privacy", { source_id: 2 }, person);
  await call("set_policy", { operation: "export_project", tier: "require" }, person);
  const agent = { surface: "http" };

  expect(await refusal("export_project", { file: "a.qdpx", ...all })).toMatchObject({
    code: "ONLY_A_PERSON",
  });
  const waiting = await call("export_project", { file: "a.qdpx" }, agent);
  expect(waiting).toMatchObject({ status: "pending_approval" });
  expect(existsSync(join(root, "a.qdpx"))).toBe(false);
  await call("accept_proposal", { id: waiting.proposal_id }, person);
  expect((await openZip(readFileSync(join(root, "a.qdpx")))).entries).toHaveLength(2);
});

test("[qualitative.exchange.private] texts exported by an agent are logged as read", async () => {
  const { call } = await interviewLibrary();
  await call("set_source_privacy", { source_id: 2 }, person);

  await call("export_project", { file: "a.qdpx" }, { surface: "http", client: "Taker" });

  const { reads } = await call("list_reads", {}, person);
  const taken = (reads as { agent: string }[]).filter(({ agent }) => agent === "Taker");
  expect(taken).toMatchObject([
    { agent: "Taker", operation: "export_project", source_name: "Ana", start_pos: 0 },
  ]);
});

test("[qualitative.exchange.all-or-nothing] an import that needs approval is not performed before it", async () => {
  const { call, root } = projectLibrary();
  writeFileSync(join(root, "codes.txt"), "Hope\n");
  await call("set_policy", { operation: "import_project", tier: "suggest" }, person);

  const waiting = await call("import_project", { file: "codes.txt", path: "New.qda" });

  expect(waiting).toMatchObject({ status: "pending_approval" });
  expect(readdirSync(root)).toEqual(["codes.txt"]);
  await call("accept_proposal", { id: waiting.proposal_id }, person);
  expect(existsSync(join(root, "New.qda", "data.qda"))).toBe(true);
});

test("[qualitative.exchange.all-or-nothing] an import creates a complete new project, and opens it", async () => {
  const { call, root } = await interviewLibrary();
  await call("export_project", { file: "out.qdpx", ...all }, person);

  const made = await call("import_project", { file: "out.qdpx", path: "Back.qda" }, person);

  expect(made).toMatchObject({ project_path: join(root, "Back.qda"), losses: [] });
  expect(await call("get_project_context")).toMatchObject({ project_path: join(root, "Back.qda") });
  expect((await call("read_source_content", { source_id: 1 })).content).toBe(interviews.Ana);
  expect((await call("read_source_content", { source_id: 2 })).content).toBe(interviews.David);
  expect(
    await call("batch_apply_codes", { operations: [{ code_id: 2, source_id: 1, quote: "again" }] }),
  ).toMatchObject({ succeeded: 1 });
});

test("[qualitative.exchange.all-or-nothing] an import never overwrites", async () => {
  const { call, refusal, root } = await interviewLibrary();
  await call("export_project", { file: "out.qdpx", ...all }, person);
  const before = readFileSync(join(root, "interviews.qda", "data.qda"));
  writeFileSync(join(root, "file.qda"), "mine");
  mkdirSync(join(root, "empty.qda"));

  for (const path of ["interviews.qda", "file.qda", "empty.qda"]) {
    expect(await refusal("import_project", { file: "out.qdpx", path })).toMatchObject({
      code: "PROJECT_NOT_IMPORTED/ALREADY_EXISTS",
    });
  }
  expect(await refusal("import_project", { file: "out.qdpx", path: "wrong" })).toMatchObject({
    code: "PROJECT_NOT_IMPORTED/INVALID_PATH",
  });
  expect(readFileSync(join(root, "interviews.qda", "data.qda"))).toEqual(before);
  expect(readFileSync(join(root, "file.qda"), "utf8")).toBe("mine");
  expect(readdirSync(join(root, "empty.qda"))).toEqual([]);
});

test("[qualitative.exchange.all-or-nothing] an import that fails midway leaves nothing behind", async () => {
  const { refusal, root } = projectLibrary();
  const picture = Buffer.alloc(2_000, "picture");
  const archive = Buffer.from(
    await createZip({
      "project.qde": `<Project xmlns="urn:QDA-XML:project:1.0" name="p"><Sources>
        <PictureSource guid="00000001-0000-4000-8000-000000000000" name="a.png" path="internal://a.png"/>
        </Sources></Project>`,
      "sources/a.png": picture,
    }),
  );
  // The picture's compressed bytes are damaged; the directory and the XML are intact.
  const at = archive.indexOf("sources/a.png") + "sources/a.png".length;
  archive.fill(0xff, at + 1, at + 8);
  writeFileSync(join(root, "broken.qdpx"), archive);

  expect(await refusal("import_project", { file: "broken.qdpx", path: "New.qda" })).toMatchObject({
    kind: "invalid",
  });
  expect(readdirSync(root)).toEqual(["broken.qdpx"]);
});

test("[qualitative.exchange.all-or-nothing] a missing file, or one of unknown type, is refused", async () => {
  const { refusal, root } = projectLibrary();
  writeFileSync(join(root, "a.pdf"), "%PDF-1.7");
  writeFileSync(join(root, "b.txt"), Buffer.from([0, 1, 2]));

  expect(await refusal("import_project", { file: "none.qdpx", path: "N.qda" })).toMatchObject({
    kind: "not-found",
  });
  for (const file of ["a.pdf", "b.txt"]) {
    expect(await refusal("import_project", { file, path: "N.qda" })).toMatchObject({
      code: "PROJECT_NOT_IMPORTED/UNKNOWN_FORMAT",
    });
  }
  expect(existsSync(join(root, "N.qda"))).toBe(false);
});
