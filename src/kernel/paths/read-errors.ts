import { Failure } from "../failure.ts";

/** Other errors, such as too many open files, must not look like removed documents. */
const notFoundCodes = new Set(["ENOENT", "ENOTDIR", "ELOOP", "ENAMETOOLONG"]);

export const isNotFoundCode = (code: string): boolean => notFoundCodes.has(code);

/** Whether the file may exist, but its disk or mount does not answer. */
export const isUnavailableCode = (code: string): boolean =>
  !isNotFoundCode(code) && !["EACCES", "EPERM", ""].includes(code);

export const unavailableFile = (name: string, code: string): Failure =>
  new Failure("unavailable", "unreadable", `'${name}' cannot be read: ${explainErrorCode(code)}.`, {
    hints: ["Reconnect the mount, or check the disk."],
  });

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
