import { Failure } from "../../kernel/failure.ts";
import { newHash } from "../../kernel/hashing.ts";

/** A mark of what a preview has shown: another state has another mark. */
export const markOf = (shown: unknown): string =>
  newHash().update(JSON.stringify(shown)).digest("base64url").slice(0, 16);

const staleCode = "PREVIEW_STALE";

/** What somebody is about to confirm is no longer what they were shown. */
export const stale = (message: string, hint: string): Failure =>
  new Failure("conflict", staleCode, message, { hints: [hint] });

export const isStale = (error: unknown): boolean =>
  error instanceof Failure && error.code === staleCode;

/** Who confirms a preview by its mark gets exactly what it showed, or nothing. */
export function refuseStale(mark: string, given: string | undefined): void {
  if (given === undefined || given === mark) return;
  throw stale("This is not what the preview showed any more.", "Ask for the preview again.");
}
