/** What a client that gave a token hears about long work. */
interface Progress {
  progress: number;
  total?: number;
  message?: string;
}

export interface ProgressReport {
  report(done: number, total: number | undefined, message: string | undefined): void;
  /** Sends what was held back, so that the last report arrives before the answer; none follows. */
  finish(): void;
}

const perSecond = 10;
/** Short work reports a few times at once and is not held back for it. */
const burst = 5;

/** Reports only ever grow, and go out at most ten times a second; between two, the newest wins. */
export function reportProgress(send: (progress: Progress) => void): ProgressReport {
  let allowance = burst;
  let counted = performance.now();
  let sent = Number.NEGATIVE_INFINITY;
  let held: Progress | undefined;
  let timer: NodeJS.Timeout | undefined;
  let finished = false;

  const release = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (!held) return;
    sent = held.progress;
    send(held);
    held = undefined;
  };
  const trickle = (): void => {
    const now = performance.now();
    allowance = Math.min(burst, allowance + ((now - counted) / 1_000) * perSecond);
    counted = now;
    if (allowance >= 1) {
      allowance -= 1;
      release();
    } else {
      timer ??= setTimeout(() => {
        timer = undefined;
        trickle();
      }, 1_000 / perSecond).unref();
    }
  };

  return {
    report(done, total, message) {
      if (finished || done <= sent || !Number.isFinite(done)) return;
      held = {
        progress: done,
        ...(total !== undefined && { total }),
        ...(message !== undefined && { message }),
      };
      trickle();
    },
    finish() {
      finished = true;
      release();
    },
  };
}
