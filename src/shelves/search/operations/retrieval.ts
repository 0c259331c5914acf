import * as z from "zod";
import { resource } from "../../../kernel/block.ts";
import { notFound } from "../../../kernel/failure.ts";
import { operationsOn } from "../../../kernel/operation.ts";
import { sectionAt } from "../../../text/anchors.ts";
import { counted } from "../../../text/counted.ts";
import { headingsOf, titleOf } from "../../../text/headings.ts";
import { lineRange, linesOf, numbered } from "../../../text/lines.ts";
import { visible } from "../../../text/visible.ts";
import { contextOf } from "../contexts.ts";
import { type Found, lookUpSoon, type NamedPart } from "../lookup.ts";
import { textOf } from "../reading.ts";
import type { SearchState } from "../state.ts";
import { uriOf } from "../uri.ts";

const operation = operationsOn<SearchState>();

/** A document as MCP and REST both print it; its keys are the protocol's own. */
export const DocumentContent = z
  .object({
    uri: z.string(),
    name: z.string(),
    title: z.string(),
    mimeType: z.string(),
    text: z.string(),
  })
  .meta({ verbatim: true });

export const get = operation({
  name: "get",
  title: "Get a document",
  summary:
    "Read one document by its path, docid (#abc123) or qmd:// URI. file.md:120 starts at a line, file.md:120:40 reads 40 lines, file.md#heading a section. Suggests similar files when there is none.",
  input: z.object({
    file: z
      .string()
      .min(1)
      .max(4_096)
      .describe("Path, docid or URI; then `:120`, `:120:40` or `#heading`"),
    fromLine: z.int().min(1).optional().describe("First line, counted from 1"),
    maxLines: z.int().min(1).optional().describe("Most lines").meta({ short: "l" }),
    lineNumbers: z.boolean().default(false).describe("Put `N: ` before each line"),
  }),
  output: z.object({ document: DocumentContent }).meta({ json: "document" }),
  effect: "reads",
  expose: { mcp: "content", http: "POST /get", cli: "get <file>" },
  example: { file: "handbook/welcome.md", maxLines: 5 },

  async run({ file, fromLine, maxLines, lineNumbers }, state, call) {
    const found = await lookUpSoon(state, file, call);
    const part = { first: fromLine ?? 1, maxLines, lineNumbers };
    const { content, lines } = partOf(state, found, part);
    const { line = 1 } = found.part ?? {};
    if (line > lines) {
      throw notFound(`${content.name} has ${counted(lines, "line")}; there is no line ${line}.`);
    }
    return { document: content };
  },

  present: ({ document }) => [resource(document)],
});

export const retrievalOperations = [get];

export interface Part {
  first: number;
  maxLines?: number | undefined;
  lineNumbers: boolean;
}

/** The text as it is on disk now, which may be newer than the index. */
export function contentOf(state: SearchState, found: Found, part: Part) {
  return partOf(state, found, part).content;
}

/** The same, with the number of lines that there are, and that lie behind the part. */
export function partOf(state: SearchState, { document, part: named }: Found, asked: Part) {
  const { root, path } = document;
  const file = `${root}/${path}`;
  const whole = linesOf(textOf(state, document));
  const part = { ...asked, ...(named && placeIn(whole, named, asked, file)) };
  const lines = lineRange(whole, part.first, part.maxLines);
  const body = part.lineNumbers ? numbered(lines, part.first) : lines.join("\n");
  const context = contextOf(state.config.read(), root, path);
  const content = {
    uri: uriOf(file),
    name: file,
    title: visible(titleOf(whole, path)),
    mimeType: "text/markdown",
    text: context === null ? body : `<!-- Context: ${inComment(context)} -->\n\n${body}`,
  };
  const more = Math.max(whole.length - (part.first - 1) - lines.length, 0);
  return { content, more, lines: whole.length };
}

/** What would end the comment is parted, so that words about a text never become a part of it. */
const inComment = (words: string): string => words.replace(/--(?=!?>)/g, "-- ");

/** The line behind a name goes before the one said beside it; of a section, no more is read. */
function placeIn(lines: readonly string[], named: NamedPart, asked: Part, file: string) {
  const { line, count, anchor } = named;
  if (anchor === undefined) return { first: line ?? 1, maxLines: count ?? asked.maxLines };
  const section = sectionAt(lines, anchor);
  if (section) {
    const maxLines = Math.min(section.count, asked.maxLines ?? section.count);
    return { first: section.line, maxLines };
  }
  const titles = [...headingsOf(lines)].map(({ title }) => title);
  throw notFound(`${file} has no heading '${anchor}'.`, [
    titles.length > 0 ? `Its headings: ${titles.slice(0, 20).join(", ")}.` : "It has no headings.",
  ]);
}
