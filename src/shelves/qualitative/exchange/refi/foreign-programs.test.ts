import { randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { expect, test } from "vitest";
import { ZipFile } from "yazl";
import { hostileArchives } from "../../../../../tests/fixtures/files/hostile-archives.ts";
import { createZip } from "../../../../../tests/fixtures/files/made-files.ts";
import {
  databaseOf,
  projectLibrary,
} from "../../../../../tests/fixtures/qualitative/project-library.ts";

const id = (digit: string): string => `0000000${digit}-0000-4000-8000-000000000000`;

/** The project XML for one text with two codes. */
const projectOf = (inside: string, around = ""): string => `<?xml version="1.0" encoding="utf-8"?>
  <Project xmlns="urn:QDA-XML:project:1.0" name="Foreign" creatingUserGUID="{${id("1")}}">
    <Users><User guid="${id("1")}" name="Eva"/></Users>
    <CodeBook><Codes>
      <Code guid="${id("a").toUpperCase()}" name="A" isCodable="true" color="#abc"/>
      <Code guid="${id("b")}" name="B" isCodable="true"/>
    </Codes></CodeBook>
    <Sources><TextSource guid="${id("5")}" name="One" plainTextPath="internal://one.txt">${inside}</TextSource></Sources>
    ${around}
  </Project>`;

const selection = (start: number, end: number, name = "", inside = coded("a")): string =>
  `<PlainTextSelection guid="${id("7")}" startPosition="${start}" endPosition="${end}" name="${name}">${inside}</PlainTextSelection>`;

const coded = (code: string): string =>
  `<Coding guid="${id("8")}" creatingUser="${id("1")}" creationDateTime="2026-01-02T03:04:05"><CodeRef targetGUID="${id(code)}"/></Coding>`;

/** Imports a project of another program, and returns its rows. */
async function imported(parts: Record<string, string | Uint8Array>) {
  const { call, root } = projectLibrary();
  writeFileSync(join(root, "in.qdpx"), await createZip(parts));
  const answer = await call(
    "import_project",
    { file: "in.qdpx", path: "In.qda" },
    { surface: "cli" },
  );
  const db = databaseOf(join(root, "In.qda", "data.qda"));
  return {
    answer,
    db,
    losses: (answer.losses as { kind: string; what: string; count: number }[]).map(
      ({ kind, what, count }) => `${kind} ${count} ${what}`,
    ),
    words: db
      .all<{ words: string }>("SELECT seltext AS words FROM code_text ORDER BY ctid")
      .map(({ words }) => words),
  };
}

const moved = "re-anchored 1 Passages found at another position";

test("[qualitative.exchange.anchors] positions in code points are used unchanged", async () => {
  const { words, losses } = await imported({
    "project.qde": projectOf(selection(3, 8, "tell ")),
    "sources/one.txt": "😀😀 tell me",
  });

  expect([words, losses]).toEqual([["tell "], []]);
});

test("[qualitative.exchange.anchors] positions in UTF-16 units are recognized by the quotes", async () => {
  const { words, losses } = await imported({
    "project.qde": projectOf(selection(5, 9, "tell")),
    "sources/one.txt": "😀😀 tell me",
  });

  expect([words, losses]).toEqual([["tell"], [moved]]);
});

test("[qualitative.exchange.anchors] positions with other line ends are recognized", async () => {
  const asOne = await imported({
    "project.qde": projectOf(selection(4, 9, "three")),
    "sources/one.txt": "1\r\n2\r\nthree",
  });
  const asTwo = await imported({
    "project.qde": projectOf(selection(6, 11, "three")),
    "sources/one.txt": "1\n2\nthree",
  });

  expect([asOne.words, asOne.losses]).toEqual([["three"], [moved]]);
  expect([asTwo.words, asTwo.losses]).toEqual([["three"], [moved]]);
});

test("[qualitative.exchange.anchors] a quote is located in the text, and the title does not shift it", async () => {
  const text = "What I would say is that nobody asked me at all.";
  const quote = await imported({
    "project.qde": projectOf(selection(0, 23, "that nobody asked me...")),
    "sources/one.txt": text,
  });
  const title = await imported({
    "project.qde": projectOf(selection(0, 6, "nobody asked me")),
    "sources/one.txt": text,
  });

  expect([quote.words, quote.losses]).toEqual([["that nobody asked me at"], [moved]]);
  expect([title.words, title.losses]).toEqual([["What I"], []]);
});

test("[qualitative.exchange.anchors] positions outside the text are dropped and reported", async () => {
  const { words, losses } = await imported({
    "project.qde": projectOf(selection(3, 99)),
    "sources/one.txt": "short",
  });

  expect([words, losses]).toEqual([[], ["dropped 1 Passages outside their text"]]);
});

test("[qualitative.exchange.sample] names are case-insensitive, and paths need no scheme", async () => {
  const { answer, db } = await imported({
    "Project.qde": projectOf(selection(0, 3, "one")).replace("internal://one.txt", "ONE.txt"),
    "Sources/One.TXT": "\uFEFFone",
  });

  expect(answer).toMatchObject({ project_name: "Foreign", segment_count: 1, losses: [] });
  expect(db.all("SELECT name, color FROM code_name ORDER BY name")).toEqual([
    { name: "A", color: "#aabbcc" },
    { name: "B", color: "#AED6F1" },
  ]);
  expect(db.all("SELECT owner, date, seltext FROM code_text")).toEqual([
    { owner: "Eva", date: "2026-01-02 03:04:05", seltext: "one" },
  ]);
  expect(db.get("SELECT codername FROM project")).toEqual({ codername: "Eva" });
});

test("[qualitative.exchange.sample] a description is the memo of a single coding, otherwise an annotation", async () => {
  const described = "<Description>why?</Description>";
  const one = await imported({
    "project.qde": projectOf(selection(0, 3, "", described + coded("a"))),
    "sources/one.txt": "one",
  });
  const none = await imported({
    "project.qde": projectOf(selection(0, 3, "", described)),
    "sources/one.txt": "one",
  });
  const two = await imported({
    "project.qde": projectOf(selection(0, 3, "", described + coded("a") + coded("b"))),
    "sources/one.txt": "one",
  });

  const memos = ({ db }: typeof one) => [
    db.all("SELECT memo FROM code_text"),
    db.all("SELECT memo, pos0, pos1 FROM annotation"),
  ];
  const annotation = [{ memo: "why?", pos0: 0, pos1: 3 }];
  expect(memos(one)).toEqual([[{ memo: "why?" }], []]);
  expect(memos(none)).toEqual([[], annotation]);
  expect(memos(two)).toEqual([[{ memo: "" }, { memo: "" }], annotation]);
});

test("[qualitative.exchange.notes] notes become memos of their items, other notes become journals", async () => {
  const { db, losses } = await imported({
    "project.qde": projectOf(
      selection(
        0,
        3,
        "",
        coded("a").replace("</Coding>", `<NoteRef targetGUID="${id("c")}"/></Coding>`),
      ),
      `<Notes>
        <Note guid="${id("c")}" name="n"><PlainTextContent>of the coding</PlainTextContent></Note>
        <Note guid="${id("d")}" name="Plan"><Description>log</Description><PlainTextContent>of all</PlainTextContent></Note>
        <Note guid="${id("e")}" name="m"><PlainTextContent>of the source</PlainTextContent></Note>
      </Notes>
      <Links>
        <Link guid="${id("f")}" originGUID="${id("5")}" targetGUID="${id("e")}"/>
        <Link guid="${id("9")}" name="causes" originGUID="${id("a")}" targetGUID="${id("b")}"/>
      </Links>`,
    ),
    "sources/one.txt": "one",
  });

  expect(db.all("SELECT memo FROM code_text")).toEqual([{ memo: "of the coding" }]);
  expect(db.all("SELECT memo FROM source")).toEqual([{ memo: "of the source" }]);
  expect(db.all("SELECT name, jentry FROM journal")).toEqual([
    { name: "Plan", jentry: "log\nof all" },
  ]);
  expect(losses).toEqual(["dropped 1 Links"]);
});

test("[qualitative.exchange.sample] codes that do not fit the tables are corrected and reported", async () => {
  const { call, root } = projectLibrary();
  writeFileSync(
    join(root, "book.qdc"),
    `<CodeBook xmlns="urn:QDA-XML:codebook:1.0"><Codes>
      <Code guid="${id("1")}" name="Same" isCodable="false">
        <Code guid="${id("2")}" name="Hope" isCodable="true">
          <Code guid="${id("3")}" name="Below" isCodable="false"><Code guid="${id("4")}" name="Hope" isCodable="true"/></Code>
          <Code guid="${id("5")}" name="Sub" isCodable="true"/>
        </Code></Code>
    </Codes></CodeBook>`,
  );

  const answer = await call("import_project", { file: "book.qdc", path: "Book.qda" });

  const db = databaseOf(join(root, "Book.qda", "data.qda"));
  expect(
    db.all(`SELECT n.name, g.name AS category, up.name AS above FROM code_name n
              LEFT JOIN code_cat g ON g.catid = n.catid LEFT JOIN code_name up ON up.cid = n.supercid
             ORDER BY n.name`),
  ).toEqual([
    { name: "Hope", category: "Same", above: null },
    { name: "Hope (2)", category: "Below", above: null },
    { name: "Sub", category: null, above: "Hope" },
  ]);
  expect(answer.losses).toMatchObject([
    { kind: "changed", what: "Categories below a code, now beside it", count: 1 },
    { kind: "renamed", examples: ["Hope → Hope (2)"] },
  ]);
});

test("[qualitative.exchange.sample] cases are imported with their codes and attributes", async () => {
  const value = (variable: string, name: string, text: string): string =>
    `<VariableValue><VariableRef targetGUID="${id(variable)}"/><${name}>${text}</${name}></VariableValue>`;
  const { db, losses } = await imported({
    "project.qde": projectOf(selection(0, 3) + value("d", "TextValue", "en"), "").replace(
      "<Sources>",
      `<Variables>
        <Variable guid="${id("c")}" name="age" typeOfVariable="Integer"/>
        <Variable guid="${id("d")}" name="language" typeOfVariable="Text"/>
      </Variables>
      <Cases><Case guid="${id("e")}" name="Ana"><CodeRef targetGUID="${id("a")}"/>
        ${value("c", "IntegerValue", "44")}${value("d", "TextValue", "es")}<SourceRef targetGUID="${id("5")}"/></Case></Cases>
      <Sources>`,
    ),
    "sources/one.txt": "one more",
  });

  expect(db.all("SELECT pos0, pos1 FROM case_text ORDER BY pos1")).toEqual([
    { pos0: 0, pos1: 3 },
    { pos0: 0, pos1: 8 },
  ]);
  expect(
    db.all("SELECT name, caseOrFile AS of, valuetype AS type FROM attribute_type ORDER BY name"),
  ).toEqual([
    { name: "age", of: "case", type: "numeric" },
    { name: "language", of: "case", type: "character" },
    { name: "language (file)", of: "file", type: "character" },
  ]);
  expect(db.all("SELECT name, value FROM attribute ORDER BY name")).toEqual([
    { name: "age", value: "44" },
    { name: "language", value: "es" },
    { name: "language (file)", value: "en" },
  ]);
  expect(losses).toEqual(["changed 1 Attributes of both cases and sources, now two attributes"]);
});

test("[qualitative.exchange.sample] a passage can be coded and belong to several cases", async () => {
  const of = (digit: string, name: string): string =>
    `<Case guid="${id(digit)}" name="${name}"><CodeRef targetGUID="${id("a")}"/><SelectionRef targetGUID="${id("7")}"/></Case>`;
  const { db, losses, words } = await imported({
    "project.qde": projectOf(selection(0, 3)).replace(
      "<Sources>",
      `<Cases>${of("e", "Ana")}${of("f", "Ben")}</Cases><Sources>`,
    ),
    "sources/one.txt": "one more",
  });

  expect(words).toEqual(["one"]);
  expect(db.all("SELECT caseid, pos0, pos1 FROM case_text ORDER BY caseid")).toEqual([
    { caseid: 1, pos0: 0, pos1: 3 },
    { caseid: 2, pos0: 0, pos1: 3 },
  ]);
  expect(losses).toEqual([]);
});

test("[qualitative.exchange.sample] an uncoded passage can belong to several cases", async () => {
  const of = (digit: string, name: string): string =>
    `<Case guid="${id(digit)}" name="${name}"><SelectionRef targetGUID="${id("7")}"/></Case>`;
  const { db, losses } = await imported({
    "project.qde": projectOf(selection(0, 3, "", "")).replace(
      "<Sources>",
      `<Cases>${of("e", "Ana")}${of("f", "Ben")}</Cases><Sources>`,
    ),
    "sources/one.txt": "one more",
  });

  expect(db.all("SELECT caseid, pos1 FROM case_text ORDER BY caseid")).toEqual([
    { caseid: 1, pos1: 3 },
    { caseid: 2, pos1: 3 },
  ]);
  expect(losses).toEqual([]);
});

test("[qualitative.exchange.sample] source names cannot place a file outside the project", async () => {
  const { db, answer } = await imported({
    "project.qde": `<Project name="p"><Sources>
      <PictureSource guid="${id("1")}" name="../../up.png" path="internal://a.png"/>
      <PictureSource guid="${id("2")}" name="../../UP.png" path="internal://b.png"/>
      <PDFSource guid="${id("3")}" name="con" path="internal://c.pdf"/>
      <AudioSource guid="${id("4")}" name="far" path="absolute:///etc/passwd"/>
      <VideoSource guid="${id("5")}" name="near" path="relative:///../x.mp4"/>
    </Sources></Project>`,
    "sources/a.png": "a",
    "sources/b.png": "b",
    "sources/c.pdf": "c",
  });

  const paths = db.all<{ mediapath: string }>("SELECT mediapath FROM source ORDER BY id");
  expect(paths.map(({ mediapath }) => mediapath)).toEqual([
    "/images/_.._up.png",
    "/images/_.._UP (2).png",
    "/docs/file_con.pdf",
    "/audio/far",
    "/video/near.mp4",
  ]);
  const folder = join(String(answer.project_path), "images");
  expect(readdirSync(folder).sort()).toEqual(["_.._UP (2).png", "_.._up.png"]);
});

test("[qualitative.exchange.hostile] hostile archives are refused, and their files are removed", async () => {
  const archives = await hostileArchives();
  const { refusal, root } = projectLibrary();
  for (const [name, bytes] of archives) {
    writeFileSync(join(root, "in.qdpx"), bytes);
    const { code } = await refusal("import_project", { file: "in.qdpx", path: "In.qda" });
    const expected = ["UNREADABLE", "UNKNOWN_FORMAT"].map(
      (reason) => `PROJECT_NOT_IMPORTED/${reason}`,
    );
    expect([name, expected.includes(code)]).toEqual([name, true]);
    expect(readdirSync(root)).toEqual(["in.qdpx"]);
  }
  expect(archives.length).toBeGreaterThanOrEqual(7);
});

test("[qualitative.exchange.hostile] each kind of invalid archive is refused for its own reason", async () => {
  const { refusal, root } = projectLibrary();
  const check = async (bytes: Uint8Array, reason: string): Promise<void> => {
    writeFileSync(join(root, "in.qdpx"), bytes);
    const failure = await refusal("import_project", { file: "in.qdpx", path: "In.qda" });
    expect(failure.message).toBe(`'in' cannot be read: ${reason}.`);
  };
  const whole = { "project.qde": projectOf(""), "sources/one.txt": "one" };

  await check(
    await createZip({ ...whole, "PROJECT.QDE": "<a/>" }),
    "it contains two entries with one name",
  );
  await check(
    await createZip({ ...whole, "sources/big.txt": "a".repeat(9_000_000) }),
    "it unpacks to far more than its size",
  );
  await check(await createZip({ "sources/one.txt": "one" }), "it contains no project.qde");
  await check(
    await createZip({ "project.qde": "<html/>" }),
    "it is not a REFI-QDA project or codebook",
  );
  await check(await createZip({ "project.qde": "<Project>" }), "it is damaged");
  await check(
    await createZip({ "project.qde": `<Project name="x">${"<a>".repeat(600)}` }),
    "it is nested too deeply",
  );
  await check(
    await createZip({ "project.qde": '<!DOCTYPE Project [<!ENTITY a "b">]><Project name="&a;"/>' }),
    "it is damaged",
  );
});

test("[qualitative.exchange.hostile] a modified byte in the archive is not accepted as text", async () => {
  const { refusal, root } = projectLibrary();
  const zip = new ZipFile();
  zip.addBuffer(Buffer.from(projectOf("")), "project.qde");
  zip.addBuffer(Buffer.from("I hoped."), "sources/one.txt", { compress: false });
  zip.end();
  const bytes = await buffer(zip.outputStream);
  bytes.write("I moped.", bytes.indexOf("I hoped."));
  writeFileSync(join(root, "in.qdpx"), bytes);

  expect(await refusal("import_project", { file: "in.qdpx", path: "In.qda" })).toMatchObject({
    message: "'in' cannot be read: it is damaged.",
  });
});

test("[qualitative.exchange.hostile] content that is small in the archive and huge when imported is refused", async () => {
  const { refusal, root } = projectLibrary();
  const reasonFor = async (xml: string): Promise<string> => {
    const parts = { "project.qde": xml, "sources/one.txt": "abcdefgh".repeat(125_000) };
    writeFileSync(join(root, "in.qdpx"), await createZip(parts));
    return (await refusal("import_project", { file: "in.qdpx", path: "In.qda" })).message;
  };
  const sources = Array.from(
    { length: 300 },
    (_, n) => `<TextSource name="${n}" plainTextPath="internal://one.txt"/>`,
  );

  expect(await reasonFor(`<Project><Sources>${sources.join("")}</Sources></Project>`)).toBe(
    "'in' cannot be read: it unpacks to far more than its size.",
  );
  expect(await reasonFor(projectOf(selection(0, 1_000_000).repeat(600)))).toBe(
    "'in' cannot be read: its passages are far longer than its texts.",
  );
  expect(readdirSync(root)).toEqual(["in.qdpx"]);
});

test("[qualitative.exchange.bomb] an archive that would fill the disk is refused, and its files are removed", async () => {
  const { refusal, root } = projectLibrary();
  const refusedFor = async (parts: Record<string, string | Uint8Array>): Promise<string> => {
    writeFileSync(join(root, "in.qdpx"), await createZip(parts));
    return (await refusal("import_project", { file: "in.qdpx", path: "In.qda" })).message;
  };
  const picture = Buffer.alloc(7_000_000);
  const sourceOf = (name: string, part: string): string =>
    `<PictureSource name="${name}" path="internal://${part}.png" guid="${randomUUID()}"/>`;
  const projectWith = (sources: readonly string[]): string =>
    `<Project name="x"><Sources>${sources.join("")}</Sources></Project>`;
  const numbers = Array.from({ length: 20 }, (_, number) => `p${number}`);
  const reason = "'in' cannot be read: it unpacks to far more than its size.";

  // Many parts that are small individually; then one part that belongs to many sources.
  const many = Object.fromEntries(numbers.map((name) => [`sources/${name}.png`, picture]));
  const xml = projectWith(numbers.map((name) => sourceOf(name, name)));
  expect(await refusedFor({ "project.qde": xml, ...many })).toBe(reason);
  const shared = projectWith(numbers.map((name) => sourceOf(name, "p")));
  expect(await refusedFor({ "project.qde": shared, "sources/p.png": picture })).toBe(reason);
  expect(readdirSync(root)).toEqual(["in.qdpx"]);
});

const sample = new URL("../../../../../../shared/data/qualitative/refi-qda/", import.meta.url);
const isThere = existsSync(sample);

/** A substitute with the structure of the sample, for a clone without it. */
const standIn = {
  "Project.qde": projectOf(
    selection(139, 195, "Oh, that was great."),
    `<Graphs><Graph guid="${id("c")}" name="Net"/></Graphs>`,
  ),
};

test(`[qualitative.exchange.sample] an ATLAS.ti project without its files is imported with a report (${isThere ? "the shared sample" : "a stand-in"})`, async () => {
  const { call, root } = projectLibrary();
  const bytes = isThere
    ? readFileSync(new URL("TestProject.qdpx", sample))
    : await createZip(standIn);
  writeFileSync(join(root, "in.qdpx"), bytes);

  const answer = await call("import_project", { file: "in.qdpx", path: "In.qda" });

  const losses = new Map(
    (answer.losses as { what: string; count: number }[]).map(({ what, count }) => [what, count]),
  );
  expect(losses.get("Drawn graphs")).toBe(1);
  const db = databaseOf(join(root, "In.qda", "data.qda"));
  expect(db.all("PRAGMA integrity_check")).toEqual([{ integrity_check: "ok" }]);
  if (!isThere) return expect(losses.get("Passages of texts that are missing")).toBe(1);
  const [expected] = JSON.parse(readFileSync(new URL("expected.json", sample), "utf8"));
  expect(answer).toMatchObject({
    project_name: expected.project,
    source_count: expected.sources.length,
    code_count: expected.codes,
  });
  // Two picture areas and a video segment are imported even without their files.
  expect(answer.segment_count).toBe(3);
  expect(losses.get("Passages of texts that are missing")).toBe(
    expected.sources.reduce(
      (sum: number, source: { selections: number }) => sum + source.selections,
      0,
    ),
  );
  expect(losses.get("Texts that are not in the file")).toBe(8);
  expect(losses.get("Pictures, recordings and PDFs that are not in the file")).toBe(6);
  const sets = [...losses].filter(([what]) => what.startsWith("Sets of"));
  expect(sets.reduce((sum, [, count]) => sum + count, 0)).toBe(expected.sets);
  expect(db.all("SELECT name FROM journal")).toHaveLength(expected.notes);
  expect(db.all("SELECT x1, y1, width, height FROM code_image")).toEqual([
    { x1: 267, y1: 1, width: 725, height: 719 },
    { x1: 267, y1: 1, width: 725, height: 719 },
  ]);
  expect(db.all("SELECT name, mediapath FROM source WHERE mediapath LIKE '/video/%'")).toHaveLength(
    2,
  );
});
