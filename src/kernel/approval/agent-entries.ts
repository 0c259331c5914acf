import { type Call, isPerson } from "../call.ts";
import { sha256Hex } from "../files/hashes.ts";
import {
  hasDamagedRows,
  restoreChecksummed,
  runChecksummed,
} from "../integrity/checksummed-rows.ts";
import { authoredTables } from "../storage/migrations.ts";
import { get, type Steps } from "../storage/steps.ts";

/**
 * The configuration entries that agents or programs created, with the hash of the value they wrote.
 * All other entries belong to a person: entries that existed before this table, and entries that a
 * person has edited since, with the program or in an editor.
 */
export const agentEntryTables = authoredTables(
  [
    `CREATE TABLE agent_entries (
     id INTEGER PRIMARY KEY,
     kind TEXT NOT NULL,
     name TEXT NOT NULL,
     digest TEXT NOT NULL,
     UNIQUE (kind, name)
   );`,
  ],
  [],
  ["agent_entries"],
);

type EntryKind = "collection" | "context";

/** Whether a caller may change an entry directly. Otherwise the caller may propose the change. */
export function* mayChangeEntry(
  call: Call,
  kind: EntryKind,
  name: string,
  value: unknown,
): Steps<boolean> {
  if (isOwner(call)) return true;
  return !(yield* hasDamagedRows("agent_entries")) && (yield* isUnchanged(kind, name, value));
}

/** A program that runs as the user could also edit the configuration file directly. */
const isOwner = (call: Call): boolean => isPerson(call) || call.actor.isOwnUser === true;

function* isUnchanged(kind: EntryKind, name: string, value: unknown): Steps<boolean> {
  const entry = yield* get(
    "SELECT 1 FROM agent_entries WHERE kind = ? AND name = ? AND digest = ?",
    kind,
    name,
    digestOf(value),
  );
  return entry !== undefined;
}

/** Must be called for each written entry, in the same transaction. */
export function* recordEntry(
  call: Call,
  kind: EntryKind,
  name: string,
  value: unknown,
): Steps<void> {
  yield* forgetEntry(kind, name);
  if (isOwner(call)) return;
  yield* runChecksummed(
    "agent_entries",
    "INSERT INTO agent_entries (kind, name, digest) VALUES (?, ?, ?)",
    kind,
    name,
    digestOf(value),
  );
}

/** Must be called for each removed entry. */
export function* forgetEntry(kind: EntryKind, name: string): Steps<void> {
  yield* restoreChecksummed("agent_entries");
  const sql = "DELETE FROM agent_entries WHERE kind = ? AND name = ?";
  yield* runChecksummed("agent_entries", sql, kind, name);
}

/** The hash of a value as stored in the configuration file. */
export const digestOf = (value: unknown): string => sha256Hex(JSON.stringify(value) ?? "");
