import * as z from "zod";
import type { Failure } from "../../../kernel/failure.ts";
import type { Database } from "../../../kernel/storage/database.ts";
import {
  idColumns,
  isNamedTable,
  type NamedTable,
  namedTables,
  referencesOf,
} from "../qda/references.ts";
import { findRow, type Row, type RowChange } from "../qda/storage-rows.ts";
import { digestOf, staleFailure } from "./preview-token.ts";

/**
 * Identifies what a write is about: a digest of all its changes, and a digest of each row that they
 * name. SQLite reuses the ids of deleted rows, so a row is identified by its name and date.
 */
export const ProposalSubject = z.object({
  /** Absent if a person has edited the proposal. */
  changes: z.string().optional(),
  named: z.record(z.string(), z.string()),
});

export type ProposalSubject = z.output<typeof ProposalSubject>;

/** A row that is changed or referenced by a change, as it was before the write. */
interface SubjectRow {
  table: NamedTable;
  id: number;
  /** Such as `source 1`. */
  label: string;
  was: Row;
}

/** The distinct rows that the changes name and that existed before them. */
export function subjectRowsOf(db: Database, changes: readonly RowChange[]): SubjectRow[] {
  const before = new Map<string, Row | null>();
  const named = new Map<string, { table: NamedTable; id: number }>();
  for (const { table, id, before: was, after } of changes) {
    const key = rowKey(table, id);
    if (!before.has(key)) before.set(key, was);
    if (isNamedTable(table)) named.set(key, { table, id });
    for (const target of [was, after].flatMap((row) => (row ? referencesOf(table, row) : []))) {
      named.set(rowKey(target.table, target.id), target);
    }
  }
  return [...named].flatMap(([key, { table, id }]) => {
    const was = before.has(key) ? before.get(key) : findRow(db, table, id);
    return was ? [{ table, id, label: `${namedTables[table]} ${id}`, was }] : [];
  });
}

/** The subject of a write made at `now`. The same write made later has the same subject. */
export function proposalSubjectOf(
  db: Database,
  changes: readonly RowChange[],
  now: string,
): ProposalSubject {
  return {
    changes: digestOf(normalizedWrites(changes, now)),
    named: Object.fromEntries(subjectRowsOf(db, changes).map((row) => [row.label, rowDigest(row)])),
  };
}

/** The subject of any write to one row. */
export function subjectOfRow(db: Database, table: NamedTable, id: number): ProposalSubject {
  const was = findRow(db, table, id);
  const label = `${namedTables[table]} ${id}`;
  return { named: was ? { [label]: rowDigest({ was }) } : {} };
}

const rowDigest = ({ was: { name, date } }: Pick<SubjectRow, "was">): string =>
  digestOf([name, date]);

/** Fails unless the write is about the same rows as when it was proposed. */
export function assertSameSubject(now: ProposalSubject, then: ProposalSubject): void {
  const replaced = Object.entries(now.named).find(
    ([label, digest]) => (then.named[label] ?? digest) !== digest,
  );
  if (replaced) throw subjectChanged(`${replaced[0]} was renamed or replaced`);
  if ((then.changes ?? now.changes) !== now.changes) {
    throw subjectChanged("the rows it is about have changed");
  }
}

const subjectChanged = (why: string): Failure =>
  staleFailure(
    `This is not what was proposed: ${why}.`,
    "Reject it; the agent can propose it again.",
  );

/** The changes without the owner, the date and the ids of new rows, which differ at each run. */
function normalizedWrites(changes: readonly RowChange[], now: string): unknown[] {
  const newIds = new Map<string, string>();
  const idOf = (table: string, id: number) => newIds.get(rowKey(table, id)) ?? id;
  return changes.map((dated, index) => {
    const change = ignoreNewDate(dated, now);
    const { table, id, before, after } = change;
    const isExtra = table === "lectern_sources";
    if (!before && !isExtra) newIds.set(rowKey(table, id), `new ${index}`);
    const named = new Map(
      referencesOf(table, after ?? {}).map((target) => [
        target.column,
        idOf(target.table, target.id),
      ]),
    );
    const values = comparedColumns(change)
      .filter((column) => column !== "date" || before || after?.date !== now)
      .filter((column) => column !== "owner" || before)
      .map((column) => [column, before?.[column], named.get(column) ?? after?.[column]]);
    return [table, idOf(isExtra ? "source" : table, id), after !== null, values];
  });
}

/**
 * Ignores the date that the write sets on an existing row. Dates have a resolution of one second,
 * so a row created in the same second looks like one that the write does not date.
 */
const ignoreNewDate = (change: RowChange, now: string): RowChange =>
  change.before && change.after?.date === now
    ? { ...change, after: { ...change.after, date: change.before.date ?? null } }
    : change;

/**
 * For a row with a name, and for the columns of `lectern_sources`, only the changed columns count,
 * so that accepting one proposal does not invalidate the next one about the same row. For any other
 * row all columns count.
 */
function comparedColumns({ table, before, after }: RowChange): string[] {
  const isExtra = table === "lectern_sources";
  const isWhole = before !== null && !isExtra && !isNamedTable(table);
  const skipped = isExtra ? ["source_id", "source_date"] : [idColumns[table]];
  return Object.keys({ ...before, ...after })
    .filter((column) => !skipped.includes(column))
    .filter((column) => isWhole || (before?.[column] ?? null) !== (after?.[column] ?? null));
}

const rowKey = (table: string, id: number): string => `${table} ${id}`;
