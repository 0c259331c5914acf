import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readerWithConverters } from "../../../../tests/fixtures/files/converters.ts";
import {
  createZip,
  docxParts,
  epubParts,
  odtParts,
  wordParagraph,
  wordTable,
} from "../../../../tests/fixtures/files/made-files.ts";
import { madePdf } from "../../../../tests/fixtures/files/made-pdf.ts";
import {
  databaseOf,
  interviewLibrary,
  projectLibrary,
  shelvesReadingBy,
} from "../../../../tests/fixtures/qualitative/project-library.ts";

const reader = await readerWithConverters();

/** The example project, and a folder with files to import. */
async function library() {
  const opened = await interviewLibrary({}, shelvesReadingBy(reader));
  const folder = join(opened.root, "files");
  mkdirSync(folder);
  const project = join(opened.root, "interviews.qda");
  return {
    ...opened,
    project,
    folder,
    /** Writes a file and returns its path. */
    file(name: string, content: string | Uint8Array): string {
      writeFileSync(join(folder, name), content);
      return join(folder, name);
    },
    async read(source_id: unknown): Promise<unknown> {
      return (await opened.call("read_source_content", { source_id })).content;
    },
  };
}

const rtf = String.raw`{\rtf1\ansi\ansicpg1252\uc1{\fonttbl{\f0\fswiss Arial;}{\f1\fcharset204 Arial;}}
{\info{\title Never shown}}{\*\generator Nobody;}{\header On each page}
\f0 {\b Ana:} It rained \'e0 Caf\'e9\u8217's \u55357?\u56832?.\par
Second\tab line\line with \{braces\}.\par\f1 \'cf\'f0\'e8\'e2\'e5\'f2\f0\par {\v hidden}}`;

const vtt = `WEBVTT

NOTE nobody says this

1
00:00:01.000 --> 00:00:02.000 align:start
<v Ana>I <i>hoped</i> &amp; waited.</v>

00:01:12.500 --> 00:01:13.000
And
then?
`;

test("[qualitative.import.formats] a file of each format becomes a source with its text", async () => {
  const { file, call, read } = await library();
  const word =
    wordParagraph("My talk", "berschrift1") +
    wordParagraph("Ana: # It rained & went on.") +
    wordTable([["Ben", "Yes."]]);
  const open = `<text:h text:outline-level="1">My talk</text:h><text:p>Ana: # It rained.</text:p><text:p># no heading</text:p>
    <table:table><table:table-row><table:table-cell><text:p>Ben</text:p></table:table-cell><table:table-cell><text:p>Yes.</text:p></table:table-cell></table:table-row></table:table>`;
  const page =
    "<html><head><title>Not shown</title></head><body><nav>menu</nav><h1>My talk</h1><p><b>Ana:</b> It <em>rained</em>, <a href='https://example.org'>there</a>.</p></body></html>";
  const files: [string, string | Uint8Array, string][] = [
    ["a.txt", "Ana: It rained 😀.\n", "Ana: It rained 😀.\n"],
    ["b.md", "# My talk\n\n**Ana:** It rained.\n", "# My talk\n\n**Ana:** It rained.\n"],
    [
      "c.docx",
      await createZip(docxParts(word, "Not shown")),
      "My talk\n\nAna: # It rained & went on.\n\nBen\tYes.\n",
    ],
    [
      "d.odt",
      await createZip(odtParts(open, "Not shown")),
      "My talk\n\nAna: # It rained.\n\n# no heading\n\nBen\tYes.\n",
    ],
    ["e.RTF", rtf, "Ana: It rained à Café’s 😀.\nSecond\tline\nwith {braces}.\nПривет\n"],
    [
      "f.epub",
      await createZip(
        epubParts(["<h1>One</h1><p>It <b>rained</b>.</p>", "<p>Then not.</p>"], "Not shown"),
      ),
      "One\n\nIt rained.\n\nThen not.\n",
    ],
    ["g.html", page, "My talk\n\nAna: It rained, there.\n"],
    [
      "h.pdf",
      madePdf([[{ words: "Ana: It rained.", y: 700 }], [{ words: "Then not.", y: 700 }]]),
      "Ana: It rained.\n\nThen not.\n",
    ],
    [
      "i.srt",
      "1\r\n00:00:12,480 --> 00:00:14,000\r\nAna: It rained.\r\n\r\n2\r\n00:00:15,000 --> 00:00:16,000\r\nThen not.\r\n",
      "[00:00:12] Ana: It rained.\n[00:00:15] Then not.\n",
    ],
    ["j.vtt", vtt, "[00:00:01] Ana: I hoped & waited.\n[00:01:12] And\nthen?\n"],
    ["k.csv", 'who;said\n1;"It ""rained"""\n', 'who;said\n1;"It ""rained"""\n'],
  ];
  for (const [name, content, words] of files) {
    const { source_id, ...about } = await call("import_file_source", {
      file_path: file(name, content),
    });
    expect([name, await read(source_id)]).toEqual([name, words]);
    expect(about).toMatchObject({
      name,
      type: name === "h.pdf" ? "pdf" : "text",
      status: "imported",
      file_size: Buffer.byteLength(content),
      text_length: [...words].length,
    });
  }
});

