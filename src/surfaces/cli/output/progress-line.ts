import type { TextOutput } from "./text-output.ts";

/** A progress line on a terminal. Does nothing if the output is not a terminal. */
interface ProgressLine {
  update(done: number, total: number | undefined, message: string | undefined): void;
  /** Erases the line before other output. */
  clear(): Promise<void>;
}

const throttleMs = 80;
const eraseLine = "\r\u001b[2K";

/** `title` is shown if the operation reports no message. */
export function openProgressLine(screen: TextOutput, title: string): ProgressLine {
  if (!screen.isTerminal) return { update() {}, clear: async () => {} };
  // A failed write of the progress line does not stop the operation.
  const write = (text: string) => screen.write(text).catch(() => {});
  let shown = false;
  let last = Number.NEGATIVE_INFINITY;
  return {
    update(done, total, message) {
      const now = performance.now();
      if (now - last < throttleMs && done !== total) return;
      last = now;
      shown = true;
      const text = [...progressText(done, total, message, title)]
        .slice(0, screen.columns - 1)
        .join("");
      void write(eraseLine + screen.sanitize(text));
    },
    async clear() {
      if (!shown) return;
      shown = false;
      await write(eraseLine);
    },
  };
}

function progressText(
  done: number,
  total: number | undefined,
  message: string | undefined,
  title: string,
): string {
  const figure = total ? `${Math.floor((done / total) * 100)} %  ${done} of ${total}` : `${done}`;
  return message ? `${figure}  ${message.replace(/\s+/g, " ")}` : `${title}: ${figure}`;
}
