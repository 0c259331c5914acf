import { Failure, noPermission } from "../failure.ts";

/** Other errors, such as too many open files, must not look like removed documents. */
const notFoundCodes = new Set(["ENOENT", "ENOTDIR", "ELOOP", "ENAMETOOLONG"]);

export const isNotFoundCode = (code: string): boolean => notFoundCodes.has(code);

/** The failure of a call that could not reach a file which may exist; undefined if it does not. */
export function unreachableFile(name: string, code: string): Failure | undefined {
  if (code === "" || isNotFoundCode(code)) return undefined;
  if (isDeniedCode(code)) return noPermission(`No permission to read '${name}'.`);
  const message = `'${name}' cannot be read: ${explainErrorCode(code)}.`;
  return new Failure("unavailable", "unreadable", message, {
    hints: ["Reconnect the mount, or check the disk."],
  });
}

export const isDeniedCode = (code: string): boolean => code === "EACCES" || code === "EPERM";

/** Why the system could not read a file: `its mount is not connected (ENOTCONN)`. */
export function explainErrorCode(code: string): string {
  const reason = reasons[code];
  return reason ? `${reason} (${code})` : `the system reports ${code}`;
}

const reasons: Readonly<Record<string, string>> = {
  EHOSTDOWN: "its server does not answer",
  EHOSTUNREACH: "its server does not answer",
  EIO: "the disk or the connection failed",
  EMFILE: "too many files are open",
  ENFILE: "too many files are open",
  ENOMEM: "there is not enough memory",
  ENOTCONN: "its mount is not connected",
  ESTALE: "its mount is stale",
  ETIMEDOUT: "its server does not answer",
};
