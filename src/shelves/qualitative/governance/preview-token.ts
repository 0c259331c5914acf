import { Failure } from "../../../kernel/failure.ts";
import { createSha256 } from "../../../kernel/files/hashes.ts";

/** A short SHA-256 digest of a JSON value, for preview tokens and row comparison. */
export const digestOf = (value: unknown): string =>
  createSha256().update(JSON.stringify(value)).digest("base64url").slice(0, 16);

const staleCode = "PREVIEW_STALE";

/** The failure of a confirmation whose preview or proposal is out of date. */
export const staleFailure = (message: string, hint: string): Failure =>
  new Failure("conflict", staleCode, message, { hints: [hint] });

export const isStaleFailure = (error: unknown): boolean =>
  error instanceof Failure && error.code === staleCode;

/** Fails if the project has changed since the preview that returned this token. */
export function assertNotStale(currentToken: string, previewToken: string | undefined): void {
  if (previewToken === undefined || previewToken === currentToken) return;
  throw staleFailure("The preview is out of date.", "Request the preview again.");
}
