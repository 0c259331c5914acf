/** A progress notification, for clients that sent a progress token. */
interface Progress {
  progress: number;
  total?: number;
  message?: string;
}

export interface ProgressReporter {
  report(done: number, total: number | undefined, message: string | undefined): void;
  /** Sends the pending report before the result. Later reports are ignored. */
  finish(): void;
}

const perSecond = 10;
/** The first reports are sent without delay. */
const burst = 5;

/** Sends only increasing progress, at most ten times per second (token bucket); the latest report wins. */
export function createProgressReporter(send: (progress: Progress) => void): ProgressReporter {
  let allowance = burst;
  let refilledAt = performance.now();
  let lastSent = Number.NEGATIVE_INFINITY;
  let pending: Progress | undefined;
  let timer: NodeJS.Timeout | undefined;
  let finished = false;

  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (!pending) return;
    lastSent = pending.progress;
    send(pending);
    pending = undefined;
  };
  const sendWithinRate = (): void => {
    const now = performance.now();
    allowance = Math.min(burst, allowance + ((now - refilledAt) / 1_000) * perSecond);
    refilledAt = now;
    if (allowance >= 1) {
      allowance -= 1;
      flush();
    } else {
      timer ??= setTimeout(() => {
        timer = undefined;
        sendWithinRate();
      }, 1_000 / perSecond).unref();
    }
  };

  return {
    report(done, total, message) {
      if (finished || done <= lastSent || !Number.isFinite(done)) return;
      pending = {
        progress: done,
        ...(total !== undefined && { total }),
        ...(message !== undefined && { message }),
      };
      sendWithinRate();
    },
    finish() {
      finished = true;
      flush();
    },
  };
}
