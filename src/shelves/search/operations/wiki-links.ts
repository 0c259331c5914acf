import * as z from "zod";
import { text } from "../../../kernel/block.ts";
import { operationsOn } from "../../../kernel/operation.ts";
import { linesOf } from "../../../text/lines.ts";
import { readPage } from "../../../text/markdown/page.ts";
import { visible } from "../../../text/visible.ts";
import { lookUp } from "../lookup.ts";
import { textOf } from "../reading.ts";
import type { SearchState } from "../state.ts";
import { wikiNamesOf } from "../wiki-names.ts";

const operation = operationsOn<SearchState>();

/** More than anybody writes by hand; what lies behind is left as it is written. */
const most = 1_000;

export const wikiLinks = operation({
  name: "wiki_links",
  title: "Wiki links",
  summary: "The links of a document by names, [[Note#Heading|shown]], and the document of each.",
  input: z.object({
    file: z.string().min(1).max(4_096).describe("Path, docid or URI"),
  }),
  output: z
    .object({
      links: z.array(
        z.object({
          name: z.string().describe("As it is written, with the heading"),
          line: z.int().describe("Where the first of this name stands"),
          file: z
            .string()
            .optional()
            .describe("What it means; none of the collection where left out"),
        }),
      ),
    })
    .meta({ json: "links" }),
  effect: "reads",
  expose: { http: "GET /wiki-links", cli: "wiki-links <file>" },
  example: { file: "handbook/lending.md" },

  run({ file }, state) {
    const { document } = lookUp(state, file);
    const { root, path } = document;
    const pathOf = wikiNamesOf(state, root);
    const lines = new Map<string, number>();
    for (const { destination, line } of readPage(linesOf(textOf(state, document))).wikiLinks) {
      if (!lines.has(destination)) lines.set(destination, line);
    }
    return {
      links: [...lines].slice(0, most).map(([name, line]) => {
        const target = pathOf(name, path);
        return { name, line, ...(target !== undefined && { file: `${root}/${target}` }) };
      }),
    };
  },

  present: ({ links }) => [
    text(
      links
        .map(({ name, line, file = "nothing of that name" }) =>
          visible(`${line}: ${name} → ${file}`),
        )
        .join("\n") || "It has no links by names.",
    ),
  ],
});

export const wikiLinkOperations = [wikiLinks];
