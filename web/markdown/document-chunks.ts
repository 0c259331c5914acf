import { elementAt } from "../../src/text/arrays/element-at.ts";
import { frontmatterLength } from "../../src/text/markdown/frontmatter.ts";
import { fenceMarker } from "../../src/text/markdown/headings.ts";
import { htmlBlockAt } from "../../src/text/markdown/html-block.ts";
import type { LinkDefinition, LinkDefinitions } from "../../src/text/markdown/inline.ts";
import { linkDefinitionAt } from "../../src/text/markdown/link-syntax.ts";
import { isTableDelimiter } from "../../src/text/markdown/table-cells.ts";
import { type MarkdownBlock, parseBlocks } from "./blocks.ts";

/**
 * Lines that are parsed and rendered together. Of a long text, only chunks near the viewport are.
 */
export interface DocumentChunk {
  /** The number of its first line. */
  line: number;
  lines: readonly string[];
  /** Lines to parse before it: the code fence or table head of a block that the cut divides. */
  opening: readonly string[];
}

export const parseChunk = ({ line, lines, opening }: DocumentChunk): MarkdownBlock[] =>
  parseBlocks([...opening, ...lines], line - opening.length);

/** A document, cut into chunks that look like the whole text when they are rendered. */
export interface ChunkedDocument {
  /** The entries of the front matter. */
  matter: { key: string; value: string }[];
  chunks: DocumentChunk[];
  definitions: LinkDefinitions;
  /** The number and the line of each footnote, by its label. */
  notes: ReadonlyMap<string, { number: number; line: number }>;
}

/**
 * Each chunk has a cost per frame, so a very long text has larger chunks instead of more of them.
 */
const maxChunks = 500;

/** A chunk of this length is cut even inside a block. */
const maxChunkLines = 400;

/** A single pass over the lines, without parsing blocks, so that ten megabytes open quickly. */
export function splitDocument(lines: readonly string[]): ChunkedDocument {
  const matterLength = frontmatterLength(lines);
  const definitions = new Map<string, LinkDefinition>();
  const notes = new Map<string, { number: number; line: number }>();
  const chunks: DocumentChunk[] = [];
  // A chunk of this length is cut at the next block boundary.
  const targetLines = Math.min(Math.max(lines.length / maxChunks, 40), maxChunkLines);
  let start = matterLength;
  let opening: readonly string[] = [];
  let open: OpenBlock | undefined;

  const cut = (at: number): void => {
    if (at > start) chunks.push({ line: start + 1, lines: lines.slice(start, at), opening });
    start = at;
    opening = open?.opening ?? [];
  };

  for (let at = matterLength; at < lines.length; at++) {
    const line = elementAt(lines, at);
    const size = at - start;
    if (open) {
      if (size >= maxChunkLines) cut(at);
      const isOver = open.isEnd(line);
      const isInside = !isOver || open.takesEnd;
      if (isOver) open = undefined;
      if (isInside) continue;
    }
    const isBlockStart = (lines[at - 1] ?? "").trim() === "" && /^[^\s\-*+\d]/.test(line);
    if (size >= targetLines && (isBlockStart || /^#{1,6}\s/.test(line))) cut(at);
    else if (size >= maxChunkLines && (/^\S/.test(line) || size >= 2 * maxChunkLines)) cut(at);
    collectDefinition(line, at);
    open = openedBlock(line, lines[at - 1]);
  }
  open = undefined;
  cut(lines.length);
  return {
    matter: parseFrontMatter(lines.slice(1, Math.max(matterLength - 1, 1))),
    chunks,
    definitions,
    notes,
  };

  /** Collects the link definition or footnote of a line. */
  function collectDefinition(line: string, at: number): void {
    const first = line.search(/[^ ]/);
    if (first < 0 || first > 3 || line[first] !== "[") return;
    const label = /^ {0,3}\[\^([^\]\s]{1,200})\]:/.exec(line)?.[1];
    if (label !== undefined) {
      if (!notes.has(label)) notes.set(label, { number: notes.size + 1, line: at + 1 });
      return;
    }
    const definition = linkDefinitionAt(
      lines
        .slice(at, at + 3)
        .join("\n")
        .trimStart(),
      0,
    );
    if (definition && !definitions.has(definition.label)) {
      definitions.set(definition.label, { destination: definition.destination, line: at + 1 });
    }
  }
}

interface OpenBlock {
  opening: readonly string[];
  isEnd(line: string): boolean;
  /** Whether the line that ends the block is its last line, or the first line after it. */
  takesEnd: boolean;
}

/** The block that a line opens, if it can contain blank lines or needs its opening lines. */
function openedBlock(line: string, before: string | undefined): OpenBlock | undefined {
  const mark = fenceMarker(line);
  if (mark) {
    const end = new RegExp(`^ {0,3}\\${mark[0]}{${mark.length},}\\s*$`);
    return { opening: [line], isEnd: (later) => end.test(later), takesEnd: true };
  }
  if (before !== undefined && line.includes("-") && isTableDelimiter(before, line)) {
    return { opening: [before, line], isEnd: (later) => !later.includes("|"), takesEnd: false };
  }
  const html = line.includes("<")
    ? htmlBlockAt(line, { inParagraph: true, isMdx: false })
    : undefined;
  const end = html?.end;
  if (!end || end.test(line.slice(html.skip))) return undefined;
  return { opening: [], isEnd: (later) => end.test(later), takesEnd: true };
}

/** Each key with its raw value, without quotes and list markers. */
function parseFrontMatter(lines: readonly string[]): { key: string; value: string }[] {
  const rows: { key: string; value: string }[] = [];
  for (const line of lines) {
    const [, key, value = ""] = /^([^\s:#][^:]*):(?:\s+(.*))?$/.exec(line) ?? [];
    const last = rows.at(-1);
    if (key !== undefined) rows.push({ key, value: unquoted(value) });
    else if (last) {
      const more = unquoted(line.replace(/^\s*-\s+/, "").trimEnd());
      last.value = last.value === "" ? more : `${last.value}\n${more}`;
    }
  }
  return rows;
}

const unquoted = (value: string): string =>
  value
    .trim()
    .replace(/^\[(.*)\]$/, "$1")
    .replace(/^(["'])(.*)\1$/, "$2");
