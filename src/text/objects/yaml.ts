import type { Fields, Value } from "./value.ts";
import { lineReader, readPlain, readQuoted, Unreadable } from "./yaml-scalars.ts";

/**
 * Reads the YAML that people write into a document: keys, lists, blocks, texts and brackets on one
 * line or several. Anything further (anchors, tags, several documents) and anything wrong leaves the
 * text as it is, so that nothing is lost. A parser of all YAML takes ten times as long as all the
 * rest of the file, and longer still where it is hostile.
 */
export function readYaml(text: string): Value {
  try {
    return readDocument(text);
  } catch (problem) {
    if (problem instanceof Unreadable) return text;
    throw problem;
  }
}

interface Line {
  indent: number;
  text: string;
  /** Where it stands in the document. */
  index: number;
}

const deepest = 50;

function readDocument(document: string): Value {
  const raw = document.split("\n");
  const lines = raw.map(lineOf).filter(({ text }) => text !== "");
  let at = lines[0]?.text === "---" ? 1 : 0;
  if (at === lines.length) return null;
  const value = readNode(0);
  if (at < lines.length) throw new Unreadable();
  return value;

  function readNode(depth: number): Value {
    const line = lines[at];
    if (!line || depth > deepest) throw new Unreadable();
    if (isItem(line.text)) return readSequence(line.indent, depth);
    if (keyEnd(line.text) > 0) return readMapping(line.indent, depth);
    at++;
    return readWhole(line, 0, -1);
  }

  function readMapping(indent: number, depth: number): Fields {
    const fields: Fields = new Map();
    for (let line = lines[at]; line && line.indent === indent; line = lines[at]) {
      const end = keyEnd(line.text);
      if (end <= 0 || isItem(line.text)) throw new Unreadable();
      const key = keyOf(line.text.slice(0, end));
      if (fields.has(key)) throw new Unreadable();
      at++;
      const below = lines[at];
      const opensList = below?.indent === indent && isItem(below.text);
      fields.set(key, readAfter(line, end + 1, opensList ? indent - 1 : indent, depth));
    }
    if ((lines[at]?.indent ?? 0) > indent) throw new Unreadable();
    return fields;
  }

  function readSequence(indent: number, depth: number): Value[] {
    const items: Value[] = [];
    for (let line = lines[at]; line && line.indent === indent; line = lines[at]) {
      if (!isItem(line.text)) break;
      const rest = line.text.slice(1).trimStart();
      const isNested = isItem(rest) || keyEnd(rest) > 0;
      if (rest !== "" && isNested) {
        const inner = indent + (line.text.length - rest.length);
        lines[at] = { indent: inner, text: rest, index: line.index };
        items.push(readNode(depth + 1));
      } else {
        at++;
        items.push(readAfter(line, 1, indent, depth));
      }
    }
    if ((lines[at]?.indent ?? 0) > indent) throw new Unreadable();
    return items;
  }

  /** What stands behind a key or a dash: on the line, in a block, or further in below it. */
  function readAfter(line: Line, from: number, indent: number, depth: number): Value {
    const rest = lineReader()(line.text.slice(from).trim()).text;
    const isBelow = (lines[at]?.indent ?? -1) > indent;
    if (rest === "") return isBelow ? readNode(depth + 1) : null;
    const header = /^([|>])([+-]?)$/.exec(rest);
    if (header) return readBlock(line, indent, header[1] === ">", header[2] ?? "");
    return readWhole(line, from, indent);
  }

  /** With the lines below that belong to it: what is open is closed there, a plain text goes on. */
  function readWhole(first: Line, from: number, indent: number): Value {
    const read = lineReader();
    let last = read(first.text.slice(from).trim());
    let { text } = last;
    const isBracket = /^[[{]/.test(text);
    const isPlain = !isBracket && !/^["']/.test(text);
    let before = first.index;
    for (; last.isOpen || isPlain; at++) {
      const line = lines[at];
      if (!line || !(isBracket || line.indent > indent)) break;
      const between = raw.slice(before + 1, line.index);
      const hasRemark = last.hasRemark || between.some((other) => other.trim() !== "");
      if (hasRemark && !isBracket) throw new Unreadable();
      last = read(line.text);
      text += (isBracket ? " " : "\n".repeat(between.length) || " ") + last.text;
      before = line.index;
    }
    return readPlain(text);
  }

  function readBlock({ index }: Line, indent: number, isFolded: boolean, chomp: string): string {
    let end = index + 1;
    const own: string[] = [];
    for (; end < raw.length; end++) {
      const line = raw[end] ?? "";
      const isEmpty = line.trim() === "";
      if (!isEmpty && line.length - line.trimStart().length <= indent) break;
      own.push(isEmpty ? "" : line);
    }
    while (at < lines.length && (lines[at]?.index ?? 0) < end) at++;
    const written = own.findLastIndex((line) => line !== "") + 1;
    const first = own.find((line) => line !== "") ?? "";
    const margin = first.length - first.trimStart().length;
    const body = own.slice(0, written).map((line) => line.slice(margin));
    // Folding of lines that are further in has rules of its own, which nobody remembers.
    if (isFolded && body.some((line) => /^\s/.test(line))) throw new Unreadable();
    if (body.some((line, place) => line.trim() === "" && own[place] !== "")) throw new Unreadable();
    const text = isFolded ? folded(body) : body.join("\n");
    if (chomp === "+") return text + "\n".repeat(own.length - written + 1);
    return chomp === "-" || text === "" ? text : `${text}\n`;
  }
}

function lineOf(raw: string, index: number): Line {
  const text = raw.trim();
  const indent = raw.length - raw.trimStart().length;
  if (text !== "" && raw.slice(0, indent).includes("\t")) throw new Unreadable();
  const isMark = indent === 0 && /^(?:---|\.\.\.|%)/.test(text);
  if (isMark && !(text === "---" && index === 0)) throw new Unreadable();
  return { indent, text: text.startsWith("#") ? "" : text, index };
}

const folded = (lines: readonly string[]): string =>
  lines
    .join("\n")
    .split(/\n(\n+)/)
    .map((part, index) => (index % 2 === 0 ? part.replaceAll("\n", " ") : part))
    .join("");

const isItem = (text: string): boolean => text === "-" || text.startsWith("- ");

/** The place of the colon behind a key, and 0 when the text does not begin with one. */
function keyEnd(text: string): number {
  if (text[0] === '"' || text[0] === "'") {
    const end = readQuoted(text)?.end ?? 0;
    return end > 0 && /^:(?:\s|$)/.test(text.slice(end, end + 2)) ? end : 0;
  }
  if (/^[[\]{}&*!|>%@`#,?]/.test(text)) return 0;
  const colon = text.search(/:(?:\s|$)/);
  const remark = text.indexOf(" #");
  return colon > 0 && (remark < 0 || colon < remark) ? colon : 0;
}

const keyOf = (text: string): string => readQuoted(text)?.value ?? text.trim();
