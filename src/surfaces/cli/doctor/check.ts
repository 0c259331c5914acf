import { Failure } from "../../../kernel/failure.ts";
import { describeIoError } from "../../../kernel/home/io-errors.ts";

/** The result of one check. */
export interface Check {
  readonly name: string;
  readonly state: "ok" | "warn" | "fail";
  readonly says: string;
  readonly remedy?: string;
}

/** The message of an error, with system error codes translated into text. */
export function describeCheckError(error: unknown): string {
  if (error instanceof Failure) return error.message;
  const { message = "unknown" } = error as { message?: string };
  return describeIoError(error) ?? message;
}
