import * as z from "zod";
import { text } from "../../../kernel/block.ts";
import { operationsOn } from "../../../kernel/operation.ts";
import { readQuery, wantedTokens } from "../../../text/query.ts";
import { excerpt } from "../../../text/snippet.ts";
import { visible } from "../../../text/visible.ts";
import { nounOf } from "../document.ts";
import { sectionUri } from "../document-index.ts";
import type { ArchitectureState } from "../state.ts";
import { lettersUpTo } from "./letters.ts";

const operation = operationsOn<ArchitectureState>();

const Found = z.object({
  uri: z.string().describe("The section that fits best; resources/read takes it"),
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
    'Find guidelines, patterns and decisions by their words, best first, with the section that fits. "quoted phrases" must be there, -words must not.',
  input: z.object({
    query: lettersUpTo(500).describe("Words or quoted phrases to look for"),
    resource_type: z
      .enum(["guideline", "pattern", "adr", "all"])
      .default("all")
      .describe("Look only among these"),
    max_results: z.int().min(1).max(20).default(10).describe("Most results").meta({ short: "n" }),
  }),
  output: z.object({
    results: z.array(Found),
    total_matches: z.int().describe("How many documents fit in all"),
  }),
  effect: "reads",
  expose: {
    mcp: true,
    http: "POST /architecture/search",
    cli: "architecture search <query...>",
  },
  example: { query: "lamp ledger", max_results: 2 },

  async run({ query, resource_type, max_results }, { knowledge, index }) {
    const { all } = await knowledge.now();
    const within =
      resource_type === "all"
        ? all
        : all.filter(({ category }) => nounOf[category] === resource_type);
    const asked = readQuery(query);
    const found = index.find(all, asked, within);
    const wanted = wantedTokens(asked);
    const results = found.slice(0, max_results).map(({ document, passage, score }) => {
      const { line, lines } = excerpt(passage.text, wanted, passage.line);
      return {
        uri: sectionUri(document, line),
        document: document.uri,
        title: document.title,
        resource_type: nounOf[document.category],
        relevance_score: Math.round(score * 1_000) / 1_000,
        excerpt: lines.join("\n"),
        line,
      };
    });
    return { results, total_matches: found.length };
  },

  present(output, { query }, reader) {
    if (reader !== "person") return [text(JSON.stringify(output))];
    const { results, total_matches } = output;
    if (total_matches === 0) return [text(`Nothing found for "${visible(query)}"`)];
    const lines = results.map(
      ({ title, uri, excerpt }) => `${title}\n  ${uri}\n${excerpt.replace(/^/gm, "    ")}`,
    );
    const rest = total_matches - results.length;
    return [text([...lines, ...(rest > 0 ? [`${rest} more`] : [])].join("\n\n"))];
  },
});