test("[qualitative.import.exact] characters are kept, a byte order mark is removed, line ends count as in QualCoder", async () => {
  const { file, call, read } = await library();
  const decomposed = "Émile 😀 \u200d\u00a0x\t.".normalize("NFD");
  const wide = Buffer.from(`\uFEFF${decomposed}`, "utf16le");
  for (const [name, content, words] of [
    ["a.txt", `\uFEFF${decomposed}\r\nb\rc\n`, `${decomposed}\nb\nc\n`],
    ["b.txt", wide, decomposed],
    ["c.txt", Buffer.from(wide).swap16(), decomposed],
  ] as const) {
    const { source_id } = await call("import_file_source", { file_path: file(name, content) });
    expect([name, await read(source_id)]).toEqual([name, words]);
  }
  const { results } = await call("batch_apply_codes", {
    operations: [{ code_id: 1, source_id: 3, quote: "😀 \u200d" }],
  });
  expect(results).toMatchObject([{ success: true, start_position: 7 }]);
});

test("[qualitative.import.kept] the file is copied to the project's folder, under an unused name", async () => {
  const { file, call, project, root } = await library();
  const path = file("talk.txt", "\uFEFFOne\r\n");
  await call("import_file_source", { file_path: path });
  await call("import_file_source", {
    file_path: path,
    name: "Again",
    memo: "A memo",
    origin: "Archive",
  });

  expect(readFileSync(join(project, "documents", "talk.txt"))).toEqual(readFileSync(path));
  const { sources } = await call("list_sources");
  expect(
    (sources as { name: string }[]).filter(({ name }) => !/^(Ana|David)$/.test(name)),
  ).toMatchObject([
    {
      name: "Again",
      file_path: "documents/talk_2.txt",
      memo: "A memo",
      origin: "Archive",
      file_size: 4,
    },
    { name: "talk.txt", file_path: "documents/talk.txt" },
  ]);
  const db = databaseOf(join(root, "interviews.qda", "data.qda"));
  expect(
    db.all("SELECT name, mediapath, owner FROM source WHERE id > 2 ORDER BY id"),
  ).toMatchObject([
    { name: "talk.txt", mediapath: "/docs/talk.txt", owner: "AI Agent" },
    { name: "Again", mediapath: "/docs/talk_2.txt" },
  ]);
});

test("[qualitative.import.kept] a file already in the project's folder is not copied", async () => {
  const { call, project } = await library();
  writeFileSync(join(project, "documents", "talk.txt"), "One");
  const file_path = join(project, "documents", "talk.txt");
  await call("import_file_source", { file_path }, { surface: "cli" });

  expect(readdirSync(join(project, "documents"))).toEqual(["talk.txt"]);
  expect(await call("list_sources")).toMatchObject({
    sources: [{}, {}, { file_path: "documents/talk.txt" }],
  });
});

test("[qualitative.import.kept] removing a source keeps its file, and reports that", async () => {
  const { file, call, project } = await library();
  const { source_id } = await call("import_file_source", { file_path: file("talk.txt", "One") });
  const stays = "its file documents/talk.txt stays in the project's folder";

  expect(await call("remove_source", { source_id })).toMatchObject({
    message: `This will delete source 'talk.txt' and 0 coded segment(s); ${stays}`,
  });
  const { change_id, message } = await call("remove_source", { source_id, confirm: true });
  expect(message).toBe(`Removed; ${stays}`);
  expect(readdirSync(join(project, "documents"))).toEqual(["talk.txt"]);
  await call("undo_change", { id: change_id });
  expect(await call("read_source_content", { source_id })).toMatchObject({ content: "One" });
});

