import * as z from "zod";
import { text } from "../../../kernel/block.ts";
import { mayShow } from "../../../kernel/enclosure.ts";
import { operationsOn, type Reader } from "../../../kernel/operation.ts";
import { counted } from "../../../text/counted.ts";
import { numbered } from "../../../text/lines.ts";
import { readQuery, wantedTokens } from "../../../text/query.ts";
import { excerpt } from "../../../text/snippet.ts";
import { visible } from "../../../text/visible.ts";
import { contextOf } from "../contexts.ts";
import type { SearchState } from "../state.ts";
import { documentWithId, shortHash } from "../storage.ts";
import { collectionNamed } from "./collections.ts";

const operation = operationsOn<SearchState>();

const SearchHit = z.object({
  docid: z.string().describe("Short id; `get` takes it"),
  file: z.string().describe("collection/path; `get` takes it"),
  title: z.string(),
  score: z.number().describe("0 to 1"),
  context: z.string().nullable().describe("What people say of the folder it lies in"),
  snippet: z.string().describe("The best passage, with the file's own line numbers"),
});

type SearchHit = z.infer<typeof SearchHit>;

export const search = operation({
  name: "search",
  title: "Keyword search",
  summary:
    'Find documents by keyword. Fast and exact; needs no model. "quoted phrases" must be there, -words must not.',
  input: z.object({
    query: z.string().trim().min(1).max(10_000).describe("Words or quoted phrases to look for"),
    limit: z.int().min(1).max(1_000).default(10).describe("Most results").meta({ short: "n" }),
    minScore: z.number().min(0).max(1).default(0).describe("Least score, 0 to 1"),
    collection: z.string().optional().describe("Look only in this collection").meta({ short: "c" }),
  }),
  output: z.object({ results: z.array(SearchHit) }).meta({ json: "results" }),
  effect: "reads",
  expose: { mcp: true, http: "POST /search", cli: "search <query...>" },
  example: { query: "borrowing a copy", limit: 2 },

  run({ query, limit, minScore, collection }, state) {
    const { db, index, config } = state;
    const settings = config.read();
    if (collection !== undefined) collectionNamed(settings, collection);
    const asked = readQuery(query);
    const wanted = wantedTokens(asked);
    const roots = collection === undefined ? undefined : [collection];
    // A passage and what is known of its document are of one moment.
    const results = db.snapshot(() =>
      index.match(asked, { limit, roots }).flatMap(({ document, score, passage }) => {
        const found = score >= minScore && documentWithId(db, document);
        if (!found || !mayShow(state, found)) return [];
        const { line, lines } = excerpt(passage.text, wanted, passage.line);
        return {
          docid: `#${shortHash(db, found.hash)}`,
          file: `${found.root}/${found.path}`,
          title: found.title,
          score: Math.round(score * 100) / 100,
          context: contextOf(settings, found.root, found.path),
          snippet: numbered(lines, line),
        };
      }),
    );
    return { results };
  },

  present: ({ results }, { query }, reader) => [text(hitList(results, query, reader))],
});

export const searchingOperations = [search];

/** Agents read one line a hit, programs a paragraph a hit; people see the passage too. */
function hitList(results: readonly SearchHit[], query: string, reader: Reader): string {
  if (results.length === 0) return `No results found for "${query}"`;
  const found = `Found ${counted(results.length, "result")} for "${query}"`;
  const lines = results.map(
    ({ docid, score, file, title }) =>
      `${docid} ${Math.round(score * 100)}% ${visible(file)} - ${title}`,
  );
  if (reader === "agent") return `${found}:\n\n${lines.join("\n")}`;
  if (reader === "program") return [found, ...lines].join("\n\n");
  return results.map(({ snippet }, index) => `${lines[index]}\n${indented(snippet)}`).join("\n\n");
}

const indented = (words: string): string => words.replace(/^/gm, "    ");
