import { partOf } from "../../kernel/sql/part.ts";
import type { Lending, SqlRow } from "../../kernel/sql/set.ts";
import type { RecordSet } from "./record-set.ts";
import { shownRecord } from "./shown-record.ts";

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

/** The decisions as a table; lists are JSON, which `json_each` takes apart. */
export function lentDecisions(set: RecordSet): Lending {
  const rows = set.decisions.map((record): SqlRow => {
    const shown = shownRecord(set, record);
    const { file, number, title, status, date, format } = shown;
    const lists = [shown.deciders, shown.supersedes, shown.superseded_by];
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
  return { tables, parts: new Map([["architecture decisions", partOf({ decisions: rows })]]) };
}
