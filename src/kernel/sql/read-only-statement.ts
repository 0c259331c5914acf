import { Failure, invalid } from "../failure.ts";

/** Longer statements are generated, and compiling them is slow. */
const maxLength = 100_000;

/**
 * Returns the single read-only statement of a text; throws if there is none or another statement.
 * This check only provides clear error messages: writes are prevented by the connection that runs
 * the statement.
 */
export function parseReadOnlyStatement(sql: string): string {
  if (sql.length > maxLength) {
    throw new Failure(
      "too-large",
      "too-large",
      `The SQL statement is longer than ${maxLength} characters.`,
    );
  }
  if (sql.includes("\0")) throw invalid("The SQL statement must not contain the character U+0000.");
  const statements = splitStatements(sql);
  const [first] = statements;
  if (!first) throw invalid("empty SQL statement");
  for (const { tokens } of statements) {
    const kind = writeKindOf(tokens);
    if (kind) throw notReadOnly(kind);
  }
  if (statements.length > 1) {
    throw invalid("The text contains more than one SQL statement.", [
      "Send each one in a separate call.",
    ]);
  }
  const parameter = first.tokens.find((token) => /^(\?|[:@$]\w)/.test(token));
  if (parameter) {
    throw invalid(`The SQL parameter ${parameter} has no value.`, [
      "Parameters are not supported: write the value into the statement.",
    ]);
  }
  return sql.slice(first.start, first.end);
}

const notReadOnly = (kind: string): Failure =>
  new Failure("forbidden", "not-read-only", `statement is not read-only: ${kind}`, {
    hints: ["Use SELECT, VALUES, WITH … SELECT, or EXPLAIN of one of these."],
  });

export interface SqlStatement {
  start: number;
  end: number;
  /** Without whitespace and comments. */
  tokens: string[];
}

/**
 * The subset of SQLite's tokens that matters here. An unclosed string, quoted name or comment
 * extends to the end, and every non-ASCII character is part of a name.
 */
const tokenPattern =
  /(?<blank>[ \t\n\f\r\ufeff]+|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$))|'[^']*(?:''[^']*)*'?|"[^"]*(?:""[^"]*)*"?|`[^`]*(?:``[^`]*)*`?|\[[^\]]*\]?|[?:@$][\w$\u0080-\uffff]*|[\w\u0080-\uffff][\w$\u0080-\uffff]*|[\s\S]/g;

/** Splits a text into statements at semicolons, using SQLite's tokens. */
export function splitStatements(sql: string): SqlStatement[] {
  const statements: SqlStatement[] = [];
  let current: SqlStatement | undefined;
  for (const match of sql.matchAll(tokenPattern)) {
    const [token] = match;
    if (match.groups?.blank !== undefined) continue;
    if (token === ";") {
      current = undefined;
      continue;
    }
    if (!current) {
      current = { start: match.index, end: match.index, tokens: [] };
      statements.push(current);
    }
    current.tokens.push(token);
    current.end = match.index + token.length;
  }
  return statements;
}

/** The kinds of write statements by their first keyword. REPLACE is an alias of INSERT. */
const writeKeywords: Readonly<Record<string, string>> = {
  ALTER: "AlterTable",
  ANALYZE: "Analyze",
  ATTACH: "Attach",
  BEGIN: "Begin",
  CALL: "Call",
  COMMIT: "Commit",
  COPY: "Copy",
  DELETE: "Delete",
  DETACH: "Detach",
  DROP: "Drop",
  END: "Commit",
  GRANT: "Grant",
  INSERT: "Insert",
  MERGE: "Merge",
  PRAGMA: "Pragma",
  REINDEX: "Reindex",
  RELEASE: "Release",
  REPLACE: "Insert",
  REVOKE: "Revoke",
  ROLLBACK: "Rollback",
  SAVEPOINT: "Savepoint",
  SET: "Set",
  TRUNCATE: "Truncate",
  UPDATE: "Update",
  VACUUM: "Vacuum",
};

const createKinds: Readonly<Record<string, string>> = {
  INDEX: "CreateIndex",
  TRIGGER: "CreateTrigger",
  VIEW: "CreateView",
  VIRTUAL: "CreateVirtualTable",
};

/** `undefined` for statements that only read, and for invalid ones, which SQLite reports better. */
function writeKindOf(tokens: readonly string[]): string | undefined {
  const keywords = tokens.map((token) => token.toUpperCase());
  let at = 0;
  if (keywords[0] === "EXPLAIN") at = keywords[1] === "QUERY" && keywords[2] === "PLAN" ? 3 : 1;
  if (keywords[at] === "WITH") at = indexAfterWith(keywords, at);
  const keyword = keywords[at] ?? "";
  if (keyword !== "CREATE")
    return Object.hasOwn(writeKeywords, keyword) ? writeKeywords[keyword] : undefined;
  const object = keywords.slice(at + 1).find((next) => !/^(TEMP|TEMPORARY|UNIQUE)$/.test(next));
  return createKinds[object ?? ""] ?? "CreateTable";
}

/** Each CTE ends with a closing parenthesis. After the last one comes the verb, not AS or a comma. */
function indexAfterWith(keywords: readonly string[], from: number): number {
  let depth = 0;
  for (let at = from; at < keywords.length; at++) {
    if (keywords[at] === "(") depth++;
    if (keywords[at] !== ")" || --depth !== 0) continue;
    if (!/^(AS|,)$/.test(keywords[at + 1] ?? "")) return at + 1;
  }
  return keywords.length;
}
