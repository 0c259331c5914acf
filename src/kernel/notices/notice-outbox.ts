import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "../runtime/log.ts";
import type { Runtime } from "../runtime/runtime.ts";
import { isBusyError } from "../storage/database.ts";
import { type Steps, transaction } from "../storage/steps.ts";
import type { Notice, Notices } from "./notices.ts";

/** The queue of notices to be written to the store. */
export interface NoticeOutbox {
  /** Sends the notices immediately, or when the write lock becomes free. */
  send(announced: readonly Notice[]): void;
  /** Resolves when nothing is being sent any more. */
  close(): Promise<void>;
}

/** Older notices are dropped while the store is locked; clients then have to poll. */
const maxUnsent = 1_000;

/** For a store that cannot tell when it becomes writable. */
const retryMs = 50;

export function openNoticeOutbox(
  runtime: () => Pick<Runtime, "notices" | "store">,
  log: Log,
): NoticeOutbox {
  const closing = new AbortController();
  let pending: Notice[] = [];
  let sending: Promise<void> | undefined;

  /** Failing to send notices does not fail the call that announced them. */
  async function flush(): Promise<void> {
    try {
      while (pending.length > 0) await sendPending();
    } catch (error) {
      pending = [];
      if (!closing.signal.aborted) log("error", "notices could not be sent", { cause: error });
    } finally {
      sending = undefined;
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
      closing.signal.throwIfAborted();
      await (store.waitUntilWritable({
        signal: closing.signal,
        timeoutMs: Number.POSITIVE_INFINITY,
      }) ?? sleep(retryMs, undefined, { signal: closing.signal }));
    }
  }

  return {
    send(announced) {
      pending = [...pending, ...announced].slice(-maxUnsent);
      if (pending.length > 0) sending ??= flush();
    },
    async close() {
      closing.abort();
      await sending;
    },
  };
}

function* recordAndDeliver(notices: Notices, sent: readonly Notice[]): Steps<void> {
  yield* transaction(() => notices.record(sent), { withoutWaiting: true });
  yield* notices.deliver();
}
