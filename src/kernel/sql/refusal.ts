import { Failure, invalid } from "../failure.ts";
import { rejected } from "./authorizer.ts";
import type { Refusal } from "./job.ts";

/** What a statement ended in, in words that name nothing outside of it. */
export function refusalOf(error: unknown): Refusal {
  const failure = error instanceof Failure ? error : failureOf(messageOf(error));
  const { kind, code, message, hints } = failure;
  return { kind, code, message, hints };
}

export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/** One of the two drivers gives no number while rows are read, so SQLite's words decide. */
function failureOf(message: string): Failure {
  if (/^(string or blob too big|out of memory)$/.test(message)) {
    return new Failure("too-large", "too-large", "The statement makes a value that is too large.", {
      hints: ["A text or a blob may take up to 16 MB."],
    });
  }
  if (/readonly database|not authorized|authorization denied/.test(message)) return rejected();
  if (/^unable to open|disk I\/O|disk image|not a database|is locked/.test(message)) {
    return unreadableView(message);
  }
  return invalid(message.length > 300 ? `${message.slice(0, 300)}…` : message);
}

export const unreadableView = (cause: unknown): Failure =>
  new Failure("unavailable", "view-unreadable", "A lent view cannot be read now.", {
    hints: ["Ask again, or leave the view out."],
    cause,
  });
