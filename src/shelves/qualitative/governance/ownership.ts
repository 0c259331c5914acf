import type { Database } from "../../../kernel/storage/database.ts";
import { pluralise } from "../../../text/strings/pluralise.ts";
import { referencesOf } from "../qda/references.ts";
import {
  codingsOfCode,
  isAgentRow,
  isCodingTable,
  type NetRowChange,
  type StoredCoding,
} from "../qda/storage-ownership.ts";
import { privateSourceIds } from "../qda/storage-privacy.ts";
import { findRow, isSameRow, type RowChange, type WrittenTable } from "../qda/storage-rows.ts";

/**
 * The changes that would remove or overwrite a row that a person made or edited. Adding a row is
 * allowed.
 */
export function personOwnedChanges(db: Database, rows: readonly NetRowChange[]): NetRowChange[] {
  return rows.filter(({ table, id, before, after }) => {
    if (bookkeepingTables.has(table) || isSameRow(before, after)) return false;
    if (before) return !isAgentRow(db, table, id, before);
    // A new row here changes the folder or the metadata of its source.
    return table === "lectern_sources" && !isAgentSource(db, rows, id);
  });
}

/** GUIDs assigned on export, which no person edits. */
const bookkeepingTables: ReadonlySet<WrittenTable> = new Set(["lectern_guids"]);

function isAgentSource(db: Database, rows: readonly NetRowChange[], id: number): boolean {
  const changed = rows.find((row) => row.table === "source" && row.id === id);
  if (changed?.before === null) return true;
  const row = changed?.before ?? findRow(db, "source", id);
  return row !== null && isAgentRow(db, "source", id, row);
}

/** How much coded work a write would change, as a sentence; undefined if it only adds rows. */
export function describeAffectedWork(
  db: Database,
  rows: readonly NetRowChange[],
): string | undefined {
  const overwritten = rows.filter(({ before, after }) => before && !isSameRow(before, after));
  if (overwritten.length === 0) return undefined;
  const codings = new Map<string, StoredCoding>();
  const add = (coding: StoredCoding) => codings.set(`${coding.table} ${coding.id}`, coding);
  for (const { table, id, before } of overwritten) {
    if (before && isCodingTable(table)) add({ table, id, row: before });
    if (table === "code_name") for (const coding of codingsOfCode(db, id)) add(coding);
  }
  if (codings.size === 0) return "Coded work affected: none.";
  const all = [...codings.values()];
  const byPeople = all.filter(({ table, id, row }) => !isAgentRow(db, table, id, row));
  const sources = new Set(all.map(({ table, row }) => row[table === "code_text" ? "fid" : "id"]));
  const coders = new Set(all.map(({ row }) => row.owner));
  const people = new Set(byPeople.map(({ row }) => row.owner));
  const share =
    byPeople.length === 0
      ? "all of them made by agents"
      : `${byPeople.length} of them by ${people.size === 1 ? "a person" : `${people.size} people`}`;
  return `Coded work affected: ${pluralise(all.length, "coding")} in ${pluralise(sources.size, "source")} by ${pluralise(coders.size, "coder")}, ${share}.`;
}

/** The changes that are about a source that is private, or was private before them. */
export function changesToPrivateSources(db: Database, changes: readonly RowChange[]): RowChange[] {
  const privateIds = new Set([
    ...privateSourceIds(db),
    ...changes.flatMap(({ table, id, before }) =>
      table === "lectern_sources" && before?.private === 1 ? [id] : [],
    ),
  ]);
  if (privateIds.size === 0) return [];
  return changes.filter((change) => sourceIdsOf(change).some((id) => privateIds.has(id)));
}

/** Tables whose rows may be used in private sources, which an agent cannot see. */
const sharedTables: ReadonlySet<WrittenTable> = new Set(["cases", "code_name", "lectern_folders"]);

/**
 * Whether a change removes something that a private source may use. If only the removal of a used
 * code became a proposal, the answer would reveal that private codings exist. So in a project with
 * private sources every such removal becomes a proposal. It reveals only that the project has a
 * private source.
 */
export const mayBeUsedPrivately = (
  db: Database,
  changes: readonly Pick<RowChange, "table" | "before" | "after">[],
): boolean =>
  changes.some(({ table, before, after }) => sharedTables.has(table) && before && !after) &&
  privateSourceIds(db).length > 0;

const sourceIdsOf = ({ table, id, before, after }: RowChange): number[] => [
  ...(table === "source" || table === "lectern_sources" ? [id] : []),
  ...[before, after]
    .flatMap((row) => (row ? referencesOf(table, row) : []))
    .flatMap((reference) => (reference.table === "source" ? [reference.id] : [])),
];
