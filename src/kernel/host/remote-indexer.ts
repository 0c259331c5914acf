import { createCall } from "../call.ts";
import type { BatchOutcome, IndexFiles } from "../indexing/index-batches.ts";
import type { Log } from "../runtime/log.ts";
import { type HostConnection, openHost } from "./host.ts";

/**
 * Indexes files in another process, because a large or malicious file can block a thread for many
 * seconds. The process starts with the first batch that is not small and ends after an idle time.
 */
export function openRemoteIndexer({ start, log }: { start: () => HostConnection; log: Log }): {
  indexFiles: IndexFiles;
  close(): Promise<void>;
} {
  const host = openHost({ start, maxSilenceMs, usesSavedState: () => false, log, idleMs });
  return {
    async indexFiles(batch, { signal }) {
      const call = createCall({ actor: { surface: "index" }, ...(signal && { signal }) });
      try {
        return (await host.request({ indexing: true }, batch, call)) as BatchOutcome;
      } finally {
        call.release();
      }
    },
    close: () => host.close(),
  };
}

/** Enough for a batch of the largest accepted files on a busy machine. */
const maxSilenceMs = 180_000;
const idleMs = 30_000;
