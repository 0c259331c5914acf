import { invalid } from "../kernel/failure.ts";

/**
 * The token that a server asks its callers for. Short enough to guess is no token, and one with a
 * blank cannot be sent.
 */
export function tokenFrom({
  LECTERN_TOKEN: token,
}: Readonly<Record<string, string | undefined>>): string | undefined {
  if (token === undefined || token === "") return undefined;
  if (/^\S{8,}$/.test(token)) return token;
  throw invalid("LECTERN_TOKEN needs 8 characters or more, and no blanks.");
}
