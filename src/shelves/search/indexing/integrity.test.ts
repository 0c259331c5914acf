import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openInProcessApp } from "../../../../tests/torture/in-process-app.ts";
import { openConversionCache } from "../../../kernel/documents/conversion-cache.ts";
import { runSteps } from "../../../kernel/storage/sqlite-store.ts";
import { shelves } from "../../../shelves.ts";
import { checkStoreContents } from "../../../surfaces/cli/doctor/store-checks.ts";
import { saveChunks } from "../storage-chunks.ts";

/** Many short sections: more rows than one `update` verifies. */
const manyNotes = Array.from({ length: 160 }, (_, number): [string, string] => [
  `z${number}.md`,
  Array.from({ length: 30 }, (_, part) => `## Part ${part}\n\n${"word ".repeat(60)}\n`).join("\n"),
]);

async function library(more: [name: string, text: string][] = []) {
  const folder = mkdtempSync(join(tmpdir(), "lectern-sound-"));
  const [home, notes] = [join(folder, "home"), join(folder, "notes")];
  for (const path of [home, notes]) mkdirSync(path);
  for (const [name, text] of [
    ["a.md", "---\ntags: birds\n---\n# Albatross\n\nIt glides. See [b](b.md).\n"],
    ["b.md", "# Bittern\n\nIt booms.\n\n## Nest\n\nIn the reeds.\n"],
    ...more,
  ] as const) {
    writeFileSync(join(notes, name), text);
    utimesSync(join(notes, name), 1, 1);
  }
  const opened = openInProcessApp(home, notes);
  onTestFinished(async () => {
    await opened.close();
    rmSync(folder, { recursive: true, force: true });
  });
  await opened.call("add_collection", { path: notes, name: "notes" });
  const found = async (query: string) =>
    (await opened.call<{ results: { file: string }[] }>("search", { query })).results.map(
      ({ file }) => file,
    );
  const complaints = () =>
    checkStoreContents(join(home, "lectern.sqlite"), {
      shelves,
      roots: [{ name: "notes", path: notes, pattern: "**/*.md" }],
      program: "lectern",
    })
      .filter(({ state }) => state === "fail")
      .map(({ says }) => says);
  return { ...opened, db: opened.library.runtime.db, found, complaints };
}

test.each([
  ["emptied postings", "UPDATE search_postings SET block = x''"],
  ["a lost block of postings", "DELETE FROM search_postings WHERE id % 1048576 = 0"],
  ["emptied positions", "UPDATE search_positions SET block = x''"],
  ["a lost block of positions", "DELETE FROM search_positions WHERE id % 1048576 = 0"],
  ["lost segments", "DELETE FROM search_segments"],
  ["lost passages", "DELETE FROM search_passages"],
  ["a changed passage", "UPDATE search_passages SET text = 'It sings.' WHERE text LIKE '%booms%'"],
  ["passages that count as removed", "INSERT INTO search_removed SELECT id FROM search_passages"],
])(
  "[core.store.checksums] after %s a search is refused, and update repairs it",
  async (_, damage) => {
    const { call, db, found, complaints } = await library();
    expect(complaints()).toEqual([]);
    db.run(damage);
    // Cached reads have a version number, which each change of the index increments.
    db.run("UPDATE search_postings_stamp SET stamp = 1");
    await expect(found('"it booms"')).rejects.toMatchObject({
      code: "index-damaged",
      hints: [expect.stringContaining("lectern update")],
    });
    expect(complaints()).toEqual([expect.stringMatching(/^Damaged: /)]);
    const { repaired } = await call<{ repaired: string[] }>("update_collections");
    expect(repaired).not.toEqual([]);
    expect(await found('"it booms"')).toEqual(["notes/b.md"]);
    expect(await found("glides")).toEqual(["notes/a.md"]);
    expect(complaints()).toEqual([]);
    expect(await call("update_collections")).not.toHaveProperty("repaired");
  },
);

