import { type Call, isPerson } from "../../kernel/call.ts";
import type { SqlRow, SqlTables } from "../../kernel/sql/dataset.ts";
import { hashedPart } from "../../kernel/sql/part.ts";
import type { QdaProject } from "./project/project.ts";
import { allCodes } from "./qda/storage-codes.ts";
import { allSegments, codedExtents } from "./qda/storage-segments.ts";
import type { QualitativeState } from "./state.ts";

const tableDefinitions = `
  CREATE TABLE codes (code_id INTEGER NOT NULL, name TEXT NOT NULL, color TEXT, category_id INTEGER);
  CREATE TABLE segments (
    segment_id INTEGER NOT NULL,
    code_id INTEGER NOT NULL,
    source_id INTEGER NOT NULL,
    source TEXT NOT NULL,
    start_pos INTEGER NOT NULL,
    end_pos INTEGER NOT NULL,
    text TEXT,
    coder TEXT
  );`;

/**
 * Codes and coded passages of the open project, without those of hidden coders. Memos are left out,
 * since parts of them are private. The rows that a statement returns are unknown here, so for an
 * agent every row that it could read is logged as read, one passage per source.
 */
export async function sqlTablesOfCodings(
  { current, readLog, store }: QualitativeState,
  { sql, call }: { sql: string; call: Call },
): Promise<SqlTables> {
  const rows = current ? sqlRowsOf(current) : { codes: [], segments: [] };
  if (current && !isPerson(call) && /segments/i.test(sql)) {
    await store.run(readLog.record(call, "sql", current.path, codedExtents(current.db)));
  }
  return { tables: tableDefinitions, parts: new Map([["qualitative codings", hashedPart(rows)]]) };
}

function sqlRowsOf({ db }: QdaProject): Record<"codes" | "segments", SqlRow[]> {
  return {
    codes: allCodes(db).map(({ id, name, color, category }) => [id, name, color, category]),
    segments: allSegments(db).map(
      ({ id, code, source, sourceName, start, end, text, owner }): SqlRow => [
        ...[id, code, source, sourceName, start, end],
        ...[text, owner],
      ],
    ),
  };
}
