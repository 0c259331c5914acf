import { elementAt } from "../../arrays/element-at.ts";
import { type CodeFence, indentOf, isBlank, type LineIndex, type SourceLines } from "./source.ts";

/** A Markdown block between two headings. `end` is the index after its last line. */
export type Block = { start: LineIndex; end: LineIndex } & (
  | { type: "paragraph" | "numbered" | "table" | "other" }
  | { type: "bullets"; items: Bullet[] }
  | { type: "fence"; fence: CodeFence }
);

export type BulletList = Extract<Block, { type: "bullets" }>;

export interface Bullet {
  start: LineIndex;
  end: LineIndex;
  /** The text after the marker on the first line. */
  text: string;
  /** The column where that text starts. */
  column: number;
}

/**
 * Splits lines into blocks, with the subset of Markdown that the format needs: a blank line or a
 * line without indentation ends a bullet list, and lines indented by at least two spaces belong to
 * the item above.
 */
export function parseBlocks(source: SourceLines, from: LineIndex, to: LineIndex): Block[] {
  const blocks: Block[] = [];
  for (let at = from; at < to; ) {
    if (isBlank(source.lines[at])) {
      at++;
      continue;
    }
    const block = blockAt(source, at, to);
    blocks.push(block);
    at = block.end;
  }
  return blocks;
}

function blockAt(source: SourceLines, start: LineIndex, to: LineIndex): Block {
  const { lines, fences } = source;
  const line = elementAt(lines, start);
  const fence = fences[start];
  if (fence) return { type: "fence", start, end: Math.min(fence.end, to), fence };
  if (isRule(line)) return { type: "other", start, end: start + 1 };
  if (parseBullet(line)) return bulletsAt(source, start, to);
  if (isNumbered(line)) return { type: "numbered", start, end: endOfNumbered(source, start, to) };
  if (isQuote(line)) return { type: "other", start, end: endOfRun(lines, start, to) };
  if (isTableAt(lines, start, to)) {
    let end = start + 2;
    while (end < to && lines[end]?.includes("|")) end++;
    return { type: "table", start, end };
  }
  let end = start + 1;
  while (end < to && !isBlank(lines[end]) && !interrupts(source, end, to)) end++;
  return { type: "paragraph", start, end };
}

/** Whether a line ends the paragraph above it. A `---` below text is a setext heading underline. */
function interrupts({ lines, fences }: SourceLines, at: LineIndex, to: LineIndex): boolean {
  const line = elementAt(lines, at);
  if (isRule(line)) return false;
  return (
    fences[at] !== undefined ||
    parseBullet(line) !== undefined ||
    /^ {0,3}1[.)]\s/.test(line) ||
    isQuote(line) ||
    isTableAt(lines, at, to)
  );
}

function bulletsAt(source: SourceLines, start: LineIndex, to: LineIndex): BulletList {
  const { lines } = source;
  const indent = indentOf(elementAt(lines, start));
  const items: Bullet[] = [];
  let at = start;
  while (at < to) {
    const line = elementAt(lines, at);
    const found = source.fences[at] || isRule(line) ? undefined : parseBullet(line);
    if (!found || indentOf(line) > indent + 1) break;
    const isOpenArray = /:\s*\[\s*$/.test(line);
    let end = endOfItem(source, at + 1, to, indent + 2);
    if (isOpenArray && end < to && lines[end]?.trim() === "]") {
      end = endOfItem(source, end + 1, to, indent + 2);
    }
    items.push({ start: at, end, ...found });
    at = end;
  }
  return { type: "bullets", start, end: at, items };
}

/** The end of the lines with at least this indentation, including blank lines between them. */
function endOfItem(
  { lines, fences }: SourceLines,
  from: LineIndex,
  to: LineIndex,
  indent: number,
): LineIndex {
  let end = from;
  for (let at = from; at < to; at++) {
    if (isBlank(lines[at])) continue;
    const fence = fences[at];
    const belongs = indentOf(elementAt(lines, fence?.start ?? at)) >= indent;
    if (!belongs) break;
    end = at + 1;
  }
  return end;
}

/** A numbered list continues after a blank line with its next number or an indented line. */
function endOfNumbered(source: SourceLines, start: LineIndex, to: LineIndex): LineIndex {
  const { lines, fences } = source;
  let end = endOfItem(source, start + 1, to, 2);
  for (let next = end; next < to; next++) {
    if (isBlank(lines[next])) continue;
    if (fences[next] || !isNumbered(elementAt(lines, next))) break;
    end = endOfItem(source, next + 1, to, 2);
    next = end - 1;
  }
  return end;
}

function endOfRun(lines: readonly string[], start: LineIndex, to: LineIndex): LineIndex {
  let end = start + 1;
  while (end < to && !isBlank(lines[end])) end++;
  return end;
}

function parseBullet(line: string): { text: string; column: number } | undefined {
  const found = /^ {0,3}[-*+](?:[ \t]+|$)/.exec(line)?.[0];
  if (found === undefined) return undefined;
  return { text: line.slice(found.length).trimEnd(), column: found.length };
}

const isNumbered = (line: string): boolean => /^ {0,3}\d{1,9}[.)](?:\s|$)/.test(line);

const isQuote = (line: string): boolean => /^ {0,3}>/.test(line);

/** Whether an item contains a list below its first line. */
export const listsBelow = (line: string): boolean =>
  /^(?:[-*+]|\d{1,9}[.)])(?:\s|$)/.test(line.trimStart());

/** A thematic break: `---`, `***` or `___`, also with spaces between. */
function isRule(line: string): boolean {
  const indent = indentOf(line);
  const mark = line[indent] ?? "";
  if (indent > 3 || (mark !== "-" && mark !== "*" && mark !== "_")) return false;
  let count = 0;
  for (let at = indent; at < line.length; at++) {
    if (line[at] === mark) count++;
    else if (line[at] !== " " && line[at] !== "\t") return false;
  }
  return count >= 3;
}

/** Two lines that start a table: a row, and a delimiter row. */
function isTableAt(lines: readonly string[], at: LineIndex, to: LineIndex): boolean {
  if (at + 1 >= to || !lines[at]?.includes("|")) return false;
  const rule = elementAt(lines, at + 1);
  return rule.includes("|") && rule.includes("-") && /^[\s|:-]+$/.test(rule);
}
