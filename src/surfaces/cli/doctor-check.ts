import { Failure } from "../../kernel/failure.ts";

/** One line of what the doctor says. */
export interface Check {
  readonly name: string;
  readonly state: "ok" | "warn" | "fail";
  readonly says: string;
  readonly remedy?: string;
}

/** What is wrong, in words; systems have codes for it. */
export function complaintOf(error: unknown): string {
  if (error instanceof Failure) return error.message;
  const { code, message } = error as { code?: string; message?: string };
  const words: Record<string, string | undefined> = {
    EACCES: "no permission",
    EPERM: "no permission",
    EROFS: "the disk is read-only",
    ENOSPC: "the disk is full",
    ENOTDIR: "no folder",
  };
  return words[code ?? ""] ?? message ?? "unknown";
}
