import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  databaseOf,
  projectLibrary,
} from "../../../../../tests/fixtures/qualitative/project-library.ts";

const html =
  "<h1>Héllo &amp; you</h1><p>First 😀 line<br>second <b>bold</b> line</p>\n<p>Last&nbsp;one &lt;here&gt;</p>";

/** The text of the document. Taguette's positions are UTF-8 byte offsets. */
const counted = "Héllo & youFirst 😀 linesecond bold line\nLast\u00A0one <here>";

const bytesBefore = (words: string): number =>
  Buffer.byteLength(counted.slice(0, counted.indexOf(words)));

/** A database like a Taguette export, with the tables and columns that the import reads. */
function writeTaguette(path: string, highlights: readonly [string, string][]): void {
  const db = databaseOf(path);
  db.exec(`
    CREATE TABLE alembic_version (version_num VARCHAR(32));
    CREATE TABLE projects (id INTEGER PRIMARY KEY, name TEXT, description TEXT, meta TEXT);
    CREATE TABLE documents (id INTEGER PRIMARY KEY, name TEXT, description TEXT, filename TEXT,
      created DATETIME, project_id INTEGER, text_direction TEXT, contents TEXT);
    CREATE TABLE tags (id INTEGER PRIMARY KEY, project_id INTEGER, path TEXT, description TEXT);
    CREATE TABLE highlights (id INTEGER PRIMARY KEY, document_id INTEGER, start_offset INTEGER,
      end_offset INTEGER, snippet TEXT);
    CREATE TABLE highlight_tags (highlight_id INTEGER, tag_id INTEGER);
    INSERT INTO projects VALUES (3, 'Field', 'What we did', '');
    INSERT INTO tags VALUES (1, 3, 'people.friends', 'who'), (2, 3, 'places', '');
  `);
  db.run(
    "INSERT INTO documents VALUES (7, 'Notes', 'Of May', 'n.html', '2024-05-01 10:20:30.000000', 3, 'ltr', ?)",
    html,
  );
  for (const [index, [words, tags]] of highlights.entries()) {
    const start = bytesBefore(words);
    const end = start + Buffer.byteLength(words);
    db.run(
      "INSERT INTO highlights VALUES (?, 7, ?, ?, ?)",
      index + 1,
      start,
      end,
      `<p>${words}</p>`,
    );
    for (const tag of tags)
      db.run("INSERT INTO highlight_tags VALUES (?, ?)", index + 1, Number(tag));
  }
}

test("[qualitative.exchange.taguette] tags become codes and highlights keep their text", async () => {
  const { call, root } = projectLibrary();
  writeTaguette(join(root, "t.sqlite3"), [
    ["Héllo", "1"],
    ["linesecond bold", "12"],
    ["😀", "2"],
    ["one", ""],
  ]);

  const answer = await call("import_project", { file: "t.sqlite3", path: "T.qda" });

  expect(answer).toMatchObject({
    project_name: "Field",
    source_count: 1,
    code_count: 2,
    segment_count: 4,
    losses: [{ kind: "dropped", what: "Highlights without a tag", count: 1 }],
  });
  const db = databaseOf(join(root, "T.qda", "data.qda"));
  expect(db.all("SELECT name, fulltext, memo, date FROM source")).toEqual([
    {
      name: "Notes",
      fulltext: "Héllo & you\nFirst 😀 line\nsecond bold line\nLast\u00A0one <here>\n",
      memo: "Of May",
      date: "2024-05-01 10:20:30",
    },
  ]);
  expect(
    db.all("SELECT n.name, c.seltext FROM code_text c JOIN code_name n USING (cid) ORDER BY ctid"),
  ).toEqual([
    { name: "people.friends", seltext: "Héllo" },
    { name: "people.friends", seltext: "line\nsecond bold" },
    { name: "places", seltext: "line\nsecond bold" },
    { name: "places", seltext: "😀" },
  ]);
});

test("[qualitative.exchange.taguette] other databases, damaged ones and several projects are refused", async () => {
  const { refusal, root } = projectLibrary();
  const reasonOf = async (file: string) =>
    (await refusal("import_project", { file, path: "T.qda" })).message;
  databaseOf(join(root, "other.sqlite3")).exec("CREATE TABLE a (b)");
  writeTaguette(join(root, "two.sqlite3"), []);
  databaseOf(join(root, "two.sqlite3")).exec("INSERT INTO projects VALUES (4, 'Other', '', '')");
  writeFileSync(join(root, "bad.sqlite3"), `SQLite format 3\0${"x".repeat(5_000)}`);
  writeTaguette(join(root, "view.sqlite3"), []);
  databaseOf(join(root, "view.sqlite3")).exec(
    "DROP TABLE tags; CREATE VIEW tags AS SELECT 1 AS id",
  );

  expect(await reasonOf("other.sqlite3")).toBe(
    "'other' cannot be read: it is not a Taguette database.",
  );
  expect(await reasonOf("view.sqlite3")).toBe(
    "'view' cannot be read: it contains the view 'tags'.",
  );
  expect(await reasonOf("bad.sqlite3")).toBe("'bad' cannot be read: it is damaged.");
  expect(await reasonOf("two.sqlite3")).toContain("it contains several projects");
});
