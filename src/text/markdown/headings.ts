import { elementAt } from "../arrays/element-at.ts";
import { splitsSurrogatePair } from "../strings/surrogates.ts";
import { truncateText } from "../strings/truncate.ts";
import { frontmatterFacts, frontmatterLength, frontmatterTitle } from "./frontmatter.ts";

/** The lines under one heading, with its heading path. */
export interface Section {
  /** From the outermost heading to this section's own. Empty before the first heading. */
  headings: string[];
  /** The first line, counted from 1: the heading, if there is one. */
  line: number;
  endLine: number;
  text: string;
}

/**
 * Cuts a document at its headings by scanning lines, about 30 times faster than a parser. Ignores
 * lines in code fences and front matter.
 */
export function splitSections(lines: readonly string[]): Section[] {
  const sections: Section[] = [];
  const path: { depth: number; title: string }[] = [];
  let start = 0;
  const close = (end: number) => {
    const headings = path.map(({ title }) => title);
    for (const piece of splitLongSection(lines, start, end)) sections.push({ headings, ...piece });
  };
  for (const heading of readHeadings(lines)) {
    // A heading directly followed by a deeper one joins the section of that one.
    const isBare = path.length > 0 && lines.slice(start + 1, heading.line - 1).every(isBlank);
    const isDeeper = (path.at(-1)?.depth ?? 0) < heading.depth;
    if (!(isBare && isDeeper)) {
      close(heading.line - 1);
      start = heading.line - 1;
    }
    while ((path.at(-1)?.depth ?? 0) >= heading.depth) path.pop();
    path.push({ depth: heading.depth, title: limitTitle(heading.title) });
  }
  close(lines.length);
  return sections;
}

const isBlank = (line: string): boolean => line.trim() === "";

/** Longer sections are cut, in UTF-16 units. */
const maxSectionLength = 8_000;

/** Cuts at line ends, or inside a single line that is too long. */
function* splitLongSection(lines: readonly string[], start: number, end: number) {
  let first = start;
  let length = 0;
  for (let index = start; index <= end; index++) {
    const next = index < end ? elementAt(lines, index).length + 1 : maxSectionLength;
    if (length + next <= maxSectionLength && index < end) {
      length += next;
      continue;
    }
    const text = lines.slice(first, index).join("\n");
    if (text.trim() !== "") yield { line: first + 1, endLine: index, text };
    first = index;
    length = next;
    if (next <= maxSectionLength || index >= end) continue;
    for (const text of splitLongLine(elementAt(lines, index)))
      yield { line: index + 1, endLine: index + 1, text };
    first = index + 1;
    length = 0;
  }
}

function* splitLongLine(line: string): Generator<string> {
  for (let at = 0; at < line.length; ) {
    const end = at + maxSectionLength;
    const cut = splitsSurrogatePair(line, end) ? end - 1 : end;
    yield line.slice(at, cut);
    at = cut;
  }
}

export interface Heading {
  depth: number;
  title: string;
  line: number;
}

export function* readHeadings(lines: readonly string[]): Generator<Heading> {
  let fence: string | undefined;
  for (let index = frontmatterLength(lines); index < lines.length; index++) {
    const line = elementAt(lines, index);
    const mark = fenceMarker(line);
    if (fence) {
      if (mark?.startsWith(fence) && line.trim() === mark) fence = undefined;
      continue;
    }
    if (mark) {
      fence = mark;
      continue;
    }
    const atx = firstSign(line) === "#" ? /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/s.exec(line) : undefined;
    if (atx) {
      const title = (atx[2] ?? "").replace(/(^|[ \t])#+[ \t]*$/, "").trim();
      yield { depth: atx[1]?.length ?? 1, title, line: index + 1 };
    } else if (isSetextHeading(lines, index)) {
      yield { depth: lines[index + 1]?.includes("=") ? 1 : 2, title: line.trim(), line: index + 1 };
    }
  }
}

/** The marker of a code fence line. Backticks later in the line make it inline code instead. */
export function fenceMarker(line: string): string | undefined {
  const sign = firstSign(line);
  if (sign !== "`" && sign !== "~") return undefined;
  return /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/.exec(line)?.[1];
}

/** The character after an indent of up to three spaces: a quick check before regular expressions. */
function firstSign(line: string): string | undefined {
  let at = 0;
  while (at < 3 && line[at] === " ") at++;
  return line[at];
}

/**
 * ```
 * A heading of one line
 * =====================
 * ```
 * Lists, quotes, tables and paragraphs of several lines are not setext headings.
 */
function isSetextHeading(lines: readonly string[], index: number): boolean {
  const line = elementAt(lines, index);
  const underline = lines[index + 1] ?? "";
  const sign = firstSign(underline);
  if (sign !== "=" && sign !== "-") return false;
  if (!/^ {0,3}(=+|-{2,})\s*$/.test(underline)) return false;
  if (line.trim() === "" || /^\s*([-*+>|]|\d+[.)])/.test(line) || /^( {4}|\t)/.test(line)) {
    return false;
  }
  return index === 0 || (lines[index - 1] ?? "").trim() === "";
}

/**
 * The title of a document: from the front matter, the first heading, or the file name. Notes are
 * often named by their file, and have headings of parts only.
 */
export function documentTitle(
  lines: readonly string[],
  path: string,
  facts = frontmatterFacts(lines),
): string {
  const fromMatter = frontmatterTitle(facts);
  if (fromMatter) return limitTitle(fromMatter);
  const heading = headingOfWhole(lines);
  if (heading !== undefined) return limitTitle(heading);
  const name = path.slice(path.lastIndexOf("/") + 1);
  return name.replace(/\.[^.]+$/, "") || name;
}

/** The first heading that is not empty. */
export function firstHeading(lines: readonly string[]): Heading | undefined {
  for (const heading of readHeadings(lines)) if (heading.title !== "") return heading;
  return undefined;
}

/**
 * The first heading, unless it is that of a part: there is none of level 1, and text stands before
 * it or another of its level or above follows.
 */
function headingOfWhole(lines: readonly string[]): string | undefined {
  const first = firstHeading(lines);
  if (!first || first.depth === 1) return first?.title;
  const text = lines.slice(frontmatterLength(lines), first.line - 1);
  let isPart = !text.every(isBlank);
  for (const { depth, line } of readHeadings(lines)) {
    if (depth === 1) return first.title;
    if (line > first.line && depth <= first.depth) isPart = true;
  }
  return isPart ? undefined : first.title;
}

/** Titles are stored with every section below them, so their length is limited. */
const limitTitle = (title: string): string =>
  title.length <= maxTitleLength ? title : truncateText(title, maxTitleLength);

const maxTitleLength = 300;
