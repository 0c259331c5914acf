import type { SqlRow, SqlTables } from "../../kernel/sql/dataset.ts";
import { hashedPart } from "../../kernel/sql/part.ts";
import { toRecordOutput } from "./decisions/record-output.ts";
import type { RecordSet } from "./decisions/record-set.ts";

const tables = `
  CREATE TABLE decisions (
    file TEXT NOT NULL,
    number INTEGER,
    title TEXT NOT NULL,
    status TEXT,
    date TEXT,
    format TEXT NOT NULL,
    deciders TEXT NOT NULL,
    supersedes TEXT NOT NULL,
    superseded_by TEXT NOT NULL
  );`;

/** The decisions as a SQL table; lists are JSON for `json_each`. */
export function decisionSqlTables(set: RecordSet): SqlTables {
  const rows = set.decisions.map((record): SqlRow => {
    const output = toRecordOutput(set, record);
    const { file, number, title, status, date, format } = output;
    const lists = [output.deciders, output.supersedes, output.superseded_by];
    return [
      file,
      number,
      title,
      status,
      date,
      format,
      ...lists.map((list) => JSON.stringify(list)),
    ];
  });
  return { tables, parts: new Map([["architecture decisions", hashedPart({ decisions: rows })]]) };
}
