import { existsSync } from "node:fs";
import { makeBoundary } from "../../kernel/boundary.ts";
import { type Database, isCorrupt, openDatabase } from "../../kernel/database.ts";
import { openDocuments, type Root } from "../../kernel/documents.ts";
import { ownedTables } from "../../kernel/owned-tables.ts";
import { openPrivateFiles, type PrivateFiles } from "../../kernel/private-files.ts";
import type { AnyShelf } from "../../kernel/shelf.ts";
import { isUpToDate, refusal } from "../../kernel/tables.ts";
import { finished, suspectDamage, verifyDerived } from "../../kernel/verification.ts";
import { openWalk } from "../../kernel/walk.ts";
import { counted } from "../../text/counted.ts";
import { visible } from "../../text/visible.ts";
import { type Check, complaintOf } from "./doctor-check.ts";

/** Holds the store against this version of the program and against the folders it was filled from. */
export function checkKept(
  path: string,
  { shelves, roots, program }: { shelves: readonly AnyShelf[]; roots: Root[]; program: string },
): Check[] {
  if (!existsSync(path)) return [];
  let db: Database | undefined;
  try {
    const store = openDatabase(path, { readOnly: true });
    db = store;
    const refused = refusal(store, ownedTables(shelves));
    if (refused) {
      const remedy = refused.hints.join(" ");
      return [{ name: "store", state: "fail", says: refused.message, remedy }];
    }
    // A store that is empty, or that another version filled, is made anew by the first command.
    if (!isUpToDate(store, ownedTables(shelves))) return [];
    const known = new Set(openDocuments(store).paths());
    const sums = checkSums(store, shelves, program);
    if (sums.some(({ state }) => state === "fail")) markDamage(path);
    return [
      ...sums,
      ...roots.flatMap((root) => checkTaken(root, known, openPrivateFiles(store), program)),
    ];
  } catch (error) {
    // A store that cannot be read has a line of its own.
    if (isCorrupt(error)) return [];
    return [{ name: "checksums", state: "fail", says: complaintOf(error) }];
  } finally {
    db?.close();
  }
}

/** The next `update` verifies the whole store. One that cannot be written cannot be repaired either. */
function markDamage(path: string): void {
  let db: Database | undefined;
  try {
    db = openDatabase(path);
    suspectDamage(db);
  } catch {
    // What was found is told in any case, and `update --verify` needs no mark.
  } finally {
    db?.close();
  }
}

/** Holds every row that is derived against its checksum. */
function checkSums(db: Database, shelves: readonly AnyShelf[], program: string): Check[] {
  const name = "checksums";
  const { findings } = finished(verifyDerived(db, shelves));
  if (findings.length === 0) return [{ name, state: "ok", says: "All are right." }];
  const says = `Damaged: ${findings.join("; ")}.`;
  return [{ name, state: "fail", says, remedy: `Run '${program} update': it repairs them.` }];
}

/** How many files are named; the remedy tells of all. */
const mostNamed = 3;

function checkTaken(
  root: Root,
  known: ReadonlySet<string>,
  privateFiles: PrivateFiles,
  program: string,
): Check[] {
  if (!existsSync(root.path)) return [];
  const boundary = makeBoundary({ base: root.path, privateFiles });
  const walk = openWalk(root, boundary);
  const files = [...walk.below("")].flat().map(({ path }) => path);
  const left = files.filter((path) => !known.has(`${root.name}/${path}`));
  const unreadable = checkReadable(root, walk.unreadable);
  if (left.length === 0) return unreadable;
  const named = left.slice(0, mostNamed).map(visible).join(", ");
  const more = left.length > mostNamed ? ", …" : ".";
  const are = left.length === 1 ? "is" : "are";
  return [
    ...unreadable,
    {
      name: "collection",
      state: "warn",
      says: `${root.name}: ${counted(left.length, "file")} of ${files.length} ${are} not in the index: ${named}${more}`,
      remedy: `Run '${program} update': it takes in what it can and tells why it skips the others.`,
    },
  ];
}

/** Folders of a collection that cannot be read, such as those on a mount that is not connected. */
function checkReadable(root: Root, unreadable: ReadonlyMap<string, string>): Check[] {
  const named = [...unreadable].slice(0, mostNamed);
  if (named.length === 0) return [];
  const lines = named.map(([path, reason]) => `${visible(path) || root.path}: ${reason}`);
  const more = unreadable.size > mostNamed ? `; and ${unreadable.size - mostNamed} more` : "";
  return [
    {
      name: "collection",
      state: "warn",
      says: `${root.name}: ${lines.join("; ")}${more}. What is known of documents there is kept.`,
      remedy: "Connect the mount again, or look at the permissions.",
    },
  ];
}
