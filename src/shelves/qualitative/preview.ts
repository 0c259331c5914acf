import { createHash } from "node:crypto";
import { Failure } from "../../kernel/failure.ts";

/** A mark of what a preview has shown: another state has another mark. */
export const markOf = (shown: unknown): string =>
  createHash("sha256").update(JSON.stringify(shown)).digest("base64url").slice(0, 16);

/** Who confirms a preview by its mark gets exactly what it showed, or nothing. */
export function refuseStale(mark: string, given: string | undefined): void {
  if (given === undefined || given === mark) return;
  throw new Failure("conflict", "PREVIEW_STALE", "This is not what the preview showed any more.", {
    hints: ["Ask for the preview again."],
  });
}