test("[qualitative.import.media] recordings and images are stored where QualCoder looks for them, without text", async () => {
  const { file, call, project, refusal } = await library();
  const db = databaseOf(join(project, "data.qda"));
  for (const [name, type, folder] of [
    ["a.mp3", "audio", "audio"],
    ["b.MP4", "video", "video"],
    ["c.png", "image", "images"],
  ] as const) {
    const bytes = new Uint8Array([1, 0, 2]);
    const made = await call("import_file_source", { file_path: file(name, bytes) });
    expect(made).toMatchObject({ name, type, status: "imported", file_size: 3 });
    expect(made).not.toHaveProperty("text_length");
    expect(readFileSync(join(project, folder, name))).toEqual(Buffer.from(bytes));
    expect(db.get("SELECT fulltext, mediapath FROM source WHERE name = ?", name)).toMatchObject({
      fulltext: null,
      mediapath: `/${folder}/${name}`,
    });
  }
  expect(await call("list_sources", { source_type: "video" })).toMatchObject({ count: 1 });
  expect(
    await refusal("navigate_to_segment", { source_id: 3, start_pos: 0, end_pos: 1 }),
  ).toMatchObject({
    code: "INVALID_POSITION",
  });
});

test("[qualitative.import.media] a single-file project has no folder, so a recording is linked", async () => {
  const { file, call, root } = await library();
  writeFileSync(join(root, "alone.qda"), readFileSync(join(root, "interviews.qda", "data.qda")));
  await call("open_project", { path: "alone.qda" });
  const path = file("a.mp3", "la");
  await call("import_file_source", { file_path: path });
  await call("import_file_source", { file_path: file("a.txt", "la") });

  const { sources } = await call("list_sources");
  expect(sources).toMatchObject([
    { name: "a.mp3", type: "audio", file_path: path },
    { name: "a.txt", type: "text", file_path: null },
    {},
    {},
  ]);
});

test("[qualitative.import.codes] every refusal has its code, and the first reason is reported", async () => {
  const { file, folder, call, refusal } = await library();
  const check = async (input: object, code: string) =>
    expect([input, await refusal("import_file_source", input)]).toMatchObject([
      input,
      { code: `SOURCE_NOT_IMPORTED/${code}`, message: expect.stringMatching(/\w/) },
    ]);

  await check({ file_path: "files/none.exe" }, "RELATIVE_PATH");
  await check({ file_path: "" }, "RELATIVE_PATH");
  await check({ file_path: join(folder, "none.exe") }, "FILE_NOT_FOUND");
  await check({ file_path: `${folder}/a\0.txt` }, "FILE_NOT_FOUND");
  await check({ file_path: folder }, "NOT_A_FILE");
  await check({ file_path: file("a.exe", "x"), name: "" }, "UNSUPPORTED_TYPE");
  await check({ file_path: file("README", "x") }, "UNSUPPORTED_TYPE");
  await check({ file_path: file("old.doc", "x") }, "UNSUPPORTED_TYPE");
  await check({ file_path: file("a.txt", ""), name: " " }, "EMPTY_NAME");
  await check({ file_path: file("a.txt", ""), name: "ANA" }, "DUPLICATE_NAME");
  await check({ file_path: file("a.txt", " \n") }, "EMPTY_CONTENT");
  expect(
    (await refusal("import_file_source", { file_path: join(folder, "a.exe") })).message,
  ).toMatch(/\.txt .*\.pdf .*\.mp3 .*\.heif/);
  await call("close_project");
  expect(await refusal("import_file_source", { file_path: "x" })).toMatchObject({
    code: "NO_PROJECT",
  });
});

test("[qualitative.import.failures] an unreadable file is an error, and creates no source", async () => {
  const { file, call, refusal, project } = await library();
  for (const [name, content] of [
    ["latin1.txt", Buffer.from("Caf\u00e9", "latin1")],
    ["zeros.txt", "a\0b"],
    ["bad.pdf", "%PDF-1.4 this is no PDF"],
    ["scan.pdf", madePdf([[]])],
    ["locked.pdf", madePdf([[{ words: "secret", y: 700 }]], { locked: true })],
    ["bad.docx", "PK this is no archive"],
    ["bad.odt", "x"],
    ["bad.epub", "x"],
    ["bad.rtf", "x"],
    ["cut.rtf", rtf.slice(0, -1)],
    ["deep.rtf", `{\\rtf1${"{".repeat(5_000)}x${"}".repeat(5_000)}}`],
    ["bad.srt", "no times"],
  ] as const) {
    expect([
      name,
      await refusal("import_file_source", { file_path: file(name, content) }),
    ]).toMatchObject([
      name,
      {
        code: "SOURCE_NOT_IMPORTED/EXTRACTION_FAILED",
        message: expect.stringContaining(`'${name}'`),
      },
    ]);
  }
  expect(await call("list_sources")).toMatchObject({ count: 2 });
  expect(readdirSync(join(project, "documents"))).toEqual([]);
});

