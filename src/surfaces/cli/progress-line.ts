import type { Screen } from "./screen.ts";

/** One line on a terminal that tells how far long work has come. Elsewhere it is silent. */
interface ProgressLine {
  show(done: number, total: number | undefined, message: string | undefined): void;
  /** Takes the line away, so that what is printed next stands alone. */
  clear(): Promise<void>;
}

const betweenMs = 80;
const eraseLine = "\r\u001b[2K";

/** `title` says what is done where the work itself says nothing. */
export function openProgressLine(screen: Screen, title: string): ProgressLine {
  if (!screen.terminal) return { show() {}, clear: async () => {} };
  // A progress line that could not be written is nothing to stop the work for.
  const write = (text: string) => screen.write(text).catch(() => {});
  let shown = false;
  let last = Number.NEGATIVE_INFINITY;
  return {
    show(done, total, message) {
      const now = performance.now();
      if (now - last < betweenMs && done !== total) return;
      last = now;
      shown = true;
      const words = [...progressWords(done, total, message, title)]
        .slice(0, screen.columns - 1)
        .join("");
      void write(eraseLine + screen.foreign(words));
    },
    async clear() {
      if (!shown) return;
      shown = false;
      await write(eraseLine);
    },
  };
}

function progressWords(
  done: number,
  total: number | undefined,
  message: string | undefined,
  title: string,
): string {
  const figure = total ? `${Math.floor((done / total) * 100)} %  ${done} of ${total}` : `${done}`;
  return message ? `${figure}  ${message.replace(/\s+/g, " ")}` : `${title}: ${figure}`;
}
