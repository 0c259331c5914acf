import { Failure } from "../../kernel/failure.ts";
import { troubleInWords } from "../../kernel/trouble.ts";

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
  const { message = "unknown" } = error as { message?: string };
  return troubleInWords(error) ?? message;
}
