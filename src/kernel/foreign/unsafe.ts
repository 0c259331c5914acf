import { Failure } from "../failure.ts";

const code = "unsafe-database";

const consequence = ", so this database is not opened.";

/** Refuses a database that somebody else wrote; `what` is the beginning of a sentence. */
export const unsafeDatabase = (what: string): Failure =>
  new Failure("invalid", code, what + consequence, {
    hints: ["Open it with the program that made it, and export or repair it there."],
  });

export const isUnsafeDatabase = (error: unknown): error is Failure =>
  error instanceof Failure && error.code === code;

/** The reason alone, to stand inside another sentence. */
export const unsafeReason = ({ message }: Failure): string =>
  message.charAt(0).toLowerCase() + message.slice(1).replace(consequence, "");
