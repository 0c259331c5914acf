import { lstatSync, statSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as breathe } from "node:timers/promises";
import {
  type BatchOptions,
  batchFiles,
  emptyResult,
  openBatches,
  type ScanResult,
  type TakeFiles,
} from "./batch.ts";
import type { Database } from "./database.ts";
import {
  isSameStat,
  mayDiffer,
  openDocumentRows,
  type ReadFile,
  type Row,
  raceMs,
} from "./document-rows.ts";
import type { Root } from "./documents.ts";
import type { Absorber } from "./handover.ts";
import { hiddenRows } from "./hidden-rows.ts";
import type { Log } from "./log.ts";
import type { Notices } from "./notices.ts";
import { pathsUnder } from "./paths-under.ts";
import { readDocument, type Sources } from "./reading.ts";
import { openRecorder } from "./recorder.ts";
import { advanceRevision } from "./revision.ts";
import { type FoundFile, isAbsent, mayNotBeRead, openWalk, type Walk } from "./walk.ts";
import { type Look, openWholeRoots } from "./whole-roots.ts";

/** The way from files on disk to the shelves: read, hash, and hand over one diff per batch. */
export interface Intake {
  /** Compares whole roots with what is known of them. */
  scan(roots: readonly Root[], options?: BatchOptions): Promise<ScanResult>;
  /** Looks at single places that a watcher named. */
  lookAt(
    roots: readonly Root[],
    places: readonly string[],
    options?: Pick<BatchOptions, "signal">,
  ): Promise<ScanResult>;
  /** Takes in files that somebody else has found. */
  take: TakeFiles;
  /** Those of the roots that were never read to their end, or not as they are defined now. */
  unread(roots: readonly Root[]): Root[];
  /** Those that are to be compared with their folders again, when nobody watches them. */
  due(roots: readonly Root[]): Root[];
  /** Drops the documents of files that have become private, under whatever name they were read. */
  withdraw(places: readonly string[]): void;
  /** Has these documents read and taken in again by the next scan, whatever their files hold. */
  outdate(documents: Iterable<number> | "all"): void;
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
  /** Takes in what would keep this thread busy for long. */
  elsewhere?: TakeFiles | undefined;
}

interface Walked extends Look, Pick<Walk, "isUnknown"> {}

/** So many folders are looked through before others have their turn. */
const strideFolders = 50;

