import { splitStatements } from "../sql/read-only-statement.ts";
import { unsafeDatabase } from "./unsafe-database.ts";

/**
 * Rejects a definition that evaluates expressions. Columns and indexes are also checked with
 * pragmas. There is no pragma for CHECK constraints, so the text of the definition is parsed.
 */
export function assertPlainDefinition(type: "table" | "index", sql: string, label: string): void {
  const [statement, ...others] = splitStatements(sql);
  const tokens = statement?.tokens.map((token) => token.toUpperCase()) ?? [];
  const kind = tokens.slice(0, tokens[1] === "UNIQUE" ? 3 : 2).join(" ");
  const isKnown =
    type === "table" ? kind === "CREATE TABLE" : /^CREATE (UNIQUE )?INDEX$/.test(kind);
  if (!isKnown || others.length > 0) {
    throw unsafeDatabase(`It contains ${label} with a definition that cannot be read`);
  }
  for (const [at, token] of tokens.entries()) {
    const problem = problemAt(tokens, at, token);
    if (problem) throw unsafeDatabase(`It contains ${label} with ${problem}`);
  }
}

function problemAt(tokens: readonly string[], at: number, token: string): string | undefined {
  const next = tokens[at + 1] ?? "";
  if (token === "AS") return "a generated column";
  if (token === "WHERE") return "a WHERE clause";
  if (token === "ON" && next === "CONFLICT") return "an ON CONFLICT clause";
  if (token === "CHECK" && !isMembership(tokens.slice(at + 1)))
    return "an unsupported CHECK constraint";
  if (token === "COLLATE" && !isBuiltInCollation(next)) return "an unknown collation";
  return undefined;
}

export const isBuiltInCollation = (name: string): boolean =>
  /^["`[]?(BINARY|NOCASE|RTRIM)["`\]]?$/i.test(name);

/** Whether the tokens after CHECK only test a column against constants: `(visibility IN (0, 1))`. */
function isMembership(tokens: readonly string[]): boolean {
  const [open, column = "", operator, listOpen] = tokens;
  if (open !== "(" || !isName(column) || operator !== "IN" || listOpen !== "(") return false;
  const end = tokens.indexOf(")", 4);
  const list = tokens.slice(4, end);
  const isList = list.every((token, at) => (at % 2 === 0 ? isConstant(token) : token === ","));
  return end > 0 && isList && tokens[end + 1] === ")";
}

const isName = (token: string): boolean => /^(["`[].*|[\w\u0080-\uffff]+)$/s.test(token);

const isConstant = (token: string): boolean => /^(\d+|'[^']*(''[^']*)*')$/.test(token);
