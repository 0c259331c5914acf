import { Failure } from "../failure.ts";

const code = "unsafe-database";

const consequence = ", so this database is not opened.";

/** The rejection of an untrusted database. `what` is the main clause: "It contains the trigger 'x'". */
export const unsafeDatabase = (what: string): Failure =>
  new Failure("invalid", code, what + consequence, {
    hints: ["Open it with the program that created it, and export or repair it there."],
  });

export const isUnsafeDatabase = (error: unknown): error is Failure =>
  error instanceof Failure && error.code === code;

/** The reason alone, for use inside another sentence. */
export const reasonWithoutConsequence = ({ message }: Failure): string =>
  message.charAt(0).toLowerCase() + message.slice(1).replace(consequence, "");
