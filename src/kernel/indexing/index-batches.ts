import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import {
  type DocumentRow,
  type DocumentRows,
  type FileSnapshot,
  timestampRaceMs,
} from "../documents/document-rows.ts";
import type { Root } from "../documents/documents.ts";
import { Failure } from "../failure.ts";
import type { Notices } from "../notices/notices.ts";
import type { Log } from "../runtime/log.ts";
import { isBusyError } from "../storage/database.ts";
import type { Store } from "../storage/store.ts";
import { type DocumentSources, readDocument } from "./document-reader.ts";
import type { ChangeCounts, Recorder } from "./recorder.ts";
import type { SkippedFile } from "./scan-state.ts";
import type { SkipReports } from "./skip-reports.ts";
import type { FoundFile } from "./walk.ts";

/** The result of a scan. */
export interface ScanResult extends ChangeCounts {
  skipped: SkippedFile[];
  /** Whether the signal stopped the scan early. */
  partial: boolean;
  /** Whether a folder could not be read for a reason that may end without a file event. */
  isUnfinished: boolean;
}

export const emptyScanResult = (): ScanResult => ({
  added: 0,
  changed: 0,
  removed: 0,
  moved: 0,
  skipped: [],
  partial: false,
  isUnfinished: false,
});

/** Collects files of a root and records them in batches. */
export interface IndexBatch {
  add(file: FoundFile): Promise<void>;
  /** Reads and records the collected files, and deletes rows whose files are missing. */
  commit(missing: readonly DocumentRow[]): Promise<void>;
  /** Whether nothing was recorded and the next scan would skip the same files. */
  changedNothing(): boolean;
}

/** Files to read and record, and rows whose files are missing. */
export interface FileBatch {
  root: Root;
  files: readonly FoundFile[];
  missing: readonly DocumentRow[];
}

/** The result of a batch. */
export interface BatchOutcome {
  result: ScanResult;
  changedNothing: boolean;
}

export type IndexFiles = (batch: FileBatch, options: IndexOptions) => Promise<BatchOutcome>;

interface BatchStarterOptions {
  /** Indexes batches that would block this thread for long; without it, all run on this thread. */
  indexOffThread?: IndexFiles | undefined;
  store: Store;
  sources: DocumentSources;
  rows: DocumentRows;
  recorder: Recorder;
  skipReports: SkipReports;
  notices: Notices;
  log: Log;
}

export interface IndexOptions {
  /** Called with each folder of a root before it is read. */
  onFolder?: ((root: Root, folder: string) => void) | undefined;
  /** Set if the caller returns the skipped files: they are not logged as warnings. */
  isAnswered?: boolean | undefined;
  signal?: AbortSignal | undefined;
  onProgress?: ((done: number) => void) | undefined;
}

/** Small batches keep the write lock only briefly. */
export const maxBatchFiles = 200;
const maxBatchBytes = 2_000_000;

/** Up to this size, recording is fast enough for the calling thread. */
const maxInlineFiles = 50;
const maxInlineBytes = 128 * 1024;

/** Assumed maximum ratio of extracted text to file size. */
const conversionExpansion = 20;

