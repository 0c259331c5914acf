import { fenceMark } from "../../src/text/headings.ts";
import { cellsOf, isTableRule } from "../../src/text/markdown/cells.ts";
import { definitionAt } from "../../src/text/markdown/destinations.ts";
import { htmlBlockAt } from "../../src/text/markdown/html-block.ts";
import { belongs, indentOf, inwards, isPlain, isQuoted, isRule, markerOf } from "./lines.ts";

/** A piece of a document between blank lines, as far as it matters for reading. */
export type Block = {
  /** Its first line in the file. */
  line: number;
} & (
  | { kind: "heading"; depth: number; text: string }
  | { kind: "paragraph"; text: string }
  /** An ordered list begins with this number; one of bullets has none. */
  | { kind: "list"; start?: number; items: Item[] }
  | { kind: "quote"; blocks: Block[] }
  | { kind: "code"; text: string; language: string; firstLine: number }
  | { kind: "table"; head: string[]; sides: Side[]; rows: Row[] }
  /** HTML, which is shown as it is written, save for comments before it. */
  | { kind: "html"; text: string }
  | { kind: "note"; label: string; blocks: Block[] }
  | { kind: "rule" }
);

export interface Item {
  line: number;
  /** Of a task only: whether it is done. */
  isDone?: boolean;
  blocks: Block[];
}

interface Row {
  line: number;
  cells: string[];
}

type Side = "left" | "center" | "right" | undefined;

/** Deeper ones are shown as they are written. */
const deepest = 12;

/** The blocks of these lines, of which the first has the number `first` in its file. */
export function blocksOf(lines: readonly string[], first: number, depth = 0): Block[] {
  const blocks: Block[] = [];
  let at = 0;
  while (at < lines.length) {
    if ((lines[at] ?? "").trim() === "") at++;
    else {
      const { block, end } = blockAt(lines, at, first, depth);
      if (block) blocks.push(block);
      at = end;
    }
  }
  return blocks;
}

interface Found {
  /** None for what is not shown, such as where a reference leads. */
  block?: Block;
  /** The line behind it. */
  end: number;
}

function blockAt(lines: readonly string[], at: number, first: number, depth: number): Found {
  const line = lines[at] ?? "";
  const number = first + at;
  const mark = fenceMark(line);
  if (mark) return codeAt(lines, at, number, mark);
  if (indentOf(line) >= 4) return indentedAt(lines, at, number);
  const heading = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/.exec(line);
  if (heading) {
    const text = (heading[2] ?? "").replace(/(^|[ \t])#+[ \t]*$/, "").trim();
    const depth = heading[1]?.length ?? 1;
    return { block: { kind: "heading", line: number, depth, text }, end: at + 1 };
  }
  if (isRule(line)) return { block: { kind: "rule", line: number }, end: at + 1 };
  if (isTableRule(line, lines[at + 1] ?? "")) return tableAt(lines, at, number);
  if (depth < deepest) {
    if (isQuoted(line)) return quoteAt(lines, at, first, depth);
    const note = /^ {0,3}\[\^([^\]\s]{1,200})\]:[ \t]*/.exec(line);
    if (note) return noteAt(lines, at, first, depth, note);
    if (markerOf(line)) return listAt(lines, at, first, depth);
  }
  return htmlAt(lines, at, number) ?? paragraphAt(lines, at, number);
}

