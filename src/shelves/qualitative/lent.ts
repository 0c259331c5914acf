import { type Call, isPerson } from "../../kernel/call.ts";
import { partOf } from "../../kernel/sql/part.ts";
import type { Lending, SqlRow } from "../../kernel/sql/set.ts";
import type { Project } from "./project.ts";
import { allCodes } from "./qda/storage-codes.ts";
import { allSegments, codedSpans } from "./qda/storage-segments.ts";
import type { QualitativeState } from "./state.ts";

const tables = `
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
 * Codes and coded passages of the open project, without those of hidden coders. Memos are not
 * lent: some of them are private. Which rows a statement of an agent takes is not known here, so all
 * that it could read counts as read, source by source.
 */
export function lentCodings(
  { current, reads }: QualitativeState,
  { sql, call }: { sql: string; call: Call },
): Lending {
  const rows = current ? rowsOf(current) : { codes: [], segments: [] };
  if (current && !isPerson(call) && /segments/i.test(sql)) {
    reads.note(call, "sql", current.path, codedSpans(current.db));
  }
  return { tables, parts: new Map([["qualitative codings", partOf(rows)]]) };
}

function rowsOf({ db }: Project): Record<"codes" | "segments", SqlRow[]> {
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
