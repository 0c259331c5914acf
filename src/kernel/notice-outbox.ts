import { isBusy } from "./database.ts";
import type { House } from "./house.ts";
import type { Log } from "./log.ts";
import type { Notice } from "./notices.ts";

/** What calls announced, on its way into the store. */
export interface NoticeOutbox {
  /** Sends at once, or once the process that holds the store has finished. */
  send(announced: readonly Notice[]): void;
  close(): void;
}

/** More than this is not kept while the store is held; clients then look for themselves. */
const maxUnsent = 1_000;

export function openNoticeOutbox(
  house: () => Pick<House, "db" | "notices">,
  log: Log,
): NoticeOutbox {
  const closing = new AbortController();
  let unsent: Notice[] = [];
  let isWaiting = false;

  /** What was done stays done, even where nobody can be told of it. */
  function flush(): void {
    if (unsent.length === 0) return;
    try {
      const { db, notices } = house();
      db.transaction(() => notices.record(unsent), { atOnce: true });
      unsent = [];
      notices.deliver();
    } catch (error) {
      if (isBusy(error)) void flushLater();
      else drop(error);
    }
  }

  async function flushLater(): Promise<void> {
    if (isWaiting) return;
    isWaiting = true;
    try {
      await house().db.writable({ signal: closing.signal, patienceMs: Number.POSITIVE_INFINITY });
      isWaiting = false;
      flush();
    } catch (error) {
      drop(error);
    } finally {
      isWaiting = false;
    }
  }

  function drop(error: unknown): void {
    unsent = [];
    if (!closing.signal.aborted) log("error", "notices could not be sent", { cause: error });
  }

  return {
    send(announced) {
      unsent = [...unsent, ...announced].slice(-maxUnsent);
      if (!isWaiting) flush();
    },
    close: () => closing.abort(),
  };
}
