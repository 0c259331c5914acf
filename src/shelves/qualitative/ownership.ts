import type { Database } from "../../kernel/database.ts";
import { counted } from "../../text/counted.ts";
import {
  type ChangedRow,
  type Coding,
  codingsUnder,
  isAgentRow,
  isCodingTable,
} from "./qda/storage-ownership.ts";
import { isSame, rowOf, type WrittenTable } from "./qda/storage-rows.ts";

/**
 * The rows of a change that a person made or has edited, and that would be removed or overwritten.
 * What is only added to a project takes nothing from anybody.
 */
export function personsRows(db: Database, rows: readonly ChangedRow[]): ChangedRow[] {
  return rows.filter(({ table, id, before, after }) => {
    if (bookkeeping.has(table) || isSame(before, after)) return false;
    if (before) return !isAgentRow(db, table, id, before);
    // A row beside a source files or describes that source.
    return table === "lectern_sources" && !isAgentSource(db, rows, id);
  });
}

/** Numbers that are given to things on export, and mean nothing to people. */
const bookkeeping: ReadonlySet<WrittenTable> = new Set(["lectern_guids"]);

function isAgentSource(db: Database, rows: readonly ChangedRow[], id: number): boolean {
  const changed = rows.find((row) => row.table === "source" && row.id === id);
  if (changed?.before === null) return true;
  const row = changed?.before ?? rowOf(db, "source", id);
  return row !== null && isAgentRow(db, "source", id, row);
}

/** How much coded work a change affects, in a sentence; nothing where it only adds. */
export function affectedWork(db: Database, rows: readonly ChangedRow[]): string | undefined {
  const overwritten = rows.filter(({ before, after }) => before && !isSame(before, after));
  if (overwritten.length === 0) return undefined;
  const codings = new Map<string, Coding>();
  const add = (coding: Coding) => codings.set(`${coding.table} ${coding.id}`, coding);
  for (const { table, id, before } of overwritten) {
    if (before && isCodingTable(table)) add({ table, id, row: before });
    if (table === "code_name") for (const coding of codingsUnder(db, id)) add(coding);
  }
  if (codings.size === 0) return "Coded work affected: none.";
  const all = [...codings.values()];
  const theirs = all.filter(({ table, id, row }) => !isAgentRow(db, table, id, row));
  const sources = new Set(all.map(({ table, row }) => row[table === "code_text" ? "fid" : "id"]));
  const coders = new Set(all.map(({ row }) => row.owner));
  const people = new Set(theirs.map(({ row }) => row.owner));
  const share =
    theirs.length === 0
      ? "all of them made by agents"
      : `${theirs.length} of them by ${people.size === 1 ? "a person" : `${people.size} people`}`;
  return `Coded work affected: ${counted(all.length, "coding")} in ${counted(sources.size, "source")} by ${counted(coders.size, "coder")}, ${share}.`;
}
