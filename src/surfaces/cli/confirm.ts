import { createInterface } from "node:readline/promises";
import type { Readable, Writable } from "node:stream";

/** Asks a question on a terminal. Enter means yes; the end of the input means no. */
export type Confirm = (question: string) => Promise<boolean>;

export const openConfirm =
  (input: Readable, output: Writable): Confirm =>
  async (question) => {
    const lines = createInterface({ input, output });
    try {
      const closed = new Promise<string>((resolve) => lines.once("close", () => resolve("n")));
      const answer = await Promise.race([lines.question(`${question} [Y/n] `), closed]);
      return /^(?:y|yes|)$/i.test(answer.trim());
    } finally {
      lines.close();
    }
  };
