import { Failure, invalid } from "../failure.ts";

/** Longer ones are made by programs; compiling them takes time that no deadline of a row counts. */
const mostLetters = 100_000;

/**
 * The one statement of a text, if it only reads; every other text is refused by what it is. This
 * gives the words; that nothing is written is seen to by the connection that runs it.
 */
export function readingStatement(sql: string): string {
  if (sql.length > mostLetters) {
    throw new Failure(
      "too-large",
      "too-large",
      `The SQL statement is longer than ${mostLetters} characters.`,
    );
  }
  if (sql.includes("\0")) throw invalid("The SQL statement must not hold the character U+0000.");
  const statements = statementsIn(sql);
  const [first] = statements;
  if (!first) throw invalid("empty SQL statement");
  for (const { tokens } of statements) {
    const kind = writingKind(tokens);
    if (kind) throw notReadOnly(kind);
  }
  if (statements.length > 1) {
    throw invalid("Only one SQL statement is run at a time.", ["Send each in a call of its own."]);
  }
  const parameter = first.tokens.find((token) => /^(\?|[:@$]\w)/.test(token));
  if (parameter) {
    throw invalid(`The SQL parameter ${parameter} has no value.`, [
      "Write the value itself into the statement.",
    ]);
  }
  return sql.slice(first.start, first.end);
}

const notReadOnly = (kind: string): Failure =>
  new Failure("forbidden", "not-read-only", `statement is not read-only: ${kind}`, {
    hints: ["Only SELECT, VALUES, WITH … SELECT and EXPLAIN of these are run."],
  });

export interface Statement {
  start: number;
  end: number;
  /** Without blanks and comments. */
  tokens: string[];
}

/**
 * SQLite's tokens, as far as they matter here: what opens a string, a quoted name or a comment
 * without closing it reaches to the end, and letters beyond ASCII belong to names.
 */
const tokenPattern =
  /(?<blank>[ \t\n\f\r\ufeff]+|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$))|'[^']*(?:''[^']*)*'?|"[^"]*(?:""[^"]*)*"?|`[^`]*(?:``[^`]*)*`?|\[[^\]]*\]?|[?:@$][\w$\u0080-\uffff]*|[\w\u0080-\uffff][\w$\u0080-\uffff]*|[\s\S]/g;

/** The statements of a text, by SQLite's tokens. */
export function statementsIn(sql: string): Statement[] {
  const statements: Statement[] = [];
  let current: Statement | undefined;
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

/** Statements that do more than read, by their first word; `REPLACE` is one of two names. */
const writingWords: Readonly<Record<string, string>> = {
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

const creations: Readonly<Record<string, string>> = {
  INDEX: "CreateIndex",
  TRIGGER: "CreateTrigger",
  VIEW: "CreateView",
  VIRTUAL: "CreateVirtualTable",
};

/** `undefined` for what reads, and for what is no statement: SQLite has better words for that. */
function writingKind(tokens: readonly string[]): string | undefined {
  const words = tokens.map((token) => token.toUpperCase());
  let at = 0;
  if (words[at] === "EXPLAIN") at += words[1] === "QUERY" && words[2] === "PLAN" ? 3 : 1;
  if (words[at] === "WITH") at = placeBehindWith(words, at);
  const word = words[at] ?? "";
  if (word !== "CREATE") return Object.hasOwn(writingWords, word) ? writingWords[word] : undefined;
  const what = words.slice(at + 1).find((next) => !/^(TEMP|TEMPORARY|UNIQUE)$/.test(next));
  return creations[what ?? ""] ?? "CreateTable";
}

/** Each table of a WITH ends in a parenthesis, and only the last one is followed by a verb. */
function placeBehindWith(words: readonly string[], from: number): number {
  let depth = 0;
  for (let at = from; at < words.length; at++) {
    if (words[at] === "(") depth++;
    if (words[at] === ")" && --depth === 0 && !/^(AS|,)$/.test(words[at + 1] ?? "")) return at + 1;
  }
  return words.length;
}
