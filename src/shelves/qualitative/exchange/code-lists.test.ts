import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  databaseOf,
  interviewLibrary,
  projectLibrary,
} from "../../../../tests/fixtures/qualitative/project-library.ts";
import type { Database } from "../../../kernel/storage/database.ts";

const person = { surface: "cli" };

/** Codes with their paths, as lines. */
const codesIn = (db: Database): string[] =>
  db
    .all<
      Record<"name" | "memo" | "color", string> & { category: string | null; above: string | null }
    >(
      `SELECT n.name, n.memo, n.color, g.name AS category, up.name AS above
         FROM code_name n LEFT JOIN code_cat g ON g.catid = n.catid
         LEFT JOIN code_name up ON up.cid = n.supercid ORDER BY n.name`,
    )
    .map(({ name, memo, color, category, above }) =>
      [category ?? above ?? "-", name, color, memo].join(" | "),
    );

const categoriesIn = (db: Database): unknown[] =>
  db.all(`SELECT g.name, up.name AS above, g.memo FROM code_cat g
            LEFT JOIN code_cat up ON up.catid = g.supercatid ORDER BY g.name`);

test("[qualitative.exchange.lists] code list paths become categories", async () => {
  const { call, root } = projectLibrary();
  writeFileSync(
    join(root, "codes.txt"),
    "\uFEFFFeelings>>Good>>Hope\tWhat holds up\r\n\r\nFeelings>>Good>>Hope>>Small hope\r\nPlain\r\nEmpty>>\r\n",
  );

  expect(await call("import_project", { file: "codes.txt", path: "L.qda" })).toMatchObject({
    project_name: "codes",
    code_count: 3,
    losses: [],
  });
  const db = databaseOf(join(root, "L.qda", "data.qda"));
  expect(codesIn(db)).toEqual([
    "Good | Hope | #E6B0AA | What holds up",
    "- | Plain | #A9DFBF | ",
    "Hope | Small hope | #AED6F1 | ",
  ]);
  expect(categoriesIn(db)).toEqual([
    { name: "Empty", above: null, memo: "" },
    { name: "Feelings", above: null, memo: "" },
    { name: "Good", above: "Feelings", memo: "" },
  ]);
});

/** A project with a code tree whose names and memos need escaping. */
async function withTree() {
  const library = await interviewLibrary();
  const { root } = library;
  databaseOf(join(root, "interviews.qda", "data.qda")).exec(`
    INSERT INTO code_cat (catid, name, memo, owner, date) VALUES (1, 'Feelings', 'kept; "so"', 'E', 'd');
    INSERT INTO code_cat (catid, name, memo, owner, date, supercatid) VALUES (2, 'Good, old', '', 'E', 'd', 1);
    INSERT INTO code_name (cid, name, memo, catid, owner, date, color) VALUES (8, '=SUM(A1)', 'two' || char(10) || 'lines', 2, 'E', 'd', '#123456');
    INSERT INTO code_name (cid, name, memo, owner, date, color, supercid) VALUES (9, 'Below 😀', '', 'E', 'd', '#654321', 8);
  `);
  return library;
}

for (const ending of ["csv", "qdc", "qdpx"]) {
  test(`[qualitative.exchange.lists] codes are exported as .${ending} and imported unchanged`, async () => {
    const { call, root } = await withTree();
    const before = databaseOf(join(root, "interviews.qda", "data.qda"));

    await call("export_project", { file: `codes.${ending}` }, person);
    const answer = await call("import_project", { file: `codes.${ending}`, path: "C.qda" }, person);

    const after = databaseOf(join(root, "C.qda", "data.qda"));
    expect(answer.losses).toEqual([]);
    expect(codesIn(after)).toEqual(codesIn(before));
    expect(categoriesIn(after)).toEqual(categoriesIn(before));
  });
}

test("[qualitative.exchange.lists] a table is safe for spreadsheets, and a list reports what it leaves out", async () => {
  const { call, root } = await withTree();

  await call("export_project", { file: "codes.csv" }, person);
  const listed = await call("export_project", { file: "codes.txt" }, person);

  const table = readFileSync(join(root, "codes.csv"), "utf8");
  expect(table.split("\r\n").slice(0, 3)).toEqual([
    "\uFEFFname,category,color,memo,kind",
    'Feelings,,,"kept; ""so""",category',
    '"Good, old",Feelings,,,category',
  ]);
  expect(table).toContain('\'=SUM(A1),"Feelings>>Good, old",#123456');
  expect(readFileSync(join(root, "codes.txt"), "utf8")).toBe(
    "Hope\tWhatever holds up\nWaiting\nFeelings>>Good, old>>=SUM(A1)\ttwo lines\nFeelings>>Good, old>>=SUM(A1)>>Below 😀\n",
  );
  const losses = listed.losses as { what: string; examples: string[] }[];
  expect(losses.map(({ what }) => what)).toEqual(
    expect.arrayContaining([
      "Memos of categories",
      "Colors of codes",
      "Memos of several lines, now one line",
    ]),
  );
});

