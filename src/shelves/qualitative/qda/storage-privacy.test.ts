import { join } from "node:path";
import { expect, test } from "vitest";
import {
  databaseOf,
  interviewLibrary,
} from "../../../../tests/fixtures/qualitative/project-library.ts";
import { callerFunctionName, ensurePrivacyViews } from "./storage-privacy.ts";

const rows = [
  "INSERT INTO code_text (cid, fid, pos0, pos1, owner) VALUES (1, ?, 0, 3, 'eva')",
  "INSERT INTO code_image (cid, id) VALUES (1, ?)",
  "INSERT INTO code_av (cid, id) VALUES (1, ?)",
  "INSERT INTO annotation (fid, pos0, pos1) VALUES (?, 0, 3)",
  "INSERT INTO case_text (caseid, fid, pos0, pos1) VALUES (1, ?, 0, 3)",
  `INSERT INTO lectern_inbox (source_id, kind, was, quote, score, date)
     VALUES (?, 'code_text', '{}', 'x', 1, '')`,
  "INSERT INTO attribute (name, attr_type, id) VALUES ('place', 'file', ?)",
];

test("[qualitative.privacy.unseen] an agent's SQL sees only rows of public sources, a person's sees all", async () => {
  const { call, root } = await interviewLibrary();
  await call("set_source_privacy", { source_id: 1 }, { surface: "cli" });
  const db = databaseOf(join(root, "interviews.qda", "data.qda"));
  db.run("DELETE FROM code_text");
  for (const row of rows) for (const source of [1, 2]) db.run(row, source);
  db.run("INSERT INTO attribute (name, attr_type, id) VALUES ('age', 'case', 1)");
  let asking = "agent";
  db.defineFunction(callerFunctionName, () => asking);
  ensurePrivacyViews(db);
  const sourcesIn = (table: string, column: string) =>
    db.all<{ id: number }>(`SELECT ${column} AS id FROM ${table} ORDER BY 1`).map(({ id }) => id);
  const seen = () => ({
    source: sourcesIn("source", "id"),
    code_text: sourcesIn("code_text", "fid"),
    code_image: sourcesIn("code_image", "id"),
    code_av: sourcesIn("code_av", "id"),
    annotation: sourcesIn("annotation", "fid"),
    case_text: sourcesIn("case_text", "fid"),
    lectern_inbox: sourcesIn("lectern_inbox", "source_id"),
    ofFiles: sourcesIn("attribute WHERE attr_type = 'file'", "id"),
    ofCases: sourcesIn("attribute WHERE attr_type = 'case'", "id"),
  });
  const tables = Object.keys(seen()).filter((table) => table !== "ofCases");
  const each = (ids: number[]) => Object.fromEntries(tables.map((table) => [table, ids]));

  expect(seen()).toEqual({ ...each([2]), ofCases: [1] });
  asking = "person";
  expect(seen()).toEqual({ ...each([1, 2]), ofCases: [1] });
});
