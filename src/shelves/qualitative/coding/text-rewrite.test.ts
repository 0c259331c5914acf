import { expect, test } from "vitest";
import {
  databaseOf,
  interviewLibrary,
} from "../../../../tests/fixtures/qualitative/project-library.ts";

const person = { surface: "cli" };

interface Segment {
  id: number;
  start_position: number;
  end_position: number;
  selected_text: string;
}

/** Ana says: I hoped. 😀 I doubted, too.\r\nThen I hoped again. */
async function coded(...quotes: string[]) {
  const opened = await interviewLibrary();
  const operations = quotes.map((quote) => ({ code_id: 2, source_id: 1, quote }));
  if (quotes.length > 0) await opened.call("batch_apply_codes", { operations });
  const db = databaseOf(`${opened.root}/interviews.qda/data.qda`);
  return {
    ...opened,
    db,
    segments: async () =>
      (await opened.call("list_segments_for_source", { source_id: 1 })).segments as Segment[],
    /** Codings whose stored text differs from the source at their position. */
    crooked: () =>
      db.all(
        `SELECT 1 FROM code_text c JOIN source s ON s.id = c.fid
          WHERE substr(s.fulltext, c.pos0 + 1, c.pos1 - c.pos0) <> c.seltext`,
      ),
  };
}

const edit = (start_pos: number, end_pos: number, text: string) => ({ start_pos, end_pos, text });

test("[qualitative.anchors.move] codings move with the text, and their quotes stay correct", async () => {
  const { call, segments, crooked } = await coded("doubted", "again");
  const answer = await call(
    "edit_source_text",
    { source_id: 1, edits: [edit(0, 0, "😀😀 "), edit(22, 25, "much")] },
    person,
  );

  expect(answer).toMatchObject({ revision: 1, kept: 3, moved: 0, changed: 0, waiting: 0 });
  expect(await segments()).toMatchObject([
    { start_position: 5, selected_text: "hoped" },
    { selected_text: "doubted" },
    { selected_text: "again" },
  ]);
  expect(crooked()).toEqual([]);
});

test("[qualitative.anchors.inbox] unlocated passages go to the inbox with a proposal, and are settled by number or score", async () => {
  const { call, segments, crooked } = await coded("doubted");
  const edits = [edit(13, 20, "was unsure")];
  const answer = await call("edit_source_text", { source_id: 1, edits }, person);
  expect(answer).toMatchObject({ waiting: 1, followed: [{ fate: "lost" }] });
  expect(await segments()).toHaveLength(1);

  const { items } = await call("list_inbox");
  expect(items).toMatchObject([
    { kind: "coding", code_id: 2, quote: "doubted", source_name: "Ana" },
  ]);
  const [item] = items as { id: number }[];
  await call("settle_inbox", { item_id: item?.id, start_pos: 13, end_pos: 23 }, person);

  expect(await segments()).toMatchObject([{ id: 1 }, { id: 2, selected_text: "was unsure" }]);
  expect(crooked()).toEqual([]);
  expect((await call("list_inbox")).total).toBe(0);
});

test("[qualitative.anchors.inbox] inbox entries of a source deleted by QualCoder are no longer listed", async () => {
  const { call, db } = await coded("doubted");
  const edits = [edit(13, 20, "was unsure")];
  await call("edit_source_text", { source_id: 1, edits }, person);
  db.run("DELETE FROM source WHERE id = 1");

  expect(await call("list_inbox")).toMatchObject({ items: [], total: 0 });
  expect(await call("settle_inbox", { min_score: 0 }, person)).toEqual({ settled: [] });
});

test("[qualitative.anchors.dismissed] an inbox entry is dismissed, and restored by undo", async () => {
  const { call, segments } = await coded("doubted");
  await call("edit_source_text", { source_id: 1, edits: [edit(9, 26, "")] }, person);
  const { items } = await call("list_inbox");
  const [item] = items as { id: number }[];
  const { change_id } = await call("settle_inbox", { item_id: item?.id, dismiss: true }, person);
  expect((await call("list_inbox")).total).toBe(0);

  await call("undo_change", { id: change_id }, person);
  expect((await call("list_inbox")).total).toBe(1);
  expect(await segments()).toHaveLength(1);
});