test("[qualitative.exchange.lists] a foreign table needs only a name for each code", async () => {
  const { call, refusal, root } = projectLibrary();
  writeFileSync(
    join(root, "a.csv"),
    "Code;Description;Colour\nHope;holds up;#00ff00\nDoubt;;red\nFear;;#c0f\n;nameless;\n",
  );
  writeFileSync(join(root, "b.csv"), "x,y\n1,2\n");

  const answer = await call("import_project", { file: "a.csv", path: "A.qda" });

  expect(answer.losses).toMatchObject([{ kind: "dropped", examples: ["Doubt red"] }]);
  expect(codesIn(databaseOf(join(root, "A.qda", "data.qda")))).toEqual([
    "- | Doubt | #AED6F1 | ",
    "- | Fear | #cc00ff | ",
    "- | Hope | #00ff00 | holds up",
  ]);
  expect(await refusal("import_project", { file: "b.csv", path: "B.qda" })).toMatchObject({
    message: "'b' cannot be read: its first line has no column 'name' or 'code'.",
  });
});

test("[qualitative.exchange.codes] codes are added to the open project, and one undo removes them", async () => {
  const { call, root } = await interviewLibrary();
  writeFileSync(
    join(root, "more.txt"),
    "hope\tanother memo\nFeelings>>Doubt\nFeelings>>Doubt>>Late doubt\n",
  );
  const db = databaseOf(join(root, "interviews.qda", "data.qda"));
  const before = codesIn(db);

  const added = await call("import_codes", { file: "more.txt" }, person);

  expect(added).toMatchObject({ codes_added: 2, categories_added: 1, already_there: 1 });
  expect(codesIn(db)).toEqual([
    "Feelings | Doubt | #A9DFBF | ",
    "- | Hope | #00AA00 | Whatever holds up",
    "Doubt | Late doubt | #F9E79F | ",
    "- | Waiting | #888888 | ",
  ]);
  await call("undo_change", { id: added.change_id }, person);
  expect(codesIn(db)).toEqual(before);
  expect(categoriesIn(db)).toEqual([]);
});

test("[qualitative.exchange.codes] codes keep their imported GUID, and a second import adds nothing", async () => {
  const { call, root } = await interviewLibrary();
  const guid = "0000000a-0000-4000-8000-00000000000b";
  const book = `<CodeBook xmlns="urn:QDA-XML:codebook:1.0"><Codes><Code guid="${guid}" name="Trust" isCodable="true"/></Codes></CodeBook>`;
  writeFileSync(join(root, "book.qdc"), book);

  await call("import_codes", { file: "book.qdc" }, person);
  const again = await call("import_codes", { file: "book.qdc" }, person);
  await call("export_project", { file: "out.qdc" }, person);

  expect(again).toEqual({ codes_added: 0, categories_added: 0, already_there: 1, losses: [] });
  expect(readFileSync(join(root, "out.qdc"), "utf8")).toContain(
    `<Code guid="${guid}" name="Trust"`,
  );
});

test("[qualitative.exchange.codes] without a project codes cannot be added", async () => {
  const { refusal, root } = projectLibrary();
  writeFileSync(join(root, "more.txt"), "Hope\n");

  expect(await refusal("import_codes", { file: "more.txt" })).toMatchObject({ code: "NO_PROJECT" });
});

test("[qualitative.exchange.codes] codes are added to the project that was open when the call was made, or to none", async () => {
  const { call, refusal, root } = await interviewLibrary();
  await call("export_project", { file: "codes.qdpx" }, person);
  await call("create_project", { path: "Other.qda" });
  await call("open_project", { path: "interviews.qda" });

  const [failure] = await Promise.all([
    refusal("import_codes", { file: "codes.qdpx" }),
    call("open_project", { path: "Other.qda" }),
  ]);

  expect(failure).toMatchObject({ code: "CODES_NOT_IMPORTED/OTHER_PROJECT" });
  expect(codesIn(databaseOf(join(root, "Other.qda", "data.qda")))).toEqual([]);
});