export function openIntake(parts: IntakeParts): Intake {
  const { db, sources, notices, log, rootNamed, absorbers, elsewhere } = parts;
  const rows = openDocumentRows(db);
  const isConfigured = (root: string): boolean => rootNamed(root) !== undefined;
  const wholeRoots = openWholeRoots(db, isConfigured);
  const recorder = openRecorder({
    db,
    rows,
    notices,
    log,
    isConfigured,
    lookAgain,
    confirm,
    absorbers,
  });
  const batchOf = openBatches({ elsewhere, db, sources, rows, recorder, notices, log });
  // What a link leads to changes without an event that names the link.
  const links = new Map<string, Set<string>>();
  return {
    async scan(roots, options = {}) {
      const result = emptyResult();
      for (const root of roots) {
        const isGone = !mayBeFolder(root.path);
        if (isGone) result.skipped.push({ path: root.name, reason: "its folder is not there" });
        const start = performance.now();
        const walked = await walkThrough(root, options.signal);
        const took = performance.now() - start;
        const unread = [...walked.unreadable].map(([folder, reason]) => ({
          path: `${root.name}${folder && "/"}${folder}`,
          reason,
        }));
        for (const folder of unread) result.skipped.push(folder);
        if (unread.some(({ reason }) => reason !== mayNotBeRead)) result.isUnfinished = true;
        const known = wholeRoots.known(root, walked);
        if (known) {
          // Not spread: there may be more of them than a call takes arguments.
          for (const file of known.skipped) result.skipped.push(file);
        } else {
          if (isGone) log("warn", "the folder of a collection is not there", { name: root.name });
          for (const { path, reason } of unread) log("warn", "skipped a folder", { path, reason });
          await compareAll(root, walked, result, options);
        }
        if (options.signal?.aborted) return { ...result, partial: true };
        wholeRoots.note(root, took, walked.found.length);
      }
      // A long log is read by every process that starts; few changes leave a short one.
      if (result.added + result.changed + result.removed > batchFiles) db.emptyLog();
      return result;
    },
    async lookAt(roots, places, options) {
      const result = emptyResult();
      for (const root of roots) {
        const paths = pathsUnder(root, places);
        if (paths.length === 0) continue;
        const batch = batchOf(root, result, options);
        const { files, missing } = compareAt(root, paths);
        for (const file of files) await batch.add(file);
        await batch.commit(missing);
      }
      return result;
    },
    async take({ root, files, missing }, options) {
      const result = emptyResult();
      const batch = batchOf(root, result, options);
      for (const file of files) await batch.add(file);
      await batch.commit(missing);
      return { result, changedNothing: batch.changedNothing() };
    },
    unread: wholeRoots.unread,
    due: wholeRoots.due,
    withdraw: (places) =>
      recorder.drop(hiddenRows(places, { rows, rootNamed, boundary: sources.boundary }), {
        isPrivate: true,
      }),
    outdate: (documents) =>
      db.transaction(() => {
        const all = documents === "all" ? rows.roots().flatMap(rows.of) : [];
        rows.outdate(documents === "all" ? all.map(({ id }) => id) : documents);
        wholeRoots.compareAgain();
      }),
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

  async function walkThrough(root: Root, signal: AbortSignal | undefined): Promise<Walked> {
    const walk = openWalk(root, sources.boundary);
    const found: FoundFile[] = [];
    let folders = 0;
    for (const files of walk.below("")) {
      if (signal?.aborted) break;
      for (const file of files) found.push(file);
      if (++folders % strideFolders === 0) await breathe();
    }
    links.set(root.name, new Set(walk.links));
    return { found, unreadable: walk.unreadable, isUnknown: walk.isUnknown };
  }

  /** A scan that is stopped leaves its root as one that was not read to its end. */
  async function compareAll(
    root: Root,
    walked: Walked,
    result: ScanResult,
    options: BatchOptions,
  ): Promise<void> {
    const { signal } = options;
    const known = new Map(rows.of(root.name).map((row) => [row.path, row]));
    const batch = batchOf(root, result, options);
    const { length: before } = result.skipped;
    for (const file of walked.found) {
      if (signal?.aborted) return;
      const row = known.get(file.path);
      known.delete(file.path);
      if (!row || mayDiffer(row, file)) await batch.add(file);
    }
    if (signal?.aborted) return;
    const missing = [...known.values()].filter(({ path }) => !walked.isUnknown(path));
    await batch.commit(missing);
    const isSame = missing.length === 0 && batch.changedNothing();
    const skipped = result.skipped.slice(before);
    wholeRoots.remember(root, isSame ? { ...walked, skipped } : undefined);
  }

  /** What is at these paths now, and at links, against the rows at them and below. */
  function compareAt(root: Root, paths: readonly string[]) {
    const walk = openWalk(root, sources.boundary);
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
    const isGone = ({ path }: Row): boolean => !files.has(path) && !walk.isUnknown(path);
    return { files: files.values(), missing: missing.filter(isGone) };
  }

  /** The file of a row, if it may have changed since; a place that no walk finds has none. */
  function lookAgain(row: Row): ReadFile | "gone" | undefined {
    const root = rootNamed(row.root);
    const file = root && fileAt(root, row.path);
    if (!root || file === "gone") return "gone";
    return file && mayDiffer(row, file) ? readNow(root, file) : undefined;
  }

  /** Within one tick of the clock a file can be written twice and look the same. */
  function confirm(read: ReadFile): ReadFile | "gone" | undefined {
    const root = rootNamed(read.root);
    const file = root && fileAt(root, read.path);
    if (!root || file === "gone") return "gone";
    if (!file) return undefined;
    const isTheSame = isSameStat(read, file) && read.modified + raceMs <= read.seen;
    return isTheSame ? read : readNow(root, file);
  }

  /** The file at a path, or nothing where that cannot be told. */
  function fileAt(root: Root, path: string): FoundFile | "gone" | undefined {
    const walk = openWalk(root, sources.boundary);
    return walk.at(path) ?? (walk.isUnknown(path) ? undefined : "gone");
  }

  /** What must be converted first is met again when it is done, by whoever scans next. */
  function readNow(root: Root, file: FoundFile): ReadFile | undefined {
    const now = readDocument(sources, root, file, Number.POSITIVE_INFINITY);
    return "hash" in now ? now : undefined;
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

/** Whether a root is there, links followed; one that may not be looked at is told by the walk. */
function mayBeFolder(place: string): boolean {
  try {
    return statSync(place).isDirectory();
  } catch (error) {
    return !isAbsent(error);
  }
}

/** Whether a folder lies here; one that cannot be looked at is told by the walk. */
function isFolder(place: string): boolean {
  try {
    return lstatSync(place, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch (error) {
    return !isAbsent(error);
  }
}
