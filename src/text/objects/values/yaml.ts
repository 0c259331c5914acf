import { elementAt } from "../../arrays/element-at.ts";
import type { Fields, Value } from "./value.ts";
import {
  createLineReader,
  parsePlainScalar,
  parseQuotedScalar,
  UnsupportedYaml,
} from "./yaml-scalars.ts";

/**
 * Parses the common subset of YAML: maps, lists, block scalars, strings and flow collections.
 * Anything else (anchors, tags, several documents) and errors leave the text verbatim. A full YAML
 * parser takes ten times as long as the rest of the file, and longer for hostile input.
 */
export function parseYamlValue(text: string): Value {
  try {
    return readDocument(text);
  } catch (problem) {
    if (problem instanceof UnsupportedYaml) return text;
    throw problem;
  }
}

interface Line {
  indent: number;
  text: string;
  /** The position in the document. */
  index: number;
}

const maxDepth = 50;

function readDocument(document: string): Value {
  const raw = document.split("\n");
  const lines = raw.map(lineOf).filter(({ text }) => text !== "");
  let at = lines[0]?.text === "---" ? 1 : 0;
  if (at === lines.length) return null;
  const value = readNode(0);
  if (at < lines.length) throw new UnsupportedYaml();
  return value;

  function readNode(depth: number): Value {
    const line = lines[at];
    if (!line || depth > maxDepth) throw new UnsupportedYaml();
    if (isItem(line.text)) return readSequence(line.indent, depth);
    if (keyEnd(line.text) > 0) return readMapping(line.indent, depth);
    at++;
    return readContinued(line, 0, -1);
  }

  function readMapping(indent: number, depth: number): Fields {
    const fields: Fields = new Map();
    for (let line = lines[at]; line && line.indent === indent; line = lines[at]) {
      const end = keyEnd(line.text);
      if (end <= 0 || isItem(line.text)) throw new UnsupportedYaml();
      const key = keyOf(line.text.slice(0, end));
      if (fields.has(key)) throw new UnsupportedYaml();
      at++;
      const below = lines[at];
      const opensList = below?.indent === indent && isItem(below.text);
      fields.set(key, readValueAfter(line, end + 1, opensList ? indent - 1 : indent, depth));
    }
    if ((lines[at]?.indent ?? 0) > indent) throw new UnsupportedYaml();
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
        items.push(readValueAfter(line, 1, indent, depth));
      }
    }
    if ((lines[at]?.indent ?? 0) > indent) throw new UnsupportedYaml();
    return items;
  }

  /** The value after a key or dash: on the line, as a block scalar, or indented below. */
  function readValueAfter(line: Line, from: number, indent: number, depth: number): Value {
    const rest = createLineReader()(line.text.slice(from).trim()).text;
    const isBelow = (lines[at]?.indent ?? -1) > indent;
    if (rest === "") return isBelow ? readNode(depth + 1) : null;
    const header = /^([|>])([+-]?)$/.exec(rest);
    if (header) return readBlock(line, indent, header[1] === ">", header[2] ?? "");
    return readContinued(line, from, indent);
  }

  /** Joins continuation lines: of open brackets and quotes, or of a plain scalar. */
  function readContinued(first: Line, from: number, indent: number): Value {
    const read = createLineReader();
    let last = read(first.text.slice(from).trim());
    let { text } = last;
    const isBracket = /^[[{]/.test(text);
    const isPlain = !isBracket && !/^["']/.test(text);
    let before = first.index;
    for (; last.isOpen || isPlain; at++) {
      const line = lines[at];
      if (!line || !(isBracket || line.indent > indent)) break;
      const between = raw.slice(before + 1, line.index);
      const hasComment = last.hasComment || between.some((other) => other.trim() !== "");
      if (hasComment && !isBracket) throw new UnsupportedYaml();
      last = read(line.text);
      text += (isBracket ? " " : "\n".repeat(between.length) || " ") + last.text;
      before = line.index;
    }
    return parsePlainScalar(text);
  }

  function readBlock({ index }: Line, indent: number, isFolded: boolean, chomp: string): string {
    let end = index + 1;
    const blockLines: string[] = [];
    for (; end < raw.length; end++) {
      const line = elementAt(raw, end);
      const isEmpty = line.trim() === "";
      if (!isEmpty && line.length - line.trimStart().length <= indent) break;
      blockLines.push(isEmpty ? "" : line);
    }
    while (at < lines.length && (lines[at]?.index ?? 0) < end) at++;
    const written = blockLines.findLastIndex((line) => line !== "") + 1;
    const first = blockLines.find((line) => line !== "") ?? "";
    const margin = first.length - first.trimStart().length;
    const body = blockLines.slice(0, written).map((line) => line.slice(margin));
    // Folding of more-indented lines follows special rules and is not supported.
    if (isFolded && body.some((line) => /^\s/.test(line))) throw new UnsupportedYaml();
    if (body.some((line, place) => line.trim() === "" && blockLines[place] !== ""))
      throw new UnsupportedYaml();
    const text = isFolded ? foldLines(body) : body.join("\n");
    if (chomp === "+") return text + "\n".repeat(blockLines.length - written + 1);
    return chomp === "-" || text === "" ? text : `${text}\n`;
  }
}

function lineOf(raw: string, index: number): Line {
  const text = raw.trim();
  const indent = raw.length - raw.trimStart().length;
  if (text !== "" && raw.slice(0, indent).includes("\t")) throw new UnsupportedYaml();
  const isMark = indent === 0 && /^(?:---|\.\.\.|%)/.test(text);
  if (isMark && !(text === "---" && index === 0)) throw new UnsupportedYaml();
  return { indent, text: text.startsWith("#") ? "" : text, index };
}

const foldLines = (lines: readonly string[]): string =>
  lines
    .join("\n")
    .split(/\n(\n+)/)
    .map((part, index) => (index % 2 === 0 ? part.replaceAll("\n", " ") : part))
    .join("");

const isItem = (text: string): boolean => text === "-" || text.startsWith("- ");

/** The offset of the colon after a key; 0 if the text does not start with a key. */
function keyEnd(text: string): number {
  if (text[0] === '"' || text[0] === "'") {
    const end = parseQuotedScalar(text)?.end ?? 0;
    return end > 0 && /^:(?:\s|$)/.test(text.slice(end, end + 2)) ? end : 0;
  }
  if (/^[[\]{}&*!|>%@`#,?]/.test(text)) return 0;
  const colon = text.search(/:(?:\s|$)/);
  const comment = text.indexOf(" #");
  return colon > 0 && (comment < 0 || colon < comment) ? colon : 0;
}

const keyOf = (text: string): string => parseQuotedScalar(text)?.value ?? text.trim();
