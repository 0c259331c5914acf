import type { Log } from "../runtime/log.ts";
import type { Runtime } from "../runtime/runtime.ts";
import { isBusyError } from "../storage/database.ts";
import { type Steps, transaction } from "../storage/steps.ts";
import type { Notice, Notices } from "./notices.ts";

/** The queue of notices to be written to the store. */
export interface NoticeOutbox {
  /** Sends the notices immediately, or when the write lock becomes free. */
  send(announced: readonly Notice[]): void;
  close(): void;
}

/** Older notices are dropped while the store is locked; clients then have to poll. */
const maxUnsent = 1_000;

export function openNoticeOutbox(
  runtime: () => Pick<Runtime, "notices" | "store">,
  log: Log,
): NoticeOutbox {
  const closing = new AbortController();
  let pending: Notice[] = [];
  let isSending = false;

  /** Failing to send notices does not fail the call that announced them. */
  async function flush(): Promise<void> {
    if (isSending) return;
    isSending = true;
    try {
      while (pending.length > 0) await sendPending();
    } catch (error) {
      pending = [];
      if (!closing.signal.aborted) log("error", "notices could not be sent", { cause: error });
    } finally {
      isSending = false;
    }
  }

  async function sendPending(): Promise<void> {
    const { notices, store } = runtime();
    const sent = pending;
    pending = [];
    try {
      await store.run(recordAndDeliver(notices, sent));
    } catch (error) {
      if (!isBusyError(error)) throw error;
      pending = [...sent, ...pending].slice(-maxUnsent);
      await store.waitUntilWritable({
        signal: closing.signal,
        timeoutMs: Number.POSITIVE_INFINITY,
      });
    }
  }

  return {
    send(announced) {
      pending = [...pending, ...announced].slice(-maxUnsent);
      void flush();
    },
    close: () => closing.abort(),
  };
}

function* recordAndDeliver(notices: Notices, sent: readonly Notice[]): Steps<void> {
  yield* transaction(() => notices.record(sent), { withoutWaiting: true });
  yield* notices.deliver();
}
