import { elementAt } from "../../src/text/arrays/element-at.ts";
import { fenceMarker } from "../../src/text/markdown/headings.ts";
import { htmlBlockAt } from "../../src/text/markdown/html-block.ts";
import { linkDefinitionAt } from "../../src/text/markdown/link-syntax.ts";
import { isTableDelimiter, splitTableRow } from "../../src/text/markdown/table-cells.ts";
import {
  continuesItem,
  indentOf,
  isParagraphLine,
  isQuoted,
  isRule,
  markerOf,
  stripIndent,
} from "./block-lines.ts";

/** A Markdown block, with what the reader needs to render it. */
export type MarkdownBlock = {
  /** Its first line in the file. */
  line: number;
} & (
  | { kind: "heading"; depth: number; text: string }
  | { kind: "paragraph"; text: string }
  /** `start` is the first number of an ordered list; a bullet list has none. */
  | { kind: "list"; start?: number; items: ListItem[] }
  | { kind: "quote"; blocks: MarkdownBlock[] }
  | { kind: "code"; text: string; language: string; firstLine: number }
  | { kind: "table"; head: string[]; sides: Side[]; rows: Row[] }
  /** HTML, shown as source text without leading comments. */
  | { kind: "html"; text: string }
  | { kind: "note"; label: string; blocks: MarkdownBlock[] }
  | { kind: "rule" }
);

export interface ListItem {
  line: number;
  /** For a task item: whether it is done. */
  isDone?: boolean;
  blocks: MarkdownBlock[];
}

interface Row {
  line: number;
  cells: string[];
}

type Side = "left" | "center" | "right" | undefined;

/** Deeper nesting is shown as source text. */
const maxDepth = 12;

/** Parses lines into blocks. `first` is the number of the first line in its file. */
export function parseBlocks(lines: readonly string[], first: number, depth = 0): MarkdownBlock[] {
  const blocks: MarkdownBlock[] = [];
  let at = 0;
  while (at < lines.length) {
    if (elementAt(lines, at).trim() === "") at++;
    else {
      const { block, end } = blockAt(lines, at, first, depth);
      if (block) blocks.push(block);
      at = end;
    }
  }
  return blocks;
}

interface ParsedBlock {
  /** Absent for syntax that is not shown, such as link definitions. */
  block?: MarkdownBlock;
  /** The index of the line after the block. */
  end: number;
}

function blockAt(lines: readonly string[], at: number, first: number, depth: number): ParsedBlock {
  const line = elementAt(lines, at);
  const number = first + at;
  const mark = fenceMarker(line);
  if (mark) return codeAt(lines, at, number, mark);
  if (indentOf(line) >= 4) return indentedAt(lines, at, number);
  const heading = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/.exec(line);
  if (heading) {
    const text = (heading[2] ?? "").replace(/(^|[ \t])#+[ \t]*$/, "").trim();
    const depth = heading[1]?.length ?? 1;
    return { block: { kind: "heading", line: number, depth, text }, end: at + 1 };
  }
  if (isRule(line)) return { block: { kind: "rule", line: number }, end: at + 1 };
  if (isTableDelimiter(line, lines[at + 1] ?? "")) return tableAt(lines, at, number);
  if (depth < maxDepth) {
    if (isQuoted(line)) return quoteAt(lines, at, first, depth);
    const note = /^ {0,3}\[\^([^\]\s]{1,200})\]:[ \t]*/.exec(line);
    if (note) return noteAt(lines, at, first, depth, note);
    if (markerOf(line)) return listAt(lines, at, first, depth);
  }
  return htmlAt(lines, at, number) ?? paragraphAt(lines, at, number);
}

