import { textBlock } from "../../kernel/operations/output-block.ts";
import type { PromptSource } from "../../kernel/operations/prompt.ts";
import type { SearchState } from "./state.ts";

/** The exact text of the founding document, which clients may compare. */
const guideText = `# QMD - Quick Markdown Search

QMD is your on-device search engine for markdown knowledge bases. Use it to find information across your notes, documents, and meeting transcripts.

## Available Tools

### 1. search (Fast keyword search)
Best for: Finding documents with specific keywords or phrases.
- Uses BM25 full-text search
- Fast, no LLM required
- Good for exact matches
- Use \`collection\` parameter to filter to a specific collection

### 2. vsearch (Semantic search)
Best for: Finding conceptually related content even without exact keyword matches.
- Uses vector embeddings
- Understands meaning and context
- Good for "how do I..." or conceptual queries
- Use \`collection\` parameter to filter to a specific collection

### 3. query (Hybrid search - highest quality)
Best for: Important searches where you want the best results.
- Combines keyword + semantic search
- Expands your query with variations
- Re-ranks results with LLM
- Slower but most accurate
- Use \`collection\` parameter to filter to a specific collection

### 4. get (Retrieve document)
Best for: Getting the full content of a single document you found.
- Use the file path from search results
- Supports line ranges: \`file.md:100\` or fromLine/maxLines parameters
- Suggests similar files if not found

### 5. multi_get (Retrieve multiple documents)
Best for: Getting content from multiple files at once.
- Use glob patterns: \`journals/2025-05*.md\`
- Or comma-separated: \`file1.md, file2.md\`
- Skips files over maxBytes (default 10KB) - use get for large files

### 6. status (Index info)
Shows collection info, document counts, and embedding status.

## Resources

You can also access documents directly via the \`qmd://\` URI scheme:
- List all documents: \`resources/list\`
- Read a document: \`resources/read\` with uri \`qmd://path/to/file.md\`

## Search Strategy

1. **Start with search** for quick keyword lookups
2. **Use vsearch** when keywords aren't working or for conceptual queries
3. **Use query** for important searches or when you need high confidence
4. **Use get** to retrieve a single full document
5. **Use multi_get** to batch retrieve multiple related files

## Tips

- Use \`minScore: 0.5\` to filter low-relevance results
- Use \`collection: "notes"\` to search only in a specific collection
- Check the "Context" field - it describes what kind of content the file contains
- File paths are relative to their collection (e.g., \`pages/meeting.md\`)
- For glob patterns, match on display_path (e.g., \`journals/2025-*.md\`)`;

const description = "How to search your knowledge base with QMD, and which tool to choose";

/**
 * Statements of the guide that do not hold on this server. The guide itself is kept verbatim.
 */
function corrections({ settings, models }: SearchState): string[] {
  return [
    ...(settings.listDocuments
      ? []
      : ["`resources/list` does not list documents. Find them with `search` or `query`."]),
    ...(models.expander ? [] : ["`query` does not expand queries: no model is configured for it."]),
    ...(models.reranker
      ? ["`query` re-ranks with a small model for that purpose, not with an LLM."]
      : ["`query` does not re-rank: no model is configured for it."]),
  ];
}

/** The prompt of the founding document: how to search. */
export const searchGuide: PromptSource<SearchState> = {
  list: () => [{ name: "query", title: "QMD Query Guide", description, arguments: [] }],
  render(_name, _values, state) {
    const section = ["## On this server", "", ...corrections(state).map((line) => `- ${line}`)];
    const text = [guideText, section.join("\n")].join("\n\n");
    return { description, messages: [{ role: "user", content: textBlock(text) }] };
  },
};
