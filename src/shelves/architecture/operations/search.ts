import * as z from "zod";
import { operationsFor } from "../../../kernel/operation.ts";
import { textBlock } from "../../../kernel/operations/output-block.ts";
import { parseQuery, queryTokens } from "../../../text/search/query.ts";
import { createSnippet } from "../../../text/search/snippet.ts";
import { toPrintable } from "../../../text/strings/printable.ts";
import { categoryNouns } from "../knowledge/document.ts";
import { sectionUri } from "../knowledge/document-index.ts";
import type { ArchitectureState } from "../state.ts";
import { textUpTo } from "./bounded-text.ts";

const operation = operationsFor<ArchitectureState>();

const SearchResult = z.object({
  uri: z.string().describe("URI of the best section, for resources/read"),
  document: z.string().describe("URI of the whole document"),
  title: z.string(),
  resource_type: z.enum(["guideline", "pattern", "adr"]),
  relevance_score: z.number().describe("0 to 1"),
  excerpt: z.string(),
  line: z.int().describe("First line of the excerpt"),
});

export const searchArchitecture = operation({
  name: "search-architecture",
  title: "Search the architecture",
  summary:
    'Full-text search in guidelines, patterns and decisions, best first, each with its best section. "phrase" is required, -word is excluded.',
  input: z.object({
    query: textUpTo(500).describe("Words or quoted phrases to search for"),
    resource_type: z
      .enum(["guideline", "pattern", "adr", "all"])
      .default("all")
      .describe("Only documents of this type"),
    max_results: z
      .int()
      .min(1)
      .max(20)
      .default(10)
      .describe("Maximum number of results")
      .meta({ short: "n" }),
  }),
  output: z.object({
    results: z.array(SearchResult),
    total_matches: z.int().describe("Number of matching documents"),
  }),
  effect: "reads",
  expose: {
    mcp: true,
    http: "POST /architecture/search",
    cli: "architecture search <query...>",
  },
  example: { query: "lamp ledger", max_results: 2 },

  async run({ query, resource_type, max_results }, { knowledge, index }) {
    const { all } = await knowledge.read();
    const within =
      resource_type === "all"
        ? all
        : all.filter(({ category }) => categoryNouns[category] === resource_type);
    const parsedQuery = parseQuery(query);
    const matches = index.search(all, parsedQuery, within);
    const tokens = queryTokens(parsedQuery);
    const results = matches.slice(0, max_results).map(({ document, passage, score }) => {
      const { line, lines } = createSnippet(passage.text, tokens, passage.line);
      return {
        uri: sectionUri(document, line),
        document: document.uri,
        title: document.title,
        resource_type: categoryNouns[document.category],
        relevance_score: Math.round(score * 1_000) / 1_000,
        excerpt: lines.join("\n"),
        line,
      };
    });
    return { results, total_matches: matches.length };
  },

  present(output, { query }, reader) {
    if (reader !== "person") return [textBlock(JSON.stringify(output))];
    const { results, total_matches } = output;
    if (total_matches === 0) return [textBlock(`Nothing found for "${toPrintable(query)}"`)];
    const lines = results.map(
      ({ title, uri, excerpt }) => `${title}\n  ${uri}\n${excerpt.replace(/^/gm, "    ")}`,
    );
    const rest = total_matches - results.length;
    return [textBlock([...lines, ...(rest > 0 ? [`${rest} more`] : [])].join("\n\n"))];
  },
});
