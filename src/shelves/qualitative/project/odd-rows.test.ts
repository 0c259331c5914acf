import { join } from "node:path";
import { expect, test } from "vitest";
import {
  databaseOf,
  interviewLibrary,
} from "../../../../tests/fixtures/qualitative/project-library.ts";
import { Failure } from "../../../kernel/failure.ts";
import { qualitative } from "../shelf.ts";

const person = { surface: "cli" };

/** Values that other programs may have stored: SQLite allows any type in any column. */
const oddRows = `
  INSERT INTO source (id, name, fulltext) VALUES (3, NULL, NULL), (4, NULL, 'Nameless hope.');
  INSERT INTO source (id, name, fulltext, memo, date, mediapath)
    VALUES (5, 'Bytes', CAST('We hoped 😀 too.' AS BLOB), x'6d', x'32', x'2f646f63732f61');
  INSERT INTO code_cat (catid, name, supercatid, memo) VALUES (1, NULL, 'x', x'6d');
  INSERT INTO code_name (cid, name, color, catid, supercid, memo, owner, date)
    VALUES (3, NULL, NULL, 'x', 'x', x'6d', x'65', x'32');
  INSERT INTO code_text (ctid, cid, fid, seltext, pos0, pos1, owner, memo, important) VALUES
    (11, 1, 1, NULL, 0, 3, 'eva', NULL, 'yes'),
    (12, 1, 1, 'x', NULL, 3, 'eva', NULL, NULL),
    (13, 1, 1, 'x', 'a', 'b', 'eva', NULL, NULL),
    (14, NULL, 1, 'x', 3, 4, NULL, x'6d', 1),
    (15, 3, 5, x'7878', 3, 5, x'65', x'6d', 1.5),
    (16, 1, NULL, 'x', 3, 4, 'eva', NULL, 1);
  INSERT INTO code_image (id, x1, y1, width, height, cid, important) VALUES (3, 'a', NULL, 1.5, 2, 1, 'yes');
  INSERT INTO code_av (id, pos0, pos1, cid, memo, important) VALUES (3, NULL, 'b', 1, x'6d', 'yes');
  INSERT INTO annotation (fid, pos0, pos1, memo) VALUES (1, NULL, 'x', x'6d'), (5, 1, 2, NULL);
  INSERT INTO cases (caseid, name, memo) VALUES (1, NULL, x'6d'), (2, 'Kim', NULL);
  INSERT INTO case_text (caseid, fid, pos0, pos1) VALUES (2, 1, NULL, 'x'), (2, 4, 0, 3), (NULL, 1, 0, 3);
  INSERT INTO attribute_type (name, caseOrFile, valuetype, memo) VALUES (NULL, NULL, NULL, x'6d'), ('age', 'case', NULL, NULL);
  INSERT INTO attribute (name, attr_type, value, id) VALUES (NULL, 'case', 'x', 2), ('age', 'case', x'31', 2), ('age', 'case', NULL, 1);
  INSERT INTO journal (name, jentry, owner, date) VALUES (NULL, NULL, x'65', x'32'), ('Notes', x'6d', NULL, NULL);
  UPDATE project SET codername = NULL, memo = x'6d';
`;

async function oddLibrary() {
  const opened = await interviewLibrary();
  databaseOf(join(opened.root, "interviews.qda", "data.qda")).exec(oddRows);
  return opened;
}

test("[qualitative.project.odd-rows] incomplete rows of a project do not hide others", async () => {
  const { call } = await oddLibrary();

  expect(await call("get_project_context")).toMatchObject({ source_count: 5, case_count: 2 });
  const { sources } = (await call("list_sources")) as { sources: { id: number; name: string }[] };
  expect(sources.map(({ id, name }) => `${id} ${name}`).sort()).toEqual([
    "1 Ana",
    "2 David",
    "3 (no name)",
    "4 (no name)",
    "5 Bytes",
  ]);
  const { codes } = (await call("list_codes")) as { codes: object[] };
  expect(codes).toContainEqual(
    expect.objectContaining({ id: 3, name: "(no name)", color: null, category_id: null }),
  );
  expect(codes).toHaveLength(3);
});

test("[qualitative.project.odd-rows] a coding without positions is skipped, others are completed as far as possible", async () => {
  const { call } = await oddLibrary();

  const { segments } = await call("list_segments_for_source", { source_id: 1 });
  expect(segments).toMatchObject([
    { id: 11, start_position: 0, end_position: 3, selected_text: "", importance: 0 },
    { id: 1, start_position: 2, selected_text: "hoped" },
  ]);
});

test("[qualitative.project.odd-rows] a text stored as bytes is read and coded", async () => {
  const { call } = await oddLibrary();
  expect(await call("read_source_content", { source_id: 5 })).toMatchObject({
    content: "We hoped 😀 too.",
    total_length: 15,
  });
  await call("batch_apply_codes", { operations: [{ code_id: 1, source_id: 5, quote: "😀" }] });
  const { segments } = await call("list_segments_for_source", { source_id: 5 });
  expect(segments).toContainEqual(
    expect.objectContaining({ start_position: 9, end_position: 10, selected_text: "😀" }),
  );
});

test("[qualitative.project.odd-rows] any call on a project with incomplete rows is answered or refused, and never crashes", async () => {
  const { call } = await oddLibrary();
  const asked: [string, object][] = [
    ...qualitative.operations
      .filter(({ expose }) => expose.mcp || expose.http || expose.cli)
      .filter(({ name }) => !/^(create|open|close|import)_project$/.test(name))
      .map(({ name, example }): [string, object] => [name, example]),
    ["export_project", { file: "odd.qdpx", private: "included" }],
    ["export_project", { file: "odd.qdc", private: "included" }],
    ["export_project", { file: "odd.csv", private: "included" }],
    ["edit_source_text", { source_id: 5, content: "We hoped, too." }],
    ["edit_source_text", { source_id: 1, content: "I hoped. I doubted." }],
    ["remove_source", { source_id: 5, confirm: true }],
    ["delete_code", { code_id: 3, delete_segments: true, confirm: true }],
    ["save_case", { name: "Kim", attributes: { age: 3 } }],
    ["save_case", { name: "(no name)", new_name: "Eva" }],
    ["undo_last", { steps: 5 }],
  ];
  const failed: string[] = [];
  for (const [name, input] of asked) {
    const failure = await call(name, input, person).catch((error: unknown) => error);
    const isBroken =
      failure instanceof Failure ? failure.kind === "internal" : failure instanceof Error;
    if (isBroken) failed.push(`${name} ${JSON.stringify(input)}: ${failure}`);
  }
  expect(failed).toEqual([]);
});
