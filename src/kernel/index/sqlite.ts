import { type Query, wantedTokens } from "../../text/query.ts";
import { tokensOf } from "../../text/tokens.ts";
import type { Database } from "../database.ts";
import type { Index, Match, MatchOptions, Passage } from "./contract.ts";
import { type RawHit, scoresOf } from "./score.ts";

/**
 * The tables of one shelf's index. The full-text table keeps no copy of its words (`content=''`):
 * they are our tokens, and the passage itself stands beside it.
 */
export const indexTables = (shelf: string): string => `
  CREATE TABLE ${shelf}_passages (
    id INTEGER PRIMARY KEY,
    document INTEGER NOT NULL,
    line INTEGER NOT NULL,
    end_line INTEGER NOT NULL,
    about TEXT NOT NULL,
    text TEXT NOT NULL
  );
  CREATE INDEX ${shelf}_passages_by_document ON ${shelf}_passages (document);
  CREATE VIRTUAL TABLE ${shelf}_words USING fts5(
    title, headings, path, body,
    content = '', contentless_delete = 1,
    tokenize = "unicode61 remove_diacritics 0 categories 'L* N* Co M*' tokenchars '_'"
  );`;

/** What a word is worth by where it stands: title, headings, path, body. */
const weights = "4.0, 2.0, 1.5, 1.0";

export function openIndex(db: Database, shelf: string): Index {
  return {
    put(document, { title, path, passages }) {
      this.remove(document);
      const shared = { title, path, titleTokens: joined(title), pathTokens: joined(path) };
      for (const passage of passages) insert(document, passage, shared);
    },
    remove(document) {
      db.run(
        `DELETE FROM ${shelf}_words WHERE rowid IN
           (SELECT id FROM ${shelf}_passages WHERE document = ?)`,
        document,
      );
      db.run(`DELETE FROM ${shelf}_passages WHERE document = ?`, document);
    },
    match(query, options) {
      const expression = expressionFor(query);
      if (!expression) return [];
      const wanted = wantedTokens(query);
      const rows = bestPassages(expression, options);
      const scores = scoresOf(rows.map(rawHit), wanted);
      return rows.map(({ document, line, endLine, text }, place) => ({
        document,
        score: scores[place] ?? 0,
        passage: { line, endLine, text },
      }));
    },
    count: () =>
      db.get<{ count: number }>(`SELECT count(*) AS count FROM ${shelf}_passages`)?.count ?? 0,
  };

  function insert(document: number, passage: Passage, shared: Shared) {
    const headings = passage.headings.join(" ");
    const { lastId } = db.run(
      `INSERT INTO ${shelf}_passages (document, line, end_line, about, text) VALUES (?, ?, ?, ?, ?)`,
      document,
      passage.line,
      passage.endLine,
      [shared.title, headings, shared.path].join("\n"),
      passage.text,
    );
    db.run(
      `INSERT INTO ${shelf}_words (rowid, title, headings, path, body) VALUES (?, ?, ?, ?, ?)`,
      lastId,
      shared.titleTokens,
      joined(headings),
      shared.pathTokens,
      joined(passage.text),
    );
  }

  /** bm25() cannot stand in an aggregate, so the scores are made first and then grouped. */
  function bestPassages(expression: string, { limit, roots }: MatchOptions): Row[] {
    return db.all<Row>(
      `WITH hits AS MATERIALIZED (
         SELECT rowid AS id, bm25(${shelf}_words, ${weights}) AS rank
           FROM ${shelf}_words WHERE ${shelf}_words MATCH ?1
       ), best AS (
         SELECT passage.document, hits.id, min(hits.rank) AS rank
           FROM hits
           JOIN ${shelf}_passages AS passage ON passage.id = hits.id
           JOIN documents ON documents.id = passage.document
          WHERE ?2 IS NULL OR documents.root IN (SELECT value FROM json_each(?2))
          GROUP BY passage.document
          ORDER BY rank, passage.document
          LIMIT ?3
       )
       SELECT best.document, best.rank, passage.line, passage.end_line AS endLine,
              passage.about, passage.text
         FROM best JOIN ${shelf}_passages AS passage ON passage.id = best.id
        ORDER BY best.rank, best.document`,
      expression,
      roots ? JSON.stringify(roots) : null,
      limit,
    );
  }
}

type Row = Match["passage"] & {
  document: number;
  /** FTS5 counts downwards: the best match has the lowest. */
  rank: number;
  /** Title, headings and path, whose words count too. */
  about: string;
};

/** What all passages of a document share. */
interface Shared {
  title: string;
  path: string;
  titleTokens: string;
  pathTokens: string;
}

const rawHit = ({ rank, about, text }: Row): RawHit => ({
  weight: -rank,
  tokens: new Set(tokensOf(`${about}\n${text}`)),
});

const joined = (text: string): string => tokensOf(text).join(" ");

/**
 * Words are joined by OR and ranked by how many of them are there: joined by AND, a question of
 * eight words finds nothing. Phrases are asked for on top of that.
 *
 * ```
 * tea "green leaf" -milk   →   ("green leaf" AND ("tea" OR "green leaf")) NOT "milk"
 * ```
 */
function expressionFor(query: Query): string | undefined {
  const [words, phrases, without] = [query.words, query.phrases, query.without].map((texts) =>
    [...new Set(texts.map(phraseOf))].filter((phrase) => phrase !== "").slice(0, mostTerms),
  ) as [string[], string[], string[]];
  const wanted = [...words, ...phrases];
  if (wanted.length === 0) return undefined;
  const either = `(${wanted.join(" OR ")})`;
  const positive = words.length > 0 || phrases.length === 0 ? [...phrases, either] : phrases;
  const excluded = without.length > 0 ? ` NOT (${without.join(" OR ")})` : "";
  return `(${positive.join(" AND ")})${excluded}`;
}

/** Every term costs a walk through its places, so a page pasted as a query is cut to its beginning. */
const mostTerms = 64;

/** What people write as one word may be several tokens, which then belong together. */
function phraseOf(text: string): string {
  const tokens = tokensOf(text);
  return tokens.length === 0 ? "" : `"${tokens.join(" ")}"`;
}
