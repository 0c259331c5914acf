import { setImmediate as breathe } from "node:timers/promises";
import { type Database, isBusy } from "./database.ts";
import { type DocumentRows, type ReadFile, type Row, raceMs } from "./document-rows.ts";
import type { Root } from "./documents.ts";
import { Failure } from "./failure.ts";
import type { Log } from "./log.ts";
import type { Notices } from "./notices.ts";
import { readDocument, type Sources } from "./reading.ts";
import type { Counts, Recorder } from "./recorder.ts";
import type { FoundFile } from "./walk.ts";
import type { Skipped } from "./whole-roots.ts";

/** What a look at roots came to. */
export interface ScanResult extends Counts {
  skipped: Skipped[];
  /** True where the signal ended the scan before its end. */
  partial: boolean;
  /** True where a folder could not be read for a reason that may pass without any event. */
  isUnfinished: boolean;
}

export const emptyResult = (): ScanResult => ({
  added: 0,
  changed: 0,
  removed: 0,
  moved: 0,
  skipped: [],
  partial: false,
  isUnfinished: false,
});

/** Files of a root on their way into the store, some at a time. */
export interface Batch {
  add(file: FoundFile): Promise<void>;
  /** Reads and records what was added since, and drops rows whose files are missing. */
  commit(missing: readonly Row[]): Promise<void>;
  /** True while nothing was recorded, and the same files would be passed over again. */
  changedNothing(): boolean;
}

/** Files that are to be read and recorded, and rows whose files are not there. */
export interface FileBatch {
  root: Root;
  files: readonly FoundFile[];
  missing: readonly Row[];
}

/** What became of a batch. */
export interface Taken {
  result: ScanResult;
  changedNothing: boolean;
}

export type TakeFiles = (batch: FileBatch, options: BatchOptions) => Promise<Taken>;

interface BatchParts {
  /** Takes in what would keep this thread busy for long; nothing where there is no other. */
  elsewhere?: TakeFiles | undefined;
  db: Database;
  sources: Sources;
  rows: DocumentRows;
  recorder: Recorder;
  notices: Notices;
  log: Log;
}

export interface BatchOptions {
  signal?: AbortSignal | undefined;
  onProgress?: ((done: number) => void) | undefined;
}

/** A batch is small enough that neither a reader nor another writer waits long for its commit. */
export const batchFiles = 200;
const batchBytes = 2_000_000;

/** So much is recorded in a moment that nobody notices. */
const quickFiles = 50;
const quickBytes = 128 * 1024;

/** What a format holds as text may be so many times as large as the file. */
const expansion = 20;

/** Begins batches that count into a result and tell how many files are done. */
export function openBatches(parts: BatchParts) {
  const { elsewhere, db, sources, rows, recorder, notices, log } = parts;
  return (root: Root, result: ScanResult, options: BatchOptions = {}): Batch => {
    const { signal, onProgress } = options;
    let files: FoundFile[] = [];
    let bytes = 0;
    let done = 0;
    let changedNothing = true;
    return {
      async add(file) {
        files.push(file);
        bytes += file.size;
        if (files.length >= batchFiles || bytes >= batchBytes) await commit([]);
      },
      commit,
      changedNothing: () => changedNothing,
    };

    async function commit(missing: readonly Row[]): Promise<void> {
      const taken = files;
      files = [];
      bytes = 0;
      const batch = { root, files: taken, missing };
      if (elsewhere && !isQuick(batch)) await takeElsewhere(elsewhere, batch);
      else await takeHere(batch);
      done += taken.length;
      if (taken.length > 0) onProgress?.(done);
    }

    function isQuick({ files, missing }: FileBatch): boolean {
      const weights = files.map(({ path, size }) =>
        sources.reader.converts(path) ? size * expansion : size,
      );
      const bytes = weights.reduce((sum, weight) => sum + weight, 0);
      return files.length + missing.length <= quickFiles && bytes <= quickBytes;
    }

    /** A file that ends whoever reads it is passed over, and the others are taken in. */
    async function takeElsewhere(take: TakeFiles, batch: FileBatch): Promise<void> {
      try {
        const { result: counts, changedNothing: isSame } = await take(batch, { signal });
        result.added += counts.added;
        result.changed += counts.changed;
        result.removed += counts.removed;
        result.moved += counts.moved;
        result.skipped.push(...counts.skipped);
        changedNothing &&= isSame;
        notices.deliver();
      } catch (error) {
        if (signal?.aborted || !(error instanceof Failure) || isBusy(error)) throw error;
        changedNothing = false;
        const [file] = batch.files;
        if (batch.files.length === 1 && file) {
          skip(`${root.name}/${file.path}`, "reading it takes too much time or memory");
        }
        if (batch.files.length <= 1) return;
        for (const one of batch.files) {
          await takeElsewhere(take, { root, files: [one], missing: [] });
        }
        await takeElsewhere(take, { root, files: [], missing: batch.missing });
      }
    }

    async function takeHere({ files, missing }: FileBatch): Promise<void> {
      const read: ReadFile[] = [];
      const gone = [...missing];
      const asOf = rows.lastRecording();
      for (const file of files) {
        // What a converter makes of a file is kept at once.
        if (sources.reader.converts(file.path)) await writable();
        const now = await readDocument(sources, root, file, asOf);
        if ("hash" in now) {
          read.push(now);
          changedNothing = false;
          continue;
        }
        if (now.reason) skip(`${root.name}/${file.path}`, now.reason);
        const before = now.forNow ? undefined : rows.at(root.name, file.path);
        if (before) gone.push(before);
        // Next time it would be passed over in the same way, unless somebody just writes to it.
        const isPassedOver = now.byContent && !before && Date.now() > file.modified + raceMs;
        changedNothing &&= isPassedOver ?? false;
      }
      await record(read, gone.splice(0, batchFiles));
      // Between batches the process answers calls, and other processes may write.
      await breathe();
      while (gone.length > 0) {
        await record([], gone.splice(0, batchFiles));
        await breathe();
      }
    }

    function writable(): Promise<void> | undefined {
      return db.writable({
        signal,
        patienceMs: Number.POSITIVE_INFINITY,
        onWait: (reason) => log("warn", `${reason}; indexing waits for it`),
      });
    }

    async function record(read: readonly ReadFile[], missing: readonly Row[]): Promise<void> {
      if (read.length + missing.length === 0) return;
      await writable();
      const { added, changed, removed, moved } = recorder.record(read, missing);
      result.added += added;
      result.changed += changed;
      result.removed += removed;
      result.moved += moved;
      notices.deliver();
    }

    function skip(path: string, reason: string): void {
      result.skipped.push({ path, reason });
      log("warn", "skipped a file", { file: path, reason });
    }
  };
}
