import { Failure, invalid } from "../failure.ts";
import { writeDenied } from "./authorizer.ts";
import type { SerializedFailure } from "./job.ts";

/** The error of a statement, as a message without details of the server. */
export function serializeFailure(error: unknown): SerializedFailure {
  const failure = error instanceof Failure ? error : failureOfSqliteMessage(errorMessage(error));
  const { kind, code, message, hints } = failure;
  return { kind, code, message, hints };
}

export const errorMessage = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/** Classified by message, because one of the two drivers sets no error code while reading rows. */
function failureOfSqliteMessage(message: string): Failure {
  if (/^(string or blob too big|out of memory)$/.test(message)) {
    return new Failure("too-large", "too-large", "A value of the statement is too large.", {
      hints: ["A text or a blob may take up to 16 MB."],
    });
  }
  if (/readonly database|not authorized|authorization denied/.test(message)) return writeDenied();
  if (/^unable to open|disk I\/O|disk image|not a database|is locked/.test(message)) {
    return unreadableView(message);
  }
  return invalid(message.length > 300 ? `${message.slice(0, 300)}…` : message);
}

export const unreadableView = (cause: unknown): Failure =>
  new Failure("unavailable", "view-unreadable", "A view cannot be read at the moment.", {
    hints: ["Try again, or leave the view out of the statement."],
    cause,
  });
