import { readFileSync } from "node:fs";
import { invalid } from "../../kernel/failure.ts";

/** A token must be too long to guess. It must not contain whitespace, which a header cannot transmit. */
const isToken = (text: string): boolean => /^\S{8,}$/.test(text);

export function readTokenVariable({
  LECTERN_TOKEN: token,
}: Readonly<Record<string, string | undefined>>): string | undefined {
  if (token === undefined || token === "") return undefined;
  if (isToken(token)) return token;
  throw invalid("LECTERN_TOKEN must have at least 8 characters and no whitespace.");
}

/** Reads a token from a file that contains only the token, optionally with a line break. */
export function readTokenFile(path: string): string {
  let text: string;
  try {
    text = readFileSync(path, "utf8").trim();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw invalid(`--token-file cannot be read: the system reports ${code}.`, [
      "Pass a readable file that contains the token.",
    ]);
  }
  if (isToken(text)) return text;
  throw invalid(
    "The file of --token-file must contain one token of at least 8 characters without whitespace.",
  );
}
