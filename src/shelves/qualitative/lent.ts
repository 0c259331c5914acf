import { partOf } from "../../kernel/sql/part.ts";
import type { Lending, SqlRow } from "../../kernel/sql/set.ts";
import type { Project } from "./project.ts";
import { allCodes } from "./qda/storage-codes.ts";
import { segmentsOfSource } from "./qda/storage-segments.ts";
import { allSources } from "./qda/storage-sources.ts";

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
 * lent: some of them are private.
 */
export function lentCodings(project: Project | undefined): Lending {
  const rows = project ? rowsOf(project) : { codes: [], segments: [] };
  return { tables, parts: new Map([["qualitative codings", partOf(rows)]]) };
}

function rowsOf({ db }: Project): Record<"codes" | "segments", SqlRow[]> {
  return {
    codes: allCodes(db).map(({ id, name, color, category }) => [id, name, color, category]),
    segments: allSources(db).flatMap((source) =>
      segmentsOfSource(db, source.id).map(
        ({ id, code, start, end, text, owner }): SqlRow => [
          ...[id, code, source.id, source.name, start, end],
          ...[text, owner],
        ],
      ),
    ),
  };
}
