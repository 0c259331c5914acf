import { invalid } from "../kernel/failure.ts";

/** The token that a server asks its callers for. Short enough to guess is no token. */
export function tokenFrom({
  LECTERN_TOKEN: token,
}: Readonly<Record<string, string | undefined>>): string | undefined {
  if (token === undefined || token === "") return undefined;
  if (token.length >= 8) return token;
  throw invalid("LECTERN_TOKEN needs 8 characters or more.");
}
