import * as z from "zod";
import { notFound } from "../../../kernel/failure.ts";
import { operationsFor } from "../../../kernel/operation.ts";
import { resourceBlock } from "../../../kernel/operations/output-block.ts";
import type { Steps } from "../../../kernel/storage/steps.ts";
import { findSectionByAnchor } from "../../../text/markdown/heading-anchors.ts";
import { documentTitle, readHeadings } from "../../../text/markdown/headings.ts";
import { lineRange, numberLines, splitLines } from "../../../text/strings/lines.ts";
import { pluralise } from "../../../text/strings/pluralise.ts";
import { toPrintable } from "../../../text/strings/printable.ts";
import { contextOf } from "../documents/contexts.ts";
import { readDocumentText } from "../documents/document-text.ts";
import { documentUri } from "../documents/document-uri.ts";
import { type LookupResult, lookUpWhenScanned, type RequestedPart } from "../documents/lookup.ts";
import type { SearchState } from "../state.ts";

const operation = operationsFor<SearchState>();

/** A document in the format of an MCP resource, which REST uses too. */
export const DocumentContent = z
  .object({
    uri: z.string(),
    name: z.string(),
    title: z.string(),
    mimeType: z.string(),
    text: z.string(),
  })
  .meta({ verbatim: true });

export const getDocument = operation({
  name: "get",
  title: "Get a document",
  summary:
    "Read one document by path, note name, docid (#abc123) or qmd:// URI. file.md:120 starts at a line, file.md:120-159 reads a range, file.md#heading a section.",
  input: z.object({
    file: z.string().min(1).max(4_096).describe("Also `file:120:40` for 40 lines"),
    fromLine: z
      .int()
      .min(1)
      .optional()
      .describe("First line, starting at 1")
      .meta({ flag: "from-line|from" }),
    maxLines: z.int().min(1).optional().describe("Maximum lines").meta({ short: "l" }),
    lineNumbers: z.boolean().default(false).describe("Prefix each line with `N: `"),
  }),
  output: z.object({ document: DocumentContent }).meta({ json: "document", documents: true }),
  effect: "reads",
  expose: { mcp: "content", http: "POST /get", cli: "get <file>" },
  example: { file: "handbook/welcome.md", maxLines: 5 },

  async run({ file, fromLine, maxLines, lineNumbers }, state, call) {
    const found = await lookUpWhenScanned(state, file, call);
    const part = { first: fromLine ?? 1, maxLines, lineNumbers };
    const { content, lines } = await state.store.run(readPart(state, found, part));
    const { line = 1 } = found.part ?? {};
    if (line > lines) {
      throw notFound(`${content.name} has ${pluralise(lines, "line")}; there is no line ${line}.`);
    }
    return { document: content };
  },

  present: ({ document }) => [resourceBlock(document)],
});

export const getOperations = [getDocument];

export interface ReadOptions {
  first: number;
  maxLines?: number | undefined;
  lineNumbers: boolean;
}

interface ReadPart {
  content: z.output<typeof DocumentContent>;
  /** The number of lines after the part. */
  more: number;
  /** The number of lines in total. */
  lines: number;
}

/** Reads a document from disk, which may be newer than the index. */
export function* readPart(
  state: SearchState,
  { document, part: requestedPart }: LookupResult,
  options: ReadOptions,
): Steps<ReadPart> {
  const { root, path } = document;
  const file = `${root}/${path}`;
  const allLines = splitLines(yield* readDocumentText(state, document));
  const part = {
    ...options,
    ...(requestedPart && resolvePart(allLines, requestedPart, options, file)),
  };
  const lines = lineRange(allLines, part.first, part.maxLines);
  const body = part.lineNumbers ? numberLines(lines, part.first) : lines.join("\n");
  const context = contextOf(state.config.read(), root, path);
  const content = {
    uri: documentUri(file),
    name: file,
    title: toPrintable(documentTitle(allLines, path)),
    mimeType: "text/markdown",
    text: context === null ? body : `<!-- Context: ${escapeComment(context)} -->\n\n${body}`,
  };
  const more = Math.max(allLines.length - (part.first - 1) - lines.length, 0);
  return { content, more, lines: allLines.length };
}

/** Splits `-->`, so that a context cannot end the comment and become part of the text. */
const escapeComment = (text: string): string => text.replace(/--(?=!?>)/g, "-- ");

/** A line in the name overrides `fromLine`. A section is never read beyond its end. */
function resolvePart(
  lines: readonly string[],
  { line, count, anchor }: RequestedPart,
  options: ReadOptions,
  file: string,
) {
  if (anchor === undefined) return { first: line ?? 1, maxLines: count ?? options.maxLines };
  const section = findSectionByAnchor(lines, anchor);
  if (section) {
    const maxLines = Math.min(section.count, options.maxLines ?? section.count);
    return { first: section.line, maxLines };
  }
  const titles = [...readHeadings(lines)].map(({ title }) => title);
  throw notFound(`${file} has no heading '${anchor}'.`, [
    titles.length > 0
      ? `Headings: ${titles.slice(0, 20).join(", ")}.`
      : "The document has no headings.",
  ]);
}
