import { lstatSync, statSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import {
  type DocumentRow,
  type FileSnapshot,
  isSameStat,
  mayHaveChanged,
  openDocumentRows,
  timestampRaceMs,
} from "../documents/document-rows.ts";
import type { Root } from "../documents/documents.ts";
import { incrementRevision } from "../documents/revision.ts";
import type { Notices } from "../notices/notices.ts";
import { containsPath } from "../paths/contains-path.ts";
import { listMounts } from "../paths/mounts.ts";
import type { Log } from "../runtime/log.ts";
import { type Steps, transaction } from "../storage/steps.ts";
import type { Store } from "../storage/store.ts";
import { isOnLocalFileSystem } from "../watching/folder-changes.ts";
import type { DocumentChangeListener } from "./change-dispatch.ts";
import { type DocumentSources, readDocument } from "./document-reader.ts";
import { findHiddenRows, relativePathsUnder } from "./hidden-rows.ts";
import {
  batchStarter,
  emptyScanResult,
  type IndexFiles,
  type IndexOptions,
  maxBatchFiles,
  type ScanResult,
} from "./index-batches.ts";
import { openRecorder } from "./recorder.ts";
import { openScanState, type SkippedFile, type WalkedListing } from "./scan-state.ts";
import { openSkipReports } from "./skip-reports.ts";
import { type FoundFile, isNotFoundError, isPermanentReason, openWalk, type Walk } from "./walk.ts";

/**
 * Updates the index from the files on disk: reads and hashes them, and passes one diff per batch to
 * the shelves.
 */
export interface Indexer {
  /** Compares whole roots with the index. */
  scan(roots: readonly Root[], options?: IndexOptions): Promise<ScanResult>;
  /** Indexes single paths that a watcher reported. */
  indexPaths(
    roots: readonly Root[],
    paths: readonly string[],
    options?: Pick<IndexOptions, "signal">,
  ): Promise<ScanResult>;
  /** Indexes files that another thread has found. */
  indexFiles: IndexFiles;
  /** The roots whose initial scan is incomplete or used another definition. */
  unscanned(roots: readonly Root[]): Steps<Root[]>;
  /** The roots that must be scanned now if no process watches them. */
  dueForScan(roots: readonly Root[]): Steps<Root[]>;
  /** Whether the last scan found links among the files: changes of their targets cause no event. */
  hasLinks(root: string): boolean;
  /** Removes the documents of files that have become private, including their hard links. */
  removePrivate(paths: readonly string[]): Steps<void>;
  /** Makes the next scan read and index these documents again, even if unchanged. */
  markOutdated(documents: Iterable<number> | "all"): Steps<void>;
  /** Removes all documents of a root. */
  removeRoot(root: string): Steps<void>;
  /**
   * Removes the documents of unconfigured roots. `roots` is called inside the transaction, so that
   * a root that another process has just added is not removed.
   */
  removeUnconfigured(roots: () => readonly Root[]): Steps<void>;
  /** Renames a root without reading it again. */
  renameRoot(from: string, to: string): Steps<void>;
}

export interface IndexerOptions {
  store: Store;
  /** The services for reading files and converting those that are not plain text. */
  sources: DocumentSources;
  notices: Notices;
  log: Log;
  /** Called for each use, because another process may have removed or renamed a root. */
  findRoot(name: string): Root | undefined;
  /** The shelves that receive changes, in this order. */
  listeners: readonly DocumentChangeListener[];
  /** Indexes batches that would block this thread for long. */
  indexOffThread?: IndexFiles | undefined;
}

interface WalkedRoot extends WalkedListing, Pick<Walk, "isUnknown"> {}

/** Number of folders to scan before yielding to the event loop. */
const foldersPerSlice = 50;

export function openIndexer(options: IndexerOptions): Indexer {
  const { store, sources, notices, log, findRoot, listeners, indexOffThread } = options;
  const rows = openDocumentRows();
  const isConfigured = (root: string): boolean => findRoot(root) !== undefined;
  const scanState = openScanState(isConfigured);
  const skipReports = openSkipReports();
  const recorder = openRecorder({
    rows,
    notices,
    log,
    isConfigured,
    rereadIfChanged,
    confirmSnapshot,
    listeners,
  });
  const startBatch = batchStarter({
    indexOffThread,
    store,
    sources,
    rows,
    recorder,
    skipReports,
    notices,
    log,
  });
  // A change of a link's target causes no event for the link, so links are checked each time.
  const links = new Map<string, Set<string>>();
  return {
    async scan(roots, options = {}) {
      const result = emptyScanResult();
      for (const root of roots) {
        const { length: skippedBefore } = result.skipped;
        if (!mayBeLinkedFolder(root.path))
          result.skipped.push({ path: root.name, reason: "its folder does not exist" });
        const start = performance.now();
        const untouched = await compareWithoutWalk(root, options);
        if (untouched) {
          for (const file of untouched.skipped) result.skipped.push(file);
          const ms = performance.now() - start;
          await store.run(finishScan(root, untouched.skipped, ms, untouched.files));
          continue;
        }
        const walked = await walkRoot(root, options);
        const scanMs = performance.now() - start;
        const unreadable = [...walked.unreadable].map(([folder, reason]) => ({
          path: `${root.name}${folder && "/"}${folder}`,
          reason,
        }));
        for (const folder of unreadable) result.skipped.push(folder);
        if (!unreadable.every(({ reason }) => isPermanentReason(reason)))
          result.isUnfinished = true;
        const level = options.isAnswered ? "debug" : "warn";
        const folders = await store.run(
          skipReports.takeNew(root.name, result.skipped.slice(skippedBefore)),
        );
        for (const { path, reason } of folders) log(level, "skipped a folder", { path, reason });
        const unchanged = await store.run(scanState.findUnchanged(root, walked));
        if (unchanged) {
          // Not `push(...files)`: there may be more files than a call accepts arguments.
          for (const file of unchanged.skipped) result.skipped.push(file);
        } else {
          await compareRoot(root, walked, result, options);
        }
        if (options.signal?.aborted) return { ...result, partial: true };
        const skipped = result.skipped.slice(skippedBefore);
        await store.run(finishScan(root, skipped, scanMs, walked.found.length));
      }
      // Every starting process reads the log, so truncate it after many changes.
      if (result.added + result.changed + result.removed > maxBatchFiles) store.truncateLog();
      return result;
    },
    async indexPaths(roots, paths, options) {
      const result = emptyScanResult();
      for (const root of roots) {
        const relativePaths = relativePathsUnder(root, paths);
        if (relativePaths.length === 0) continue;
        const batch = startBatch(root, result, options);
        const { files, missing } = await store.run(comparePaths(root, relativePaths));
        for (const file of files) await batch.add(file);
        await batch.commit(missing);
      }
      return result;
    },
    async indexFiles({ root, files, missing }, options) {
      const result = emptyScanResult();
      const batch = startBatch(root, result, options);
      for (const file of files) await batch.add(file);
      await batch.commit(missing);
      return { result, changedNothing: batch.changedNothing() };
    },
    unscanned: scanState.unscanned,
    dueForScan: scanState.dueForScan,
    hasLinks: (root) => (links.get(root)?.size ?? 0) > 0,
    *removePrivate(paths) {
      const hidden = yield* findHiddenRows(paths, { rows, findRoot, boundary: sources.boundary });
      yield* recorder.drop(hidden, { isPrivate: true });
    },
    markOutdated: (documents) =>
      transaction(function* () {
        const ids =
          documents === "all"
            ? (yield* rowsIn(yield* rows.roots())).map(({ id }) => id)
            : documents;
        yield* rows.markOutdated(ids);
        yield* scanState.invalidateListings();
      }),
    removeRoot: (root) => removeRoots([root]),
    *removeUnconfigured(roots) {
      function* unconfigured(): Steps<string[]> {
        const configured = new Set(roots().map(({ name }) => name));
        return (yield* rows.roots()).filter((root) => !configured.has(root));
      }
      if ((yield* unconfigured()).length === 0) return;
      yield* transaction(function* () {
        yield* removeRoots(yield* unconfigured());
      });
    },
    renameRoot: (from, to) =>
      transaction(function* () {
        if ((yield* rows.renameRoot(from, to)) > 0) yield* incrementRevision();
        yield* scanState.rename(from, to);
        yield* skipReports.forget(from);
      }),
  };

  function* rowsIn(roots: readonly string[]): Steps<DocumentRow[]> {
    const found: DocumentRow[] = [];
    for (const root of roots) for (const row of yield* rows.inRoot(root)) found.push(row);
    return found;
  }

  function* removeRoots(roots: readonly string[]): Steps<void> {
    yield* transaction(function* () {
      yield* recorder.drop(yield* rowsIn(roots));
      for (const root of roots) {
        yield* scanState.forget(root);
        yield* skipReports.forget(root);
      }
    });
  }

  function* finishScan(
    root: Root,
    skipped: readonly SkippedFile[],
    ms: number,
    files: number,
  ): Steps<void> {
    yield* skipReports.retainOnly(root.name, skipped);
    yield* scanState.recordDuration(root, ms, files);
  }

  /** What the last complete scan skipped, if nothing has changed since. The fast path. */
  async function compareWithoutWalk(root: Root, { onFolder }: IndexOptions) {
    const { boundary } = sources;
    const isComparable =
      !onFolder &&
      !boundary.isConfined &&
      isOnLocalFileSystem(root.path) &&
      !boundary.isHidden(root.path);
    if (!isComparable) return undefined;
    const untouched = await scanState.compareWithoutWalk(store, root, conditionsOf(root));
    // A listing with links is not comparable.
    if (untouched) links.set(root.name, new Set());
    return untouched;
  }

  /** What decides about the files of a root, beside its folders and their ignore files. */
  function conditionsOf({ path }: Root): string {
    const mounts = listMounts().filter((mount) => containsPath(path, mount.path));
    return JSON.stringify([sources.boundary.privacyVersion(), mounts]);
  }

  async function walkRoot(root: Root, { signal, onFolder }: IndexOptions): Promise<WalkedRoot> {
    const walk = openWalk(root, sources.boundary, (folder) => onFolder?.(root, folder));
    const conditions = conditionsOf(root);
    const found: FoundFile[] = [];
    let folders = 0;
    for (const files of walk.filesBelow("")) {
      if (signal?.aborted) break;
      for (const file of files) found.push(file);
      if (++folders % foldersPerSlice === 0) await yieldToEventLoop();
    }
    links.set(root.name, new Set(walk.links));
    const { inputs, unreadable, isUnknown } = walk;
    return { found, inputs, links: walk.links, unreadable, conditions, isUnknown };
  }

  /** A root whose scan is aborted stays marked as incompletely scanned. */
  async function compareRoot(
    root: Root,
    walked: WalkedRoot,
    result: ScanResult,
    options: IndexOptions,
  ): Promise<void> {
    const { signal } = options;
    const rowsBefore = await store.run(rows.inRoot(root.name));
    const remainingRows = new Map(rowsBefore.map((row) => [row.path, row]));
    const batch = startBatch(root, result, options);
    const { length: skippedBefore } = result.skipped;
    for (const file of walked.found) {
      if (signal?.aborted) return;
      const row = remainingRows.get(file.path);
      remainingRows.delete(file.path);
      if (!row || mayHaveChanged(row, file)) await batch.add(file);
    }
    if (signal?.aborted) return;
    const missing = [...remainingRows.values()].filter(({ path }) => !walked.isUnknown(path));
    await batch.commit(missing);
    const isSame = missing.length === 0 && batch.changedNothing();
    const skipped = result.skipped.slice(skippedBefore);
    await store.run(scanState.recordScan(root, isSame ? { ...walked, skipped } : undefined));
  }

  /** Compares the files at these paths, and at known links, with the rows at and below them. */
  function* comparePaths(
    root: Root,
    paths: readonly string[],
  ): Steps<{ files: Iterable<FoundFile>; missing: DocumentRow[] }> {
    const walk = openWalk(root, sources.boundary);
    const files = new Map<string, FoundFile>();
    const missing: DocumentRow[] = [];
    function* compare(path: string, isNamed: boolean): Steps<void> {
      const rowsBefore = yield* rows.atOrBelowPath(root.name, path);
      const remainingRows = new Map(rowsBefore.map((row) => [row.path, row]));
      for (const file of walkFiles(root, walk, path)) {
        const row = remainingRows.get(file.path);
        remainingRows.delete(file.path);
        // A reported file has changed, regardless of its times.
        const isReportedFile = isNamed && file.path === path;
        if (!row || isReportedFile || mayHaveChanged(row, file)) files.set(file.path, file);
      }
      for (const row of remainingRows.values()) missing.push(row);
    }
    for (const path of paths) yield* compare(path, true);
    const linked = links.get(root.name) ?? new Set();
    for (const path of linked) yield* compare(path, false);
    links.set(root.name, new Set([...linked, ...walk.links]));
    const isGone = ({ path }: DocumentRow): boolean => !files.has(path) && !walk.isUnknown(path);
    return { files: files.values(), missing: missing.filter(isGone) };
  }

  /** The file of a row, read again if it may have changed; "gone" if no scan would find it. */
  function* rereadIfChanged(row: DocumentRow): Steps<FileSnapshot | "gone" | undefined> {
    const root = findRoot(row.root);
    const file = root && findFile(root, row.path);
    if (!root || file === "gone") return "gone";
    return file && mayHaveChanged(row, file) ? yield* rereadFile(root, file) : undefined;
  }

  /**
   * A file can be written twice within one clock tick with equal times, so a recent one is read
   * again.
   */
  function* confirmSnapshot(read: FileSnapshot): Steps<FileSnapshot | "gone" | undefined> {
    const root = findRoot(read.root);
    const file = root && findFile(root, read.path);
    if (!root || file === "gone") return "gone";
    if (!file) return undefined;
    const isTheSame = isSameStat(read, file) && read.modified + timestampRaceMs <= read.seen;
    return isTheSame ? read : yield* rereadFile(root, file);
  }

  /** The file at a path; undefined if that cannot be determined. */
  function findFile(root: Root, path: string): FoundFile | "gone" | undefined {
    const walk = openWalk(root, sources.boundary);
    return walk.fileAt(path) ?? (walk.isUnknown(path) ? undefined : "gone");
  }

  /** Files that need conversion are left to the next scan. */
  function* rereadFile(root: Root, file: FoundFile): Steps<FileSnapshot | undefined> {
    const document = yield* readDocument(sources, root, file, Number.POSITIVE_INFINITY);
    return "hash" in document ? document : undefined;
  }
}

/** The file at a path, or all files below it if it is a folder. */
function* walkFiles(root: Root, walk: Walk, path: string): Generator<FoundFile> {
  if (mayBeOwnFolder(join(root.path, path))) {
    for (const files of walk.filesBelow(path)) yield* files;
    return;
  }
  const file = walk.fileAt(path);
  if (file) yield file;
}

/** Whether a root exists, following links. True if it cannot be checked: the walk reports that. */
function mayBeLinkedFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (error) {
    return !isNotFoundError(error);
  }
}

/** Whether a path is a folder. True if it cannot be checked: the walk reports that. */
function mayBeOwnFolder(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch (error) {
    return !isNotFoundError(error);
  }
}
