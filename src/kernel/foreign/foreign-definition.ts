import { statementsIn } from "../sql/statement.ts";
import { unsafeDatabase } from "./unsafe.ts";

/**
 * Refuses a definition that computes something. What SQLite itself tells of columns and indexes is
 * asked separately; of checks it tells nothing, so their text is read.
 */
export function refuseStrangeDefinition(
  type: "table" | "index",
  sql: string,
  titled: string,
): void {
  const [statement, ...others] = statementsIn(sql);
  const words = statement?.tokens.map((token) => token.toUpperCase()) ?? [];
  const kind = words.slice(0, words[1] === "UNIQUE" ? 3 : 2).join(" ");
  const isKnown =
    type === "table" ? kind === "CREATE TABLE" : /^CREATE (UNIQUE )?INDEX$/.test(kind);
  if (!isKnown || others.length > 0) {
    throw unsafeDatabase(`It holds ${titled} with a definition that cannot be read`);
  }
  for (const [at, word] of words.entries()) {
    const problem = problemAt(words, at, word);
    if (problem) throw unsafeDatabase(`It holds ${titled} with ${problem}`);
  }
}

function problemAt(words: readonly string[], at: number, word: string): string | undefined {
  const next = words[at + 1] ?? "";
  if (word === "AS") return "a computed column";
  if (word === "WHERE") return "a condition";
  if (word === "ON" && next === "CONFLICT") return "a rule for conflicts";
  if (word === "CHECK" && !isMembership(words.slice(at + 1))) return "a check that computes";
  if (word === "COLLATE" && !isPlainCollation(next)) return "an unknown collation";
  return undefined;
}

export const isPlainCollation = (name: string): boolean =>
  /^["`[]?(BINARY|NOCASE|RTRIM)["`\]]?$/i.test(name);

/** `CHECK (visibility IN (0, 1))`: that a value is one of some constants. */
function isMembership(words: readonly string[]): boolean {
  const [open, column = "", inside, start] = words;
  if (open !== "(" || !isName(column) || inside !== "IN" || start !== "(") return false;
  const end = words.indexOf(")", 4);
  const list = words.slice(4, end);
  const isList = list.every((word, at) => (at % 2 === 0 ? isConstant(word) : word === ","));
  return end > 0 && isList && words[end + 1] === ")";
}

const isName = (word: string): boolean => /^(["`[].*|[\w\u0080-\uffff]+)$/s.test(word);

const isConstant = (word: string): boolean => /^(\d+|'[^']*(''[^']*)*')$/.test(word);
