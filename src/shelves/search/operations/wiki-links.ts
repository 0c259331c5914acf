import * as z from "zod";
import { operationsFor } from "../../../kernel/operation.ts";
import { textBlock } from "../../../kernel/operations/output-block.ts";
import { parseMarkdownPage } from "../../../text/markdown/page.ts";
import { splitLines } from "../../../text/strings/lines.ts";
import { toPrintable } from "../../../text/strings/printable.ts";
import { readDocumentText } from "../documents/document-text.ts";
import { lookUpDocument } from "../documents/lookup.ts";
import { createWikiLinkResolver } from "../documents/wiki-link-resolver.ts";
import type { SearchState } from "../state.ts";

const operation = operationsFor<SearchState>();

/** The maximum number of links in the result; only generated pages have more. */
const maxLinks = 1_000;

export const listWikiLinks = operation({
  name: "wiki_links",
  title: "List wiki links",
  summary: "List the wiki links of a document, [[Note#Heading|text]], with their target documents.",
  input: z.object({
    file: z.string().min(1).max(4_096).describe("Path, docid or URI"),
  }),
  output: z
    .object({
      links: z.array(
        z.object({
          name: z.string().describe("As written, including the heading"),
          line: z.int().describe("Line of the first link with this name"),
          file: z.string().optional().describe("The target; omitted if no document matches"),
        }),
      ),
    })
    .meta({ json: "links" }),
  effect: "reads",
  expose: { http: "GET /wiki-links", cli: "wiki-links <file>" },
  example: { file: "handbook/lending.md" },

  *run({ file }, state) {
    const { document } = yield* lookUpDocument(state, file);
    const { root, path } = document;
    const pathOf = createWikiLinkResolver(root);
    const lines = new Map<string, number>();
    const text = yield* readDocumentText(state, document);
    for (const { destination, line } of parseMarkdownPage(splitLines(text)).wikiLinks) {
      if (!lines.has(destination)) lines.set(destination, line);
    }
    const links: { name: string; line: number; file?: string }[] = [];
    for (const [name, line] of [...lines].slice(0, maxLinks)) {
      const target = yield* pathOf(name, path);
      links.push({ name, line, ...(target !== undefined && { file: `${root}/${target}` }) });
    }
    return { links };
  },

  present: ({ links }) => [
    textBlock(
      links
        .map(({ name, line, file = "no matching document" }) =>
          toPrintable(`${line}: ${name} → ${file}`),
        )
        .join("\n") || "No wiki links.",
    ),
  ],
});

export const wikiLinkOperations = [listWikiLinks];