test("[qualitative.anchors.undo] one undo restores text, codings and inbox, and another one the edit", async () => {
  const { call, db } = await coded("doubted", "Then I");
  const rows = () => [
    db.all("SELECT * FROM source"),
    db.all("SELECT * FROM code_text ORDER BY ctid"),
    db.all("SELECT * FROM lectern_inbox"),
  ];
  await call("edit_source_text", { source_id: 2, content: "Else." }, person);
  const before = rows();
  const { change_id } = await call(
    "edit_source_text",
    { source_id: 1, edits: [edit(0, 1, "We"), edit(13, 20, "x")] },
    person,
  );
  const after = rows();
  const { by } = await call("undo_change", { id: change_id }, person);
  expect(rows()).toEqual(before);
  await call("undo_change", { id: (by as { id: number }).id }, person);
  expect(rows()).toEqual(after);
});

test("[qualitative.anchors.neighbours] codings of one code that swap positions do not collide", async () => {
  const { call, db, crooked } = await coded();
  await call("add_text_source", { name: "Row", content: "aaaaaaaaaa" });
  const operations = Array.from({ length: 9 }, (_, start) => ({
    code_id: 1,
    source_id: 3,
    start_position: start,
    end_position: start + 1,
  }));
  await call("batch_apply_codes", { operations });
  for (const edits of [[edit(0, 0, "a")], [edit(0, 1, "")]]) {
    await call("edit_source_text", { source_id: 3, edits }, person);
  }

  const places = db.all("SELECT pos0, pos1 FROM code_text WHERE fid = 3 ORDER BY pos0");
  expect(places).toEqual(operations.map((_, pos0) => ({ pos0, pos1: pos0 + 1 })));
  expect(crooked()).toEqual([]);
});

test("[qualitative.anchors.cases] annotations and cases move too, and a case of a whole text stays whole", async () => {
  const { call, db } = await coded();
  db.exec(`INSERT INTO annotation (fid, pos0, pos1, memo, owner, date) VALUES (1, 2, 7, 'm', 'x', '');
           INSERT INTO cases (name) VALUES ('All'), ('Part');
           INSERT INTO case_text (caseid, fid, pos0, pos1) VALUES (1, 1, 0, 47), (2, 1, 2, 7);`);
  const { total_length } = await call("read_source_content", { source_id: 1 });
  db.exec(`UPDATE case_text SET pos1 = ${total_length} WHERE caseid = 1`);
  await call("edit_source_text", { source_id: 1, edits: [edit(0, 0, "Well, ")] }, person);

  expect(db.all("SELECT pos0, pos1 FROM annotation")).toEqual([{ pos0: 8, pos1: 13 }]);
  expect(db.all("SELECT pos0, pos1 FROM case_text ORDER BY id")).toEqual([
    { pos0: 0, pos1: Number(total_length) + 6 },
    { pos0: 8, pos1: 13 },
  ]);
});

test("[qualitative.anchors.refused] edits of an outdated text, and empty edits, are refused", async () => {
  const { call } = await coded();
  const refused = (input: object) => call("edit_source_text", { source_id: 1, ...input }, person);

  await expect(refused({})).rejects.toMatchObject({ code: "invalid-argument" });
  await expect(refused({ content: "" })).rejects.toMatchObject({ code: "invalid-argument" });
  await expect(refused({ edits: [edit(40, 99, "")] })).rejects.toMatchObject({
    code: "INVALID_POSITION",
  });
  await expect(refused({ edits: [edit(0, 5, ""), edit(3, 6, "")] })).rejects.toMatchObject({
    code: "invalid-argument",
  });
  await expect(refused({ content: "x", revision: 1 })).rejects.toMatchObject({
    code: "TEXT_CHANGED",
  });
  const wrong = { ...edit(0, 1, "We"), replaces: "You" };
  await expect(refused({ edits: [wrong] })).rejects.toMatchObject({ code: "TEXT_CHANGED" });
  expect(await refused({ content: "x", dry_run: true })).toMatchObject({ revision: 0, waiting: 1 });
  expect((await call("read_source_content", { source_id: 1 })).content).toContain("I hoped");
});

test("[qualitative.anchors.waiting-code] inbox entries follow their code when it is merged or deleted", async () => {
  const { call } = await coded("doubted");
  await call("edit_source_text", { source_id: 1, edits: [edit(9, 26, "")] }, person);
  await call("merge_codes", { source_code_id: 2, target_code_id: 1, confirm: true }, person);
  expect((await call("list_inbox")).items).toMatchObject([{ code_id: 1 }]);

  await call("delete_code", { code_id: 1, delete_segments: true, confirm: true }, person);
  expect((await call("list_inbox")).total).toBe(0);
});
