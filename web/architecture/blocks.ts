import { frontmatterLength } from "../../src/text/frontmatter.ts";
import { fenceMark } from "../../src/text/headings.ts";
import { linesOf } from "../../src/text/lines.ts";
import { cellsOf, isTableRule } from "../../src/text/markdown/cells.ts";

/** A piece of a document between blank lines, as far as it matters for reading. */
export type Block =
  | { kind: "heading"; depth: number; text: string }
  | { kind: "paragraph"; text: string }
  | { kind: "list"; isOrdered: boolean; items: Block[][] }
  | { kind: "quote"; blocks: Block[] }
  | { kind: "code"; text: string }
  | { kind: "table"; head: string[]; rows: string[][] }
  | { kind: "rule" };

export interface Parsed {
  /** The front matter as it is written; empty where there is none. */
  matter: string;
  blocks: Block[];
}

export function parsed(text: string): Parsed {
  const lines = linesOf(text.replace(/^\uFEFF/, ""));
  const length = frontmatterLength(lines);
  return {
    matter: lines.slice(1, Math.max(length - 1, 1)).join("\n"),
    blocks: blocksOf(lines.slice(length), 0),
  };
}

/** Deeper ones are shown as they are written. */
const deepest = 12;

function blocksOf(lines: readonly string[], depth: number): Block[] {
  const blocks: Block[] = [];
  let at = 0;
  while (at < lines.length) {
    if ((lines[at] ?? "").trim() === "") at++;
    else {
      const { block, end } = blockAt(lines, at, depth);
      blocks.push(block);
      at = end;
    }
  }
  return blocks;
}

interface Found {
  block: Block;
  /** The line behind it. */
  end: number;
}

function blockAt(lines: readonly string[], at: number, depth: number): Found {
  const line = lines[at] ?? "";
  const mark = fenceMark(line);
  if (mark) return codeAt(lines, at, mark);
  const heading = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/.exec(line);
  if (heading) {
    const text = (heading[2] ?? "").replace(/(^|[ \t])#+[ \t]*$/, "").trim();
    return { block: { kind: "heading", depth: heading[1]?.length ?? 1, text }, end: at + 1 };
  }
  if (isRule(line)) return { block: { kind: "rule" }, end: at + 1 };
  if (isTableRule(line, lines[at + 1] ?? "")) return tableAt(lines, at);
  if (depth < deepest && isQuoted(line)) return quoteAt(lines, at, depth);
  if (depth < deepest && markerOf(line)) return listAt(lines, at, depth);
  return paragraphAt(lines, at);
}

function codeAt(lines: readonly string[], at: number, mark: string): Found {
  let end = at + 1;
  while (end < lines.length && !isClosing(lines[end] ?? "", mark)) end++;
  return { block: { kind: "code", text: lines.slice(at + 1, end).join("\n") }, end: end + 1 };
}

const isClosing = (line: string, mark: string): boolean => {
  const own = line.trim();
  return own.startsWith(mark) && own === (mark[0] ?? "").repeat(own.length);
};

const isRule = (line: string): boolean => /^ {0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}$/.test(line);

function tableAt(lines: readonly string[], at: number): Found {
  const head = cellsOf(lines[at] ?? "");
  let end = at + 2;
  while ((lines[end] ?? "").includes("|")) end++;
  const rows = lines.slice(at + 2, end).map((row) => {
    const cells = cellsOf(row);
    return head.map((_, column) => cells[column] ?? "");
  });
  return { block: { kind: "table", head, rows }, end };
}

const isQuoted = (line: string): boolean => /^ {0,3}>/.test(line);

function quoteAt(lines: readonly string[], at: number, depth: number): Found {
  let end = at;
  while (end < lines.length && isQuoted(lines[end] ?? "")) end++;
  const inner = lines.slice(at, end).map((line) => line.replace(/^ {0,3}> ?/, ""));
  return { block: { kind: "quote", blocks: blocksOf(inner, depth + 1) }, end };
}

/** What begins an item, and how far its text stands in. */
function markerOf(line: string): { isOrdered: boolean; indent: number } | undefined {
  const [whole, sign = ""] = /^ {0,3}([-*+]|\d{1,9}[.)])(?:[ \t]+|$)/.exec(line) ?? [];
  if (whole === undefined || isRule(line)) return undefined;
  return { isOrdered: /\d/.test(sign), indent: whole.length };
}

function listAt(lines: readonly string[], at: number, depth: number): Found {
  const isOrdered = markerOf(lines[at] ?? "")?.isOrdered ?? false;
  const items: Block[][] = [];
  let end = at;
  while (end < lines.length) {
    const marker = markerOf(lines[end] ?? "");
    if (marker?.isOrdered !== isOrdered) break;
    const start = end++;
    while (end < lines.length && belongs(lines, end, marker.indent)) end++;
    const inner = lines.slice(start, end).map((line, row) => inwards(line, row, marker.indent));
    items.push(blocksOf(inner, depth + 1));
  }
  return { block: { kind: "list", isOrdered, items }, end };
}

/** Whether a line goes on with an item: it stands in, or follows its words without a blank line. */
function belongs(lines: readonly string[], at: number, indent: number): boolean {
  const line = lines[at] ?? "";
  if (line.trim() === "") {
    const next = lines.slice(at).find((later) => later.trim() !== "");
    return next !== undefined && (indentOf(next) >= indent || markerOf(next) !== undefined);
  }
  if (indentOf(line) >= Math.min(indent, 4)) return true;
  return (lines[at - 1] ?? "").trim() !== "" && isPlain(line);
}

const indentOf = (line: string): number => line.length - line.trimStart().length;

const inwards = (line: string, row: number, indent: number): string =>
  row === 0 ? line.slice(indent) : line.slice(Math.min(indent, indentOf(line)));

function paragraphAt(lines: readonly string[], at: number): Found {
  let end = at + 1;
  while (end < lines.length && isPlain(lines[end] ?? "") && !isUnderline(lines[end] ?? "")) end++;
  const text = lines
    .slice(at, end)
    .map((line) => line.trim())
    .join("\n");
  const under = lines[end] ?? "";
  if (isUnderline(under)) {
    const depth = under.includes("=") ? 1 : 2;
    return { block: { kind: "heading", depth, text }, end: end + 1 };
  }
  return { block: { kind: "paragraph", text }, end };
}

const isUnderline = (line: string): boolean => /^ {0,3}(?:=+|-{2,})[ \t]*$/.test(line);

const isPlain = (line: string): boolean =>
  line.trim() !== "" &&
  !fenceMark(line) &&
  !/^ {0,3}#{1,6}(?:[ \t]|$)/.test(line) &&
  !isRule(line) &&
  !isQuoted(line) &&
  !markerOf(line);