function codeAt(lines: readonly string[], at: number, line: number, mark: string): Found {
  let end = at + 1;
  while (end < lines.length && !isClosing(lines[end] ?? "", mark)) end++;
  const indent = indentOf(lines[at] ?? "");
  const text = lines
    .slice(at + 1, end)
    .map((inner) => inner.slice(Math.min(indent, indentOf(inner))));
  const info = (lines[at] ?? "").trim().slice(mark.length).trim();
  const language = /^[^\s{,:]*/.exec(info)?.[0] ?? "";
  const block: Block = { kind: "code", line, firstLine: line + 1, text: text.join("\n"), language };
  return { block, end: end + 1 };
}

const isClosing = (line: string, mark: string): boolean => {
  const own = line.trim();
  return own.startsWith(mark) && own === (mark[0] ?? "").repeat(own.length);
};

function indentedAt(lines: readonly string[], at: number, line: number): Found {
  let end = at + 1;
  for (let next = end; next < lines.length; next++) {
    if ((lines[next] ?? "").trim() === "") continue;
    if (indentOf(lines[next] ?? "") < 4) break;
    end = next + 1;
  }
  const text = lines.slice(at, end).map((inner) => inner.replace(/^(?: {4}|\t)/, ""));
  const block: Block = { kind: "code", line, firstLine: line, text: text.join("\n"), language: "" };
  return { block, end };
}

function tableAt(lines: readonly string[], at: number, line: number): Found {
  const head = cellsOf(lines[at] ?? "");
  const sides = cellsOf(lines[at + 1] ?? "").map(sideOf);
  const rows: Row[] = [];
  let end = at + 2;
  for (; (lines[end] ?? "").includes("|"); end++) {
    const cells = cellsOf(lines[end] ?? "");
    rows.push({ line: line + end - at, cells: head.map((_, column) => cells[column] ?? "") });
  }
  return { block: { kind: "table", line, head, sides, rows }, end };
}

function sideOf(rule: string): Side {
  if (rule.endsWith(":")) return rule.startsWith(":") ? "center" : "right";
  return rule.startsWith(":") ? "left" : undefined;
}

function quoteAt(lines: readonly string[], at: number, first: number, depth: number): Found {
  let end = at + 1;
  // A line without the mark goes on with the words before it.
  while (isQuoted(lines[end] ?? "") || (isPlain(lines[end] ?? "") && isWords(lines[end - 1])))
    end++;
  const inner = lines.slice(at, end).map((line) => line.replace(/^ {0,3}> ?/, ""));
  const blocks = blocksOf(inner, first + at, depth + 1);
  return { block: { kind: "quote", line: first + at, blocks }, end };
}

const isWords = (line = ""): boolean => isPlain(line.replace(/^ {0,3}> ?/, ""));

function noteAt(
  lines: readonly string[],
  at: number,
  first: number,
  depth: number,
  [head, label = ""]: RegExpExecArray,
): Found {
  let end = at + 1;
  while (end < lines.length && belongs(lines, end, 4, false)) end++;
  const inner = lines
    .slice(at, end)
    .map((line, row) => (row === 0 ? line.slice(head.length) : inwards(line, 4)));
  const blocks = blocksOf(inner, first + at, depth + 1);
  return { block: { kind: "note", line: first + at, label, blocks }, end };
}

function listAt(lines: readonly string[], at: number, first: number, depth: number): Found {
  const start = markerOf(lines[at] ?? "")?.number;
  const isOrdered = start !== undefined;
  const items: Item[] = [];
  let end = at;
  while (end < lines.length) {
    const marker = markerOf(lines[end] ?? "");
    if (!marker || (marker.number !== undefined) !== isOrdered) break;
    const begin = end++;
    while (end < lines.length && belongs(lines, end, marker.indent)) end++;
    const inner = lines
      .slice(begin, end)
      .map((line, row) => (row === 0 ? line.slice(marker.indent) : inwards(line, marker.indent)));
    items.push(itemFrom(inner, first + begin, depth + 1));
  }
  const block: Block = { kind: "list", line: first + at, ...(isOrdered && { start }), items };
  return { block, end };
}

function itemFrom([head = "", ...rest]: readonly string[], line: number, depth: number): Item {
  const task = /^\[([ xX])\][ \t]+(?=\S)/.exec(head);
  const blocks = blocksOf([head.slice(task?.[0].length ?? 0), ...rest], line, depth);
  return { line, ...(task && { isDone: task[1] !== " " }), blocks };
}

function htmlAt(lines: readonly string[], at: number, line: number): Found | undefined {
  const found = htmlBlockAt(lines[at] ?? "", { inParagraph: false, isMdx: false });
  if (!found) return undefined;
  const isEnd = (words: string) => (found.end ? found.end.test(words) : words.trim() === "");
  let end = at;
  if (!isEnd((lines[at] ?? "").slice(found.skip))) {
    end++;
    while (end < lines.length && !isEnd(lines[end] ?? "")) end++;
  }
  const text = behindComments(
    lines
      .slice(at, end + 1)
      .join("\n")
      .trimEnd(),
  );
  return { ...(text !== "" && { block: { kind: "html", line, text } }), end: end + 1 };
}

/** Comments speak to whoever edits the file, and the source shows them. */
const behindComments = (text: string): string => text.replace(/^(?:\s*<!--[\s\S]*?-->)+\s*/, "");

function paragraphAt(lines: readonly string[], at: number, line: number): Found {
  let end = at + 1;
  while (end < lines.length && isPlain(lines[end] ?? "") && !isUnderline(lines[end] ?? "")) end++;
  const whole = lines
    .slice(at, end)
    .map((words) => words.trimStart())
    .join("\n");
  const skipped = definitionsEnd(whole);
  const text = whole.slice(skipped).trimEnd();
  if (text === "") return { end };
  const first = line + whole.slice(0, skipped).split("\n").length - 1;
  const under = lines[end] ?? "";
  if (isUnderline(under)) {
    const depth = under.includes("=") ? 1 : 2;
    return { block: { kind: "heading", line: first, depth, text }, end: end + 1 };
  }
  return { block: { kind: "paragraph", line: first, text }, end };
}

/** Where references lead stands at the head of a paragraph, and is no part of what is read. */
function definitionsEnd(text: string): number {
  let end = 0;
  for (let found = definitionAt(text, 0); found; found = definitionAt(text, end)) {
    end = found.end;
    if (end >= text.length) break;
  }
  return end;
}

const isUnderline = (line: string): boolean => /^ {0,3}(?:=+|-{2,})[ \t]*$/.test(line);
