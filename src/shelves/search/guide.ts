import { text } from "../../kernel/block.ts";
import type { PromptSource } from "../../kernel/prompt.ts";
import type { SearchState } from "./state.ts";

const words = `# Searching this library

Documents are searched where they lie; nothing leaves this machine.

1. \`search\` finds passages by their words. Put quotes around a phrase that must be there and a
   minus before a word that must not. \`collection\` looks in one collection only, \`minScore: 0.5\`
   leaves out what matches weakly.
2. \`get\` reads a document that you found: by its \`file\`, by its docid (\`#abc123\`), or from a line
   on (\`file.md:120\` with \`maxLines\`).
3. \`multi_get\` reads several at once, by glob (\`journals/2026-*.md\`) or by a list with commas.
4. \`status\` says which collections there are and how many documents they hold.

The context of a result is what people wrote about its folder. Documents can also be read as
resources: \`qmd://collection/path\`.
`;

/** The one prompt of the founding document: how to search well. */
export const guide: PromptSource<SearchState> = {
  list: () => [
    {
      name: "query",
      title: "How to search",
      description: "How to search this library of documents well",
      arguments: [],
    },
  ],
  render: () => ({
    description: "How to search this library of documents well",
    messages: [{ role: "user", content: text(words) }],
  }),
};
