import * as z from "zod";
import type { Database } from "../../kernel/database.ts";
import type { Failure } from "../../kernel/failure.ts";
import { markOf, stale } from "./preview.ts";
import {
  isNamed,
  type NamedTable,
  namedTables,
  ownNumbers,
  referencesIn,
} from "./qda/references.ts";
import { type Row, type RowChange, rowOf } from "./qda/storage-rows.ts";

/**
 * What a deed is about: a mark of all that it changes, and one of each thing that this names.
 * Numbers are given again once a row is gone, so a thing is known by its name and its date.
 */
export const Subject = z.object({
  /** Is left out where a person has changed what is to be done. */
  changes: z.string().optional(),
  named: z.record(z.string(), z.string()),
});

export type Subject = z.output<typeof Subject>;

/** A thing that changed rows are about or name, as it was before them. */
interface Thing {
  table: NamedTable;
  id: number;
  /** Such as `source 1`. */
  called: string;
  was: Row;
}

/** Everything that a deed names and that was there before it, each once. */
export function thingsIn(db: Database, changes: readonly RowChange[]): Thing[] {
  const before = new Map<string, Row | null>();
  const things = new Map<string, { table: NamedTable; id: number }>();
  for (const { table, id, before: was, after } of changes) {
    const key = keyOf(table, id);
    if (!before.has(key)) before.set(key, was);
    if (isNamed(table)) things.set(key, { table, id });
    for (const one of [was, after].flatMap((row) => (row ? referencesIn(table, row) : []))) {
      things.set(keyOf(one.table, one.id), one);
    }
  }
  return [...things].flatMap(([key, { table, id }]) => {
    const was = before.has(key) ? before.get(key) : rowOf(db, table, id);
    return was ? [{ table, id, called: `${namedTables[table]} ${id}`, was }] : [];
  });
}

/** Of a deed that was dated `now`: the same one later has another date. */
export function subjectOf(db: Database, changes: readonly RowChange[], now: string): Subject {
  return {
    changes: markOf(written(changes, now)),
    named: Object.fromEntries(thingsIn(db, changes).map((thing) => [thing.called, markIn(thing)])),
  };
}

/** Of a deed that is done to one thing, whatever it writes. */
export function subjectNamed(db: Database, table: NamedTable, id: number): Subject {
  const was = rowOf(db, table, id);
  const called = `${namedTables[table]} ${id}`;
  return { named: was ? { [called]: markIn({ was }) } : {} };
}

const markIn = ({ was: { name, date } }: Pick<Thing, "was">): string => markOf([name, date]);

/** Who says yes to something gets what it was about then, or nothing. */
export function refuseOther(now: Subject, then: Subject): void {
  const other = Object.entries(now.named).find(
    ([called, mark]) => (then.named[called] ?? mark) !== mark,
  );
  if (other) throw notProposed(`${other[0]} has another name, or is another one`);
  if ((then.changes ?? now.changes) !== now.changes) {
    throw notProposed("what it is about was changed");
  }
}

const notProposed = (why: string): Failure =>
  stale(
    `This is not what was proposed any more: ${why}.`,
    "Reject it; the agent can propose it again.",
  );

/** What is written: not in whose name, not when, and not by which numbers new rows are known. */
function written(changes: readonly RowChange[], now: string): unknown[] {
  const made = new Map<string, string>();
  const numberOf = (table: string, id: number) => made.get(keyOf(table, id)) ?? id;
  return changes.map((change, at) => {
    const { table, id, before, after } = change;
    const isBeside = table === "lectern_sources";
    if (!before && !isBeside) made.set(keyOf(table, id), `new ${at}`);
    const named = new Map(
      referencesIn(table, after ?? {}).map((one) => [one.column, numberOf(one.table, one.id)]),
    );
    const values = columnsIn(change)
      .filter((column) => column !== "date" || after?.date !== now)
      .filter((column) => column !== "owner" || before)
      .map((column) => [column, before?.[column], named.get(column) ?? after?.[column]]);
    return [table, numberOf(isBeside ? "source" : table, id), after !== null, values];
  });
}

/**
 * Of a thing with a name, and of what we keep beside a source, only what changes counts, so that
 * one yes does not spoil the next one about the same thing. Of any other row everything does.
 */
function columnsIn({ table, before, after }: RowChange): string[] {
  const isBeside = table === "lectern_sources";
  const isWhole = before !== null && !isBeside && !isNamed(table);
  const skipped = isBeside ? ["source_id", "source_date"] : [ownNumbers[table]];
  return Object.keys({ ...before, ...after })
    .filter((column) => !skipped.includes(column))
    .filter((column) => isWhole || (before?.[column] ?? null) !== (after?.[column] ?? null));
}

const keyOf = (table: string, id: number): string => `${table} ${id}`;