function codeAt(lines: readonly string[], at: number, line: number, mark: string): ParsedBlock {
  let end = at + 1;
  while (end < lines.length && !isClosingFence(elementAt(lines, end), mark)) end++;
  const indent = indentOf(elementAt(lines, at));
  const text = lines
    .slice(at + 1, end)
    .map((inner) => inner.slice(Math.min(indent, indentOf(inner))));
  const info = elementAt(lines, at).trim().slice(mark.length).trim();
  const language = /^[^\s{,:]*/.exec(info)?.[0] ?? "";
  const block: MarkdownBlock = {
    kind: "code",
    line,
    firstLine: line + 1,
    text: text.join("\n"),
    language,
  };
  return { block, end: end + 1 };
}

const isClosingFence = (line: string, mark: string): boolean => {
  const fence = line.trim();
  return fence.startsWith(mark) && fence === mark.charAt(0).repeat(fence.length);
};

function indentedAt(lines: readonly string[], at: number, line: number): ParsedBlock {
  let end = at + 1;
  for (let next = end; next < lines.length; next++) {
    if (elementAt(lines, next).trim() === "") continue;
    if (indentOf(elementAt(lines, next)) < 4) break;
    end = next + 1;
  }
  const text = lines.slice(at, end).map((inner) => inner.replace(/^(?: {4}|\t)/, ""));
  const block: MarkdownBlock = {
    kind: "code",
    line,
    firstLine: line,
    text: text.join("\n"),
    language: "",
  };
  return { block, end };
}

function tableAt(lines: readonly string[], at: number, line: number): ParsedBlock {
  const head = splitTableRow(elementAt(lines, at));
  const sides = splitTableRow(elementAt(lines, at + 1)).map(sideOf);
  const rows: Row[] = [];
  let end = at + 2;
  for (; end < lines.length && elementAt(lines, end).includes("|"); end++) {
    const cells = splitTableRow(elementAt(lines, end));
    rows.push({ line: line + end - at, cells: head.map((_, column) => cells[column] ?? "") });
  }
  return { block: { kind: "table", line, head, sides, rows }, end };
}

function sideOf(rule: string): Side {
  if (rule.endsWith(":")) return rule.startsWith(":") ? "center" : "right";
  return rule.startsWith(":") ? "left" : undefined;
}

function quoteAt(lines: readonly string[], at: number, first: number, depth: number): ParsedBlock {
  let end = at + 1;
  while (end < lines.length && continuesQuote(elementAt(lines, end), elementAt(lines, end - 1))) {
    end++;
  }
  const inner = lines.slice(at, end).map((line) => line.replace(/^ {0,3}> ?/, ""));
  const blocks = parseBlocks(inner, first + at, depth + 1);
  return { block: { kind: "quote", line: first + at, blocks }, end };
}

/** A line without `>` is a lazy continuation of a quoted paragraph. */
const continuesQuote = (line: string, previous: string): boolean =>
  isQuoted(line) || (isParagraphLine(line) && isParagraphLine(previous.replace(/^ {0,3}> ?/, "")));

function noteAt(
  lines: readonly string[],
  at: number,
  first: number,
  depth: number,
  [head, label = ""]: RegExpExecArray,
): ParsedBlock {
  let end = at + 1;
  while (end < lines.length && continuesItem(lines, end, 4, false)) end++;
  const inner = lines
    .slice(at, end)
    .map((line, row) => (row === 0 ? line.slice(head.length) : stripIndent(line, 4)));
  const blocks = parseBlocks(inner, first + at, depth + 1);
  return { block: { kind: "note", line: first + at, label, blocks }, end };
}

function listAt(lines: readonly string[], at: number, first: number, depth: number): ParsedBlock {
  const start = markerOf(elementAt(lines, at))?.number;
  const isOrdered = start !== undefined;
  const items: ListItem[] = [];
  let end = at;
  while (end < lines.length) {
    const marker = markerOf(elementAt(lines, end));
    if (!marker || (marker.number !== undefined) !== isOrdered) break;
    const begin = end++;
    while (end < lines.length && continuesItem(lines, end, marker.indent)) end++;
    const inner = lines
      .slice(begin, end)
      .map((line, row) =>
        row === 0 ? line.slice(marker.indent) : stripIndent(line, marker.indent),
      );
    items.push(itemFrom(inner, first + begin, depth + 1));
  }
  const block: MarkdownBlock = {
    kind: "list",
    line: first + at,
    ...(isOrdered && { start }),
    items,
  };
  return { block, end };
}

function itemFrom([head = "", ...rest]: readonly string[], line: number, depth: number): ListItem {
  const task = /^\[([ xX])\][ \t]+(?=\S)/.exec(head);
  const blocks = parseBlocks([head.slice(task?.[0].length ?? 0), ...rest], line, depth);
  return { line, ...(task && { isDone: task[1] !== " " }), blocks };
}

function htmlAt(lines: readonly string[], at: number, line: number): ParsedBlock | undefined {
  const html = htmlBlockAt(elementAt(lines, at), { inParagraph: false, isMdx: false });
  if (!html) return undefined;
  const isEnd = (line: string) => (html.end ? html.end.test(line) : line.trim() === "");
  let end = at;
  if (!isEnd(elementAt(lines, at).slice(html.skip))) {
    end++;
    while (end < lines.length && !isEnd(elementAt(lines, end))) end++;
  }
  const text = stripLeadingComments(
    lines
      .slice(at, end + 1)
      .join("\n")
      .trimEnd(),
  );
  return { ...(text !== "" && { block: { kind: "html", line, text } }), end: end + 1 };
}

/** Comments are for authors; only the source view shows them. */
const stripLeadingComments = (text: string): string =>
  text.replace(/^(?:\s*<!--[\s\S]*?-->)+\s*/, "");

function paragraphAt(lines: readonly string[], at: number, line: number): ParsedBlock {
  let end = at + 1;
  while (end < lines.length && continuesParagraph(elementAt(lines, end))) end++;
  const whole = lines
    .slice(at, end)
    .map((inner) => inner.trimStart())
    .join("\n");
  const skipped = definitionsEnd(whole);
  const text = whole.slice(skipped).trimEnd();
  if (text === "") return { end };
  const first = line + whole.slice(0, skipped).split("\n").length - 1;
  const next = lines[end];
  if (next !== undefined && isUnderline(next)) {
    const depth = next.includes("=") ? 1 : 2;
    return { block: { kind: "heading", line: first, depth, text }, end: end + 1 };
  }
  return { block: { kind: "paragraph", line: first, text }, end };
}

/** The length of the link definitions at the start of a paragraph, which are not shown. */
function definitionsEnd(text: string): number {
  let end = 0;
  for (
    let definition = linkDefinitionAt(text, 0);
    definition;
    definition = linkDefinitionAt(text, end)
  ) {
    end = definition.end;
    if (end >= text.length) break;
  }
  return end;
}

const continuesParagraph = (line: string): boolean => isParagraphLine(line) && !isUnderline(line);

const isUnderline = (line: string): boolean => /^ {0,3}(?:=+|-{2,})[ \t]*$/.test(line);
