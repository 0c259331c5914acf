import { readFileSync } from "node:fs";
import { invalid } from "../kernel/failure.ts";

/** What a server asks its callers for. Short enough to guess is no token, and a blank cannot be sent. */
const isToken = (text: string): boolean => /^\S{8,}$/.test(text);

export function tokenFrom({
  LECTERN_TOKEN: token,
}: Readonly<Record<string, string | undefined>>): string | undefined {
  if (token === undefined || token === "") return undefined;
  if (isToken(token)) return token;
  throw invalid("LECTERN_TOKEN needs 8 characters or more, and no blanks.");
}

/** The token that a file holds, alone in it save for a line end. */
export function tokenInFile(path: string): string {
  let text: string;
  try {
    text = readFileSync(path, "utf8").trim();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw invalid(`--token-file cannot be read: the system says ${code}.`, [
      "Name a file that holds the token.",
    ]);
  }
  if (isToken(text)) return text;
  throw invalid("--token-file needs to hold one token of 8 characters or more, without blanks.");
}
