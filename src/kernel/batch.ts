import { setImmediate as breathe } from "node:timers/promises";
import { type DocumentRows, type ReadFile, type Row, raceMs } from "./document-rows.ts";
import type { Root } from "./documents.ts";
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
}

export const emptyResult = (): ScanResult => ({
  added: 0,
  changed: 0,
  removed: 0,
  moved: 0,
  skipped: [],
  partial: false,
});

/** Files of a root on their way into the store, some at a time. */
export interface Batch {
  add(file: FoundFile): Promise<void>;
  /** Reads and records what was added since, and drops rows whose files are missing. */
  commit(missing: readonly Row[]): Promise<void>;
  /** True while nothing was recorded, and the same files would be passed over again. */
  changedNothing(): boolean;
}

interface BatchParts {
  sources: Sources;
  rows: DocumentRows;
  recorder: Recorder;
  notices: Notices;
  log: Log;
}

/** A batch is small enough that neither a reader nor another writer waits long for its commit. */
export const batchFiles = 200;
const batchBytes = 2_000_000;

/** Begins batches that count into a result and tell how many files are done. */
export function openBatches({ sources, rows, recorder, notices, log }: BatchParts) {
  return (root: Root, result: ScanResult, onProgress?: (done: number) => void): Batch => {
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
      const read: ReadFile[] = [];
      const gone = [...missing];
      for (const file of files) {
        const now = await readDocument(sources, root, file);
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
      record(read, gone.splice(0, batchFiles));
      done += files.length;
      if (files.length > 0) onProgress?.(done);
      files = [];
      bytes = 0;
      // Between batches the process answers calls, and other processes may write.
      await breathe();
      while (gone.length > 0) {
        record([], gone.splice(0, batchFiles));
        await breathe();
      }
    }

    function record(read: readonly ReadFile[], missing: readonly Row[]): void {
      if (read.length + missing.length === 0) return;
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
