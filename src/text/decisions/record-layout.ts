import { elementAt } from "../arrays/element-at.ts";
import { frontmatterLength } from "../markdown/frontmatter.ts";
import { fenceMarker, type Heading, readHeadings } from "../markdown/headings.ts";
import { splitLines } from "../strings/lines.ts";

/** A section of a record. Lines are counted from 1. */
export interface RecordSection {
  title: string;
  line: number;
  endLine: number;
}

/** The structure of a record. */
export interface RecordLayout {
  /** All lines, with comments and fenced code blanked so that line numbers stay the same. */
  lines: readonly string[];
  /** The number of lines of front matter. */
  frontmatterLines: number;
  headings: readonly Heading[];
  sections: readonly RecordSection[];
}

export function readRecordLayout(text: string): RecordLayout {
  const written = splitLines(text.replace(/^\uFEFF/, ""));
  const frontmatterLines = frontmatterLength(written);
  const lines = readableLines(written, frontmatterLines);
  const headings = [...readHeadings(lines)];
  const outer = headings.filter(({ depth }) => depth <= 2);
  const sections = outer.flatMap(({ depth, title, line }, index) =>
    depth === 2 ? [{ title, line, endLine: (outer[index + 1]?.line ?? lines.length + 1) - 1 }] : [],
  );
  return { lines, frontmatterLines, headings, sections };
}

/** Finds a section at any depth below the title. Numbering is ignored: `2. Status`. */
export function findRecordSection(
  { headings, lines }: RecordLayout,
  name: RegExp,
): RecordSection | undefined {
  for (const { depth, title, line } of headings) {
    if (depth < 2 || !name.test(title.replace(/^\d+[.)]\s*/, "").replace(/:$/, ""))) continue;
    const next = headings.find((other) => other.line > line && other.depth <= depth);
    return { title, line, endLine: next ? next.line - 1 : lines.length };
  }
  return undefined;
}

/** The number of lines before the first section, which hold the title and metadata. */
export const preambleEnd = ({ headings, lines }: RecordLayout): number =>
  (headings.find(({ depth }) => depth > 1)?.line ?? lines.length + 1) - 1;

/**
 * Blanks comments and code. A comment may span lines only if it starts a line; an unclosed comment
 * is text.
 */
function readableLines(source: readonly string[], start: number): string[] {
  const lines = [...source];
  const lastEnd = source.findLastIndex((line) => line.includes("-->"));
  let fence: string | undefined;
  let isComment = false;
  for (let index = start; index < lines.length; index++) {
    const line = elementAt(lines, index);
    if (isComment) {
      isComment = !line.includes("-->");
      lines[index] = "";
      continue;
    }
    const mark = fenceMarker(line);
    if (fence) {
      if (mark?.startsWith(fence) && line.trim() === mark) fence = undefined;
      lines[index] = "";
      continue;
    }
    if (mark) {
      fence = mark;
      lines[index] = "";
    } else if (line.includes("<!--")) {
      const visible = withoutComments(line);
      isComment = /^\s*<!--/.test(visible) && index < lastEnd;
      lines[index] = isComment ? "" : visible;
    }
  }
  return lines;
}

function withoutComments(line: string): string {
  let visible = "";
  let from = 0;
  for (;;) {
    const start = line.indexOf("<!--", from);
    const end = start < 0 ? -1 : line.indexOf("-->", start + 4);
    if (end < 0) return visible + line.slice(from);
    visible += line.slice(from, start);
    from = end + 3;
  }
}
