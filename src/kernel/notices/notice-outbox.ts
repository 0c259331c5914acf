import type { Log } from "../runtime/log.ts";
import type { Runtime } from "../runtime/runtime.ts";
import { isBusyError } from "../storage/database.ts";
import type { Notice } from "./notices.ts";

/** The queue of notices to be written to the store. */
export interface NoticeOutbox {
  /** Sends the notices immediately, or when the write lock becomes free. */
  send(announced: readonly Notice[]): void;
  close(): void;
}

/** Older notices are dropped while the store is locked; clients then have to poll. */
const maxUnsent = 1_000;

export function openNoticeOutbox(
  runtime: () => Pick<Runtime, "db" | "notices">,
  log: Log,
): NoticeOutbox {
  const closing = new AbortController();
  let pending: Notice[] = [];
  let isWaiting = false;

  /** Failing to send notices does not fail the call that announced them. */
  function flush(): void {
    if (pending.length === 0) return;
    try {
      const { db, notices } = runtime();
      db.transaction(() => notices.record(pending), { withoutWaiting: true });
      pending = [];
      notices.deliver();
    } catch (error) {
      if (isBusyError(error)) void flushLater();
      else discard(error);
    }
  }

  async function flushLater(): Promise<void> {
    if (isWaiting) return;
    isWaiting = true;
    try {
      await runtime().db.waitUntilWritable({
        signal: closing.signal,
        timeoutMs: Number.POSITIVE_INFINITY,
      });
      isWaiting = false;
      flush();
    } catch (error) {
      discard(error);
    } finally {
      isWaiting = false;
    }
  }

  function discard(error: unknown): void {
    pending = [];
    if (!closing.signal.aborted) log("error", "notices could not be sent", { cause: error });
  }

  return {
    send(announced) {
      pending = [...pending, ...announced].slice(-maxUnsent);
      if (!isWaiting) flush();
    },
    close: () => closing.abort(),
  };
}