/** Creates batches that add to a result and report the number of finished files. */
export function batchStarter(services: BatchStarterOptions) {
  const { indexOffThread, store, sources, rows, recorder, skipReports, notices, log } = services;
  return (root: Root, result: ScanResult, options: IndexOptions = {}): IndexBatch => {
    const { signal, onProgress, isAnswered = false } = options;
    let files: FoundFile[] = [];
    let bytes = 0;
    let done = 0;
    let changedNothing = true;
    return {
      async add(file) {
        files.push(file);
        bytes += file.size;
        if (files.length >= maxBatchFiles || bytes >= maxBatchBytes) await commit([]);
      },
      commit,
      changedNothing: () => changedNothing,
    };

    async function commit(missing: readonly DocumentRow[]): Promise<void> {
      const batchFiles = files;
      files = [];
      bytes = 0;
      const batch = { root, files: batchFiles, missing };
      if (indexOffThread && !isSmall(batch)) await runOffThread(indexOffThread, batch);
      else await indexInline(batch);
      done += batchFiles.length;
      if (batchFiles.length > 0) onProgress?.(done);
    }

    function isSmall({ files, missing }: FileBatch): boolean {
      const estimatedSizes = files.map(({ path, size }) =>
        sources.reader.needsConversion(path) ? size * conversionExpansion : size,
      );
      const bytes = estimatedSizes.reduce((sum, weight) => sum + weight, 0);
      return files.length + missing.length <= maxInlineFiles && bytes <= maxInlineBytes;
    }

    /** Skips a file that crashes its reader and indexes the others. */
    async function runOffThread(indexFiles: IndexFiles, batch: FileBatch): Promise<void> {
      try {
        const { result: counts, changedNothing: wasUnchanged } = await indexFiles(batch, {
          signal,
        });
        result.added += counts.added;
        result.changed += counts.changed;
        result.removed += counts.removed;
        result.moved += counts.moved;
        result.skipped.push(...counts.skipped);
        changedNothing &&= wasUnchanged;
        await store.run(notices.deliver());
      } catch (error) {
        if (signal?.aborted || !(error instanceof Failure) || isBusyError(error)) throw error;
        changedNothing = false;
        const [file] = batch.files;
        if (batch.files.length === 1 && file) {
          const reason = "reading it takes too much time or memory";
          await reportSkipped([{ path: `${root.name}/${file.path}`, reason }]);
        }
        if (batch.files.length <= 1) return;
        for (const single of batch.files) {
          await runOffThread(indexFiles, { root, files: [single], missing: [] });
        }
        await runOffThread(indexFiles, { root, files: [], missing: batch.missing });
      }
    }

    async function indexInline({ files, missing }: FileBatch): Promise<void> {
      const snapshots: FileSnapshot[] = [];
      const skipped: SkippedFile[] = [];
      const vanished = [...missing];
      const asOf = await store.run(rows.lastRecording());
      for (const file of files) {
        // Reading it writes the converted text to the store.
        if (sources.reader.needsConversion(file.path)) await waitForWriteLock();
        const read = await store.run(readDocument(sources, root, file, asOf));
        const document = "convert" in read ? await read.convert(store) : read;
        if ("hash" in document) {
          snapshots.push(document);
          changedNothing = false;
          continue;
        }
        const { reason } = document;
        if (reason) skipped.push({ path: `${root.name}/${file.path}`, reason });
        const before = document.isTemporary
          ? undefined
          : await store.run(rows.atPath(root.name, file.path));
        if (before) vanished.push(before);
        // The next scan would skip it again, unless it was just written.
        const willBeSkipped =
          document.isContentBased && !before && Date.now() > file.modified + timestampRaceMs;
        changedNothing &&= willBeSkipped ?? false;
      }
      await recordFiles(snapshots, vanished.splice(0, maxBatchFiles));
      await reportSkipped(skipped);
      // Lets other calls run, and other processes write, between batches.
      await yieldToEventLoop();
      while (vanished.length > 0) {
        await recordFiles([], vanished.splice(0, maxBatchFiles));
        await yieldToEventLoop();
      }
    }

    function waitForWriteLock(): Promise<void> | undefined {
      return store.waitUntilWritable({
        signal,
        timeoutMs: Number.POSITIVE_INFINITY,
        onWait: (reason) => log("warn", `${reason}; indexing waits for it`),
      });
    }

    async function recordFiles(
      snapshots: readonly FileSnapshot[],
      missing: readonly DocumentRow[],
    ): Promise<void> {
      if (snapshots.length + missing.length === 0) return;
      await waitForWriteLock();
      const counts = await store.run(recorder.record(snapshots, missing));
      const { added, changed, removed, moved } = counts;
      result.added += added;
      result.changed += changed;
      result.removed += removed;
      result.moved += moved;
      await store.run(notices.deliver());
    }

    async function reportSkipped(skipped: readonly SkippedFile[]): Promise<void> {
      result.skipped.push(...skipped);
      for (const { path, reason } of await store.run(skipReports.takeNew(root.name, skipped))) {
        log(isAnswered ? "debug" : "warn", "skipped a file", { file: path, reason });
      }
    }
  };
}
