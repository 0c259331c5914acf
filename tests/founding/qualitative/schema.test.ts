import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { databaseOf, projectLibrary } from "../../fixtures/qualitative/project-library.ts";

const list = new URL("../../../../shared/data/qualitative/qualcoder-tables.json", import.meta.url);

/**
 * The tables of a QualCoder 3.6 project: the complete list from the shared data, or three of them.
 */
function knownTables(): { source: string; tables: Record<string, string[]> } {
  if (!existsSync(list)) {
    return {
      source: "three tables",
      tables: {
        source: "id name fulltext mediapath memo owner date av_text_id risid".split(" "),
        code_text: "ctid cid fid seltext pos0 pos1 owner date memo avid important".split(" "),
        annotation: "anid fid pos0 pos1 memo owner date".split(" "),
      },
    };
  }
  const { tables } = JSON.parse(readFileSync(list, "utf8")) as {
    tables: Record<string, { name: string }[]>;
  };
  const columns = Object.entries(tables).map(([table, fields]) => [
    table,
    fields.map(({ name }) => name),
  ]);
  return {
    source: `${columns.length} tables of QualCoder 3.6`,
    tables: Object.fromEntries(columns),
  };
}

const { source, tables } = knownTables();

test(`[qualitative.project.create] a new project has the columns of ${source}, in their order`, async () => {
  const { call, root } = projectLibrary();
  await call("create_project", { path: "New.qda" });
  const db = databaseOf(join(root, "New.qda", "data.qda"));

  for (const [table, columns] of Object.entries(tables)) {
    const ours = db
      .all<{ name: string }>("SELECT name FROM pragma_table_info(?)", table)
      .map(({ name }) => name);
    expect([table, ...ours.filter((name) => columns.includes(name))]).toEqual([table, ...columns]);
  }
});
