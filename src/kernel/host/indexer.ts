import type { TakeFiles, Taken } from "../batch.ts";
import { makeCall } from "../call.ts";
import type { Log } from "../log.ts";
import { type HostConnection, openHost } from "./host.ts";

/**
 * Takes in files in another process, because a large or hostile one keeps a thread busy for many
 * seconds. It is started for the first batch that is not small, and ends some time after the last.
 */
export function openIndexer({ start, log }: { start: () => HostConnection; log: Log }): {
  take: TakeFiles;
  close(): Promise<void>;
} {
  const host = openHost({ start, maxSilenceMs, isAbout: () => false, log, idleMs });
  return {
    async take(batch, { signal }) {
      const call = makeCall({ actor: { surface: "index" }, ...(signal && { signal }) });
      try {
        return (await host.request({ intake: true }, batch, call)) as Taken;
      } finally {
        call.release();
      }
    },
    close: () => host.close(),
  };
}

/** One batch, of the largest files that are read, on a machine that is busy with other things. */
const maxSilenceMs = 180_000;
const idleMs = 30_000;