test.each([
  ["a title", "UPDATE search_documents SET title = 'Crow' WHERE title = 'Bittern'"],
  ["a fact", "UPDATE search_facts SET value = 'fish'"],
  ["a link", "DELETE FROM search_links"],
  ["a word", "DELETE FROM search_vocabulary WHERE word = 'booms'"],
  ["a hash", "UPDATE documents SET hash = 'none' WHERE path = 'b.md'"],
  ["a document", "DELETE FROM documents WHERE path = 'b.md'"],
  ["an entry", "DELETE FROM search_entries"],
  ["a chunk", "DELETE FROM search_chunks"],
  ["a converted text", "UPDATE converted SET text = 'other'"],
])(
  "[core.store.checksums] %s that is altered or lost is reported by the doctor and repaired by update",
  async (_, damage) => {
    const { call, db, found, complaints } = await library();
    const chunk = { line: 1, endLine: 2, headings: [], text: "words", vector: 0, isEnglish: true };
    db.run("INSERT INTO kept_vector_models VALUES (1, 'model', '', 1)");
    const vector = db.run(
      "INSERT INTO kept_vectors (model, chunk_hash, vector) VALUES (1, 'x', x'')",
    );
    runSteps(db, saveChunks(1, [{ ...chunk, vector: vector.lastId }], "model"));
    runSteps(db, openConversionCache().store("hash", { text: "words" }));
    expect(complaints()).toEqual([]);
    expect(db.run(damage).changes).toBeGreaterThan(0);
    expect(complaints()).toEqual([expect.stringMatching(/^Damaged: /)]);
    const { repaired } = await call<{ repaired: string[] }>("update_collections");
    expect(repaired).not.toEqual([]);
    expect(complaints()).toEqual([]);
    expect(await found("booms")).toEqual(["notes/b.md"]);
    const documents = await call("list_documents");
    expect(JSON.stringify(documents)).toContain("Bittern");
  },
);

test.each([
  ["altered", 'UPDATE proposals SET input = \'{"title":"Put it out"}\''],
  ["lost", "DELETE FROM proposals"],
  ["misnumbered", "UPDATE proposals SET id = id + 7"],
])(
  "[core.store.checksums] a proposal that is %s is reported by the doctor and restored by update",
  async (_, damage) => {
    const { call, db, complaints } = await library();
    await call("propose-decision", { kind: "new", title: "Keep the lamp lit" });
    const before = await call("proposals");
    expect(complaints()).toEqual([]);
    db.run(damage);
    expect(complaints()).toEqual([expect.stringContaining("of proposals")]);
    await call("update_collections");
    expect(await call("proposals")).toEqual(before);
    expect(complaints()).toEqual([]);
  },
);

const lastPassage = "(SELECT max(id) FROM search_passages)";
const harm = `UPDATE search_passages SET text = 'changed' WHERE id = ${lastPassage}`;

test("[core.store.slices] successive updates of a large store each verify a slice, until all is verified", async () => {
  const { call, db, complaints } = await library(manyNotes);
  const { count } =
    db.get<{ count: number }>("SELECT count(*) AS count FROM search_passages") ?? {};
  expect(count).toBeGreaterThan(4_000);
  db.run("UPDATE verification SET part = NULL, position = NULL");
  db.run(harm);
  const turns: boolean[] = [];
  while (turns.length < 20 && turns.at(-1) !== true) {
    turns.push("repaired" in (await call("update_collections")));
  }
  expect(turns[0]).toBe(false);
  expect(turns.at(-1)).toBe(true);
  expect(complaints()).toEqual([]);
});

test.each<[string, (opened: Awaited<ReturnType<typeof library>>) => unknown, object]>([
  ["the doctor found damage", ({ complaints }) => expect(complaints()).toHaveLength(1), {}],
  [
    "a search met damage",
    ({ found }) => expect(found("word")).rejects.toMatchObject({ code: "index-damaged" }),
    {},
  ],
  ["it is asked to", () => undefined, { verify: true }],
])("[core.store.slices] update verifies all of a large store when %s", async (_, meet, input) => {
  const opened = await library(manyNotes);
  opened.db.run("UPDATE verification SET part = NULL, position = NULL");
  opened.db.run(harm.replace(lastPassage, "id"));
  opened.db.run("UPDATE search_postings_stamp SET stamp = 1");
  await meet(opened);
  expect(await opened.call("update_collections", input)).toHaveProperty("repaired");
  expect(opened.complaints()).toEqual([]);
});

test("[core.store.damaged-row] one damaged proposal or change is read from its copy, or omitted from the list", async () => {
  const { call, db } = await library();
  for (const title of ["Keep the lamp lit", "Paint the door"]) {
    await call("propose-decision", { kind: "new", title });
  }
  const [proposals, activity] = [await call("proposals"), await call("activity")];
  db.run("UPDATE proposals SET input = '{', summary = 'Other' WHERE id = 1");
  db.run("UPDATE changes SET actor = '{' WHERE id = 1");
  expect(await call("proposals")).toEqual(proposals);
  expect(await call("activity")).toEqual(activity);
  db.run("UPDATE sealed_rows SET content = 'x' WHERE kept = 'proposals' AND id = 1");
  expect(await call("proposals")).toMatchObject({ proposals: [{ id: 2 }] });
});