test("[qualitative.import.dry-run] a dry run reports what would be imported, and changes nothing", async () => {
  const { file, call, refusal, project, root } = await library();
  const everything = () => [
    readFileSync(join(project, "data.qda")).toString("base64"),
    ...readdirSync(root, { recursive: true }),
  ];
  const file_path = file("talk.txt", "It rained.");
  const media = file("talk.mp3", "la");
  const bad = file("bad.pdf", "%PDF-");
  const before = everything();

  expect(await call("import_file_source", { file_path, dry_run: true })).toEqual({
    dry_run: true,
    file_path,
    name: "talk.txt",
    source_type: "text",
    file_size: 10,
    text_length: 10,
    message: "File 'talk.txt' (text, 10 bytes) is valid and ready to import",
  });
  expect(await call("import_file_source", { file_path: media, dry_run: true })).toMatchObject({
    source_type: "audio",
  });
  expect(await refusal("import_file_source", { file_path: bad, dry_run: true })).toMatchObject({
    code: "SOURCE_NOT_IMPORTED/EXTRACTION_FAILED",
  });
  expect(everything()).toEqual(before);
});

test("[qualitative.import.undo] an import is undone in one step; the next one starts from scratch", async () => {
  const { file, call } = await library();
  const file_path = file("talk.txt", "It rained.");
  const { change_id } = await call("import_file_source", { file_path, origin: "Archive" });
  await call("undo_change", { id: change_id });

  expect(await call("list_sources")).toMatchObject({ count: 2 });
  expect(await call("import_file_source", { file_path })).toMatchObject({ name: "talk.txt" });
});

test("[qualitative.import.undo] nothing is copied if nothing may be written", async () => {
  const { file, refusal, project } = await library();
  writeFileSync(join(project, "project_in_use.lock"), "");
  const file_path = file("talk.txt", "It rained.");

  expect(await refusal("import_file_source", { file_path })).toMatchObject({
    code: "PROJECT_IN_USE",
  });
  expect(readdirSync(join(project, "documents"))).toEqual([]);
});

test("[qualitative.import.undo] of two concurrent imports under one name, one succeeds", async () => {
  const { file, call, project } = await library();
  const file_path = file("talk.html", "<p>It rained.</p>");
  const both = await Promise.allSettled([
    call("import_file_source", { file_path }),
    call("import_file_source", { file_path }),
  ]);

  expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(await call("list_sources")).toMatchObject({ count: 3 });
  expect(readdirSync(join(project, "documents"))).toHaveLength(1);
});

test("[qualitative.import.codes] with a force root nothing outside it is imported, not even through a link", async () => {
  const { file, folder, project } = await library();
  symlinkSync(file("outside.txt", "secret"), join(project, "link.txt"));
  symlinkSync(file("outside.mp3", "secret"), join(project, "link.mp3"));
  writeFileSync(join(project, "inside.txt"), "It rained.");
  writeFileSync(join(project, "inside.mp3"), "la");
  const fenced = projectLibrary({ forceRoot: project }, shelvesReadingBy(reader));
  await fenced.call("open_project", { path: project });

  for (const path of [
    join(folder, "outside.txt"),
    join(project, "link.txt"),
    join(project, "link.mp3"),
    join(folder, "none.txt"),
  ]) {
    expect([path, await fenced.refusal("import_file_source", { file_path: path })]).toMatchObject([
      path,
      { kind: "forbidden", code: "out-of-root" },
    ]);
  }
  for (const name of ["inside.txt", "inside.mp3"]) {
    await fenced.call("import_file_source", { file_path: join(project, name) }, { surface: "cli" });
  }
  expect(await fenced.call("list_sources")).toMatchObject({ count: 4 });
  expect(readFileSync(join(project, "audio", "inside.mp3"), "utf8")).toBe("la");
});

test("[qualitative.import.undo] if approval is required, nothing is copied before a person accepts", async () => {
  const { file, call, project } = await library();
  const agent = { surface: "mcp", client: "claude" };
  const person = { surface: "cli" };
  await call("set_policy", { operation: "import_file_source", tier: "suggest" }, person);
  const file_path = file("talk.txt", "It rained.");
  const { proposal_id, status } = await call("import_file_source", { file_path }, agent);

  expect(status).toBe("pending_approval");
  expect(readdirSync(join(project, "documents"))).toEqual([]);
  expect(await call("list_sources")).toMatchObject({ count: 2 });
  await call("accept_proposal", { id: proposal_id }, person);
  expect(readdirSync(join(project, "documents"))).toEqual(["talk.txt"]);
  expect(await call("list_sources")).toMatchObject({ count: 3 });
});
