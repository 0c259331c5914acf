import { lstatSync, statSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { setImmediate as breathe } from "node:timers/promises";
import { batchFiles, emptyResult, openBatches, type ScanResult } from "./batch.ts";
import { contains } from "./boundary.ts";
import type { Database } from "./database.ts";
import { mayDiffer, openDocumentRows, type ReadFile, type Row } from "./document-rows.ts";
import type { Root } from "./documents.ts";
import type { Absorber } from "./handover.ts";
import type { Log } from "./log.ts";
import type { Notices } from "./notices.ts";
import { readDocument, type Sources } from "./reading.ts";
import { openRecorder } from "./recorder.ts";
import { advanceRevision } from "./revision.ts";
import { type FoundFile, isRefused, openWalk, type Walk } from "./walk.ts";
import { openWholeRoots } from "./whole-roots.ts";

/** The way from files on disk to the shelves: read, hash, and hand over one diff per batch. */
export interface Intake {
  /** Compares whole roots with what is known of them. */
  scan(roots: readonly Root[], options?: ScanOptions): Promise<ScanResult>;
  /** Looks at single places that a watcher named. */
  lookAt(roots: readonly Root[], places: readonly string[]): Promise<ScanResult>;
  /** Those of the roots that were never read to their end, or not as they are defined now. */
  unread(roots: readonly Root[]): Root[];
  /** Those that are to be compared with their folders again, when nobody watches them. */
  due(roots: readonly Root[]): Root[];
  /** Drops all documents of a root. */
  forget(root: string): void;
  /**
   * Drops the documents of roots that are configured no longer. They are asked for inside the
   * transaction, so that what another process has just added stays.
   */
  forgetAllBut(roots: () => readonly Root[]): void;
  /** Gives a root another name without reading it again. */
  rename(from: string, to: string): void;
}

interface ScanOptions {
  signal?: AbortSignal | undefined;
  onProgress?: ((done: number) => void) | undefined;
}

export interface IntakeParts {
  db: Database;
  /** Where files are read from, and who reads those that are no plain text. */
  sources: Sources;
  notices: Notices;
  log: Log;
  /** Asked again and again: another process may have removed or renamed a root meanwhile. */
  rootNamed(name: string): Root | undefined;
  /** Who takes in changes, in this order. */
  absorbers: readonly Absorber[];
}

/** So many folders are looked through before others have their turn. */
const strideFolders = 50;

export function openIntake(parts: IntakeParts): Intake {
  const { db, sources, notices, log, rootNamed, absorbers } = parts;
  const rows = openDocumentRows(db);
  const isConfigured = (root: string): boolean => rootNamed(root) !== undefined;
  const wholeRoots = openWholeRoots(db, isConfigured);
  const recorder = openRecorder({ db, rows, notices, log, isConfigured, lookAgain, absorbers });
  const batchOf = openBatches({ sources, rows, recorder, notices, log });
  // What a link leads to changes without an event that names the link.
  const links = new Map<string, Set<string>>();
  return {
    async scan(roots, options = {}) {
      const result = emptyResult();
      for (const root of roots) {
        const isGone = !mayBeFolder(root.path);
        if (isGone) result.skipped.push({ path: root.name, reason: "its folder is not there" });
        const start = performance.now();
        const { found, closed } = await filesOf(root, options.signal);
        const took = performance.now() - start;
        const unread = [...closed].map((folder) => `${root.name}${folder && "/"}${folder}`);
        for (const path of unread)
          result.skipped.push({ path, reason: "this folder may not be read" });
        const known = wholeRoots.known(root, found);
        if (known) {
          // Not spread: there may be more of them than a call takes arguments.
          for (const file of known.skipped) result.skipped.push(file);
        } else {
          if (isGone) log("warn", "the folder of a collection is not there", { name: root.name });
          for (const folder of unread) log("warn", "a folder may not be read", { folder });
          await compareAll(root, found, result, options);
        }
        if (options.signal?.aborted) return { ...result, partial: true };
        wholeRoots.note(root, took, found.length);
      }
      // A long log is read by every process that starts; few changes leave a short one.
      if (result.added + result.changed + result.removed > batchFiles) db.emptyLog();
      return result;
    },
    async lookAt(roots, places) {
      const result = emptyResult();
      for (const root of roots) {
        const paths = pathsUnder(root, places);
        if (paths.length === 0) continue;
        const batch = batchOf(root, result);
        const { files, missing } = compareAt(root, paths);
        for (const file of files) await batch.add(file);
        await batch.commit(missing);
      }
      return result;
    },
    unread: wholeRoots.unread,
    due: wholeRoots.due,
    forget: (root) => forget([root]),
    forgetAllBut(roots) {
      const others = (): string[] => {
        const kept = new Set(roots().map(({ name }) => name));
        return rows.roots().filter((root) => !kept.has(root));
      };
      if (others().length > 0) db.transaction(() => forget(others()));
    },
    rename(from, to) {
      db.transaction(() => {
        if (rows.renameRoot(from, to) > 0) advanceRevision(db);
        wholeRoots.rename(from, to);
      });
    },
  };

  function forget(roots: readonly string[]): void {
    db.transaction(() => {
      recorder.drop(roots.flatMap(rows.of));
      for (const root of roots) wholeRoots.forget(root);
    });
  }

  async function filesOf(root: Root, signal: AbortSignal | undefined) {
    const walk = openWalk(root);
    const found: FoundFile[] = [];
    let folders = 0;
    for (const files of walk.below("")) {
      if (signal?.aborted) break;
      for (const file of files) found.push(file);
      if (++folders % strideFolders === 0) await breathe();
    }
    links.set(root.name, new Set(walk.links));
    return { found, closed: walk.closed };
  }

  /** A scan that is stopped leaves its root as one that was not read to its end. */
  async function compareAll(
    root: Root,
    found: readonly FoundFile[],
    result: ScanResult,
    { signal, onProgress }: ScanOptions,
  ): Promise<void> {
    const known = new Map(rows.of(root.name).map((row) => [row.path, row]));
    const batch = batchOf(root, result, onProgress);
    const { length: before } = result.skipped;
    for (const file of found) {
      if (signal?.aborted) return;
      const row = known.get(file.path);
      known.delete(file.path);
      if (!row || mayDiffer(row, file)) await batch.add(file);
    }
    if (signal?.aborted) return;
    const missing = [...known.values()];
    await batch.commit(missing);
    const isSame = missing.length === 0 && batch.changedNothing();
    const skipped = result.skipped.slice(before);
    wholeRoots.remember(root, isSame ? { found, skipped } : undefined);
  }

  /** What is at these paths now, and at links, against the rows at them and below. */
  function compareAt(root: Root, paths: readonly string[]) {
    const walk = openWalk(root);
    const files = new Map<string, FoundFile>();
    const missing: Row[] = [];
    const compare = (path: string, isNamed: boolean): void => {
      const known = new Map(rows.within(root.name, path).map((row) => [row.path, row]));
      for (const file of filesAt(root, walk, path)) {
        const row = known.get(file.path);
        known.delete(file.path);
        // A file that is named has changed, whatever its time says.
        const isOne = isNamed && file.path === path;
        if (!row || isOne || mayDiffer(row, file)) files.set(file.path, file);
      }
      for (const row of known.values()) missing.push(row);
    };
    for (const path of paths) compare(path, true);
    const linked = links.get(root.name) ?? new Set();
    for (const path of linked) compare(path, false);
    links.set(root.name, new Set([...linked, ...walk.links]));
    return { files: files.values(), missing: missing.filter(({ path }) => !files.has(path)) };
  }

  /** The file of a row, if it may have changed since; a place that no walk finds has none. */
  function lookAgain(row: Row): ReadFile | "gone" | undefined {
    const root = rootNamed(row.root);
    const file = root && openWalk(root).at(row.path);
    if (!root || !file) return "gone";
    const now = mayDiffer(row, file) ? readDocument(sources, root, file) : undefined;
    // What must be converted first is met again when it is done, by whoever scans next.
    return now && "hash" in now ? now : undefined;
  }
}

/** The file at a path, or all files below it where it is a folder. */
function* filesAt(root: Root, walk: Walk, path: string): Generator<FoundFile> {
  if (isFolder(join(root.path, path))) {
    for (const files of walk.below(path)) yield* files;
    return;
  }
  const file = walk.at(path);
  if (file) yield file;
}

/** The places that lie under a root, relative to it and without repetition. */
function pathsUnder(root: Root, places: readonly string[]): string[] {
  const inside = places.filter((place) => contains(root.path, place));
  return [...new Set(inside.map((place) => relative(root.path, place).split(sep).join("/")))];
}

/** Whether a root is there, links followed; one that may not be looked at is told by the walk. */
function mayBeFolder(place: string): boolean {
  try {
    return statSync(place).isDirectory();
  } catch (error) {
    return isRefused(error);
  }
}

function isFolder(place: string): boolean {
  return lstatSync(place, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
