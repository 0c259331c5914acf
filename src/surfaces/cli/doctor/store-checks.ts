import { existsSync } from "node:fs";
import { openDocuments, type Root } from "../../../kernel/documents/documents.ts";
import { nameNotUtf8, openWalk } from "../../../kernel/indexing/walk.ts";
import {
  markDamageSuspected,
  runToEnd,
  verifyStore,
} from "../../../kernel/integrity/verification.ts";
import { createBoundary } from "../../../kernel/paths/boundary.ts";
import { containsPath } from "../../../kernel/paths/contains-path.ts";
import type { HomeCheck } from "../../../kernel/paths/home-files.ts";
import { openPrivateFiles, type PrivateFiles } from "../../../kernel/paths/private-files.ts";
import type { AnyShelf } from "../../../kernel/shelf.ts";
import { allTables } from "../../../kernel/storage/all-tables.ts";
import {
  type Database,
  isCorruptionError,
  openDatabase,
} from "../../../kernel/storage/database.ts";
import { isUpToDate, migrationProblem } from "../../../kernel/storage/migrations.ts";
import { runSteps } from "../../../kernel/storage/sqlite-store.ts";
import { pluralise } from "../../../text/strings/pluralise.ts";
import { toPrintable } from "../../../text/strings/printable.ts";
import { type Check, describeCheckError } from "./check.ts";

/** Compares the store with this program version's schema and with the folders it indexes. */
export function checkStoreContents(
  path: string,
  {
    shelves,
    roots,
    program,
    home,
  }: { shelves: readonly AnyShelf[]; roots: Root[]; program: string; home?: HomeCheck },
): Check[] {
  if (!existsSync(path)) return [];
  let db: Database | undefined;
  try {
    const store = openDatabase(path, { readOnly: true });
    db = store;
    const problem = migrationProblem(store, allTables(shelves));
    if (problem) {
      const remedy = problem.hints.join(" ");
      return [{ name: "store", state: "fail", says: problem.message, remedy }];
    }
    // The next command rebuilds a store that is empty or from another version.
    if (!isUpToDate(store, allTables(shelves))) return [];
    const indexed = new Set(runSteps(store, openDocuments().paths()));
    const checksums = checkRowChecksums(store, shelves, program);
    const privateFiles = openPrivateFiles(store);
    if (checksums.some(({ state }) => state === "fail")) markDamage(path);
    return [
      ...checksums,
      ...checkHiddenFiles(privateFiles, program),
      ...roots.flatMap((root) =>
        checkIndexedFiles(root, indexed, { privateFiles, ...(home && { home }) }, program),
      ),
    ];
  } catch (error) {
    // checkStore reports a store that cannot be read.
    if (isCorruptionError(error)) return [];
    return [{ name: "checksums", state: "fail", says: describeCheckError(error) }];
  } finally {
    db?.close();
  }
}

/** Makes the next `update` verify the whole store. */
function markDamage(path: string): void {
  let db: Database | undefined;
  try {
    db = openDatabase(path);
    markDamageSuspected(db);
  } catch {
    // A read-only store cannot be marked; the check reports the damage either way.
  } finally {
    db?.close();
  }
}

/** Verifies the checksum of every derived row. */
function checkRowChecksums(db: Database, shelves: readonly AnyShelf[], program: string): Check[] {
  const name = "checksums";
  const { findings } = runToEnd(verifyStore(db, shelves));
  if (findings.length === 0) return [{ name, state: "ok", says: "All checksums match." }];
  const says = `Damaged: ${findings.join("; ")}.`;
  return [{ name, state: "fail", says, remedy: `Run '${program} update' to repair them.` }];
}

/** A message lists at most this many files. */
const maxNamedFiles = 3;

/**
 * Reports the files outside a project that its private sources hide. A project from elsewhere can
 * name any file, and its document disappears for everyone.
 */
function checkHiddenFiles({ byProject }: PrivateFiles, program: string): Check[] {
  return [...byProject()].flatMap(([project, files]): Check[] => {
    const outside = files.filter((file) => !containsPath(project, file) && existsSync(file));
    if (outside.length === 0) return [];
    const named = outside.slice(0, maxNamedFiles).map(toPrintable).join(", ");
    const more = outside.length > maxNamedFiles ? ", …" : "";
    const says = `Private sources of ${toPrintable(project)} hide ${named}${more}`;
    const name = "private";
    if (existsSync(project)) return [{ name, state: "ok", says: `${says}.` }];
    const remedy = `Reconnect the drive of the project. If it was deleted, create an empty one at its path with '${program} project create': the files are shown again.`;
    return [{ name, state: "warn", says: `${says}, but the project is missing.`, remedy }];
  });
}

function checkIndexedFiles(
  root: Root,
  indexed: ReadonlySet<string>,
  hidden: { privateFiles: PrivateFiles; home?: HomeCheck },
  program: string,
): Check[] {
  if (!existsSync(root.path)) return [];
  const boundary = createBoundary({ base: root.path, ...hidden });
  const walk = openWalk(root, boundary);
  const files = [...walk.filesBelow("")].flat().map(({ path }) => path);
  const missing = files.filter((path) => !indexed.has(`${root.name}/${path}`));
  const unreadable = checkReadable(root, walk.unreadable);
  if (missing.length === 0) return unreadable;
  const named = missing.slice(0, maxNamedFiles).map(toPrintable).join(", ");
  const more = missing.length > maxNamedFiles ? ", …" : ".";
  const are = missing.length === 1 ? "is" : "are";
  return [
    ...unreadable,
    {
      name: "collection",
      state: "warn",
      says: `${root.name}: ${pluralise(missing.length, "file")} of ${files.length} ${are} not in the index: ${named}${more}`,
      remedy: `Run '${program} update': it indexes them, or reports why it skips them.`,
    },
  ];
}

/** Folders that cannot be read, such as those on a mount that is not connected, and misnamed files. */
function checkReadable(root: Root, unreadable: ReadonlyMap<string, string>): Check[] {
  const isMisnamed = ([, reason]: [string, string]) => reason === nameNotUtf8;
  const misnamed = [...unreadable].filter(isMisnamed);
  const others = [...unreadable].filter((entry) => !isMisnamed(entry));
  const check = (files: typeof others, consequence: string, remedy: string): Check[] => {
    const lines = files
      .slice(0, maxNamedFiles)
      .map(([path, reason]) => `${toPrintable(path) || root.path}: ${reason}`);
    const rest = files.length - lines.length;
    const more = rest > 0 ? `; and ${rest} more` : "";
    const says = `${root.name}: ${lines.join("; ")}${more}.${consequence}`;
    return lines.length === 0 ? [] : [{ name: "collection", state: "warn", says, remedy }];
  };
  return [
    ...check(
      others,
      " What was indexed stays in the index.",
      "Reconnect the mount, or check the permissions.",
    ),
    ...check(misnamed, "", "Rename it to index it."),
  ];
}
