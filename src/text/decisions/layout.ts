import { frontmatterLength } from "../frontmatter.ts";
import { fenceMark, type Heading, headingsOf } from "../headings.ts";
import { linesOf } from "../lines.ts";

/** A heading of the second level and the lines below it, counted from one. */
export interface RecordSection {
  title: string;
  line: number;
  endLine: number;
}

/** A record as lines, with what is not read taken out: comments, and code between fences. */
export interface Layout {
  /** As many as the file has, so that a line keeps its number. */
  lines: readonly string[];
  /** How many of them are front matter. */
  head: number;
  headings: readonly Heading[];
  sections: readonly RecordSection[];
}

export function layoutOf(text: string): Layout {
  const written = linesOf(text.replace(/^\uFEFF/, ""));
  const head = frontmatterLength(written);
  const lines = readableLines(written, head);
  const headings = [...headingsOf(lines)];
  const outer = headings.filter(({ depth }) => depth <= 2);
  const sections = outer.flatMap(({ depth, title, line }, place) =>
    depth === 2 ? [{ title, line, endLine: (outer[place + 1]?.line ?? lines.length + 1) - 1 }] : [],
  );
  return { lines, head, headings, sections };
}

/** The section of a heading at any depth below the title; `2. Status` is `Status` too. */
export function sectionNamed({ headings, lines }: Layout, name: RegExp): RecordSection | undefined {
  for (const { depth, title, line } of headings) {
    if (depth < 2 || !name.test(title.replace(/^\d+[.)]\s*/, "").replace(/:$/, ""))) continue;
    const next = headings.find((other) => other.line > line && other.depth <= depth);
    return { title, line, endLine: next ? next.line - 1 : lines.length };
  }
  return undefined;
}

/** Where the first section begins, or the end: what stands above says what the record is. */
export const preambleEnd = ({ headings, lines }: Layout): number =>
  (headings.find(({ depth }) => depth > 1)?.line ?? lines.length + 1) - 1;

/**
 * A comment that begins within a line ends there too; one that begins a line may end later. One
 * that never ends is none.
 */
function readableLines(written: readonly string[], head: number): string[] {
  const lines = [...written];
  const lastEnd = written.findLastIndex((line) => line.includes("-->"));
  let fence: string | undefined;
  let isComment = false;
  for (let index = head; index < lines.length; index++) {
    const line = lines[index] ?? "";
    if (isComment) {
      isComment = !line.includes("-->");
      lines[index] = "";
      continue;
    }
    const mark = fenceMark(line);
    if (fence) {
      if (mark?.startsWith(fence) && line.trim() === mark) fence = undefined;
      lines[index] = "";
      continue;
    }
    if (mark) {
      fence = mark;
      lines[index] = "";
    } else if (line.includes("<!--")) {
      lines[index] = withoutComments(line);
      isComment = /^\s*<!--/.test(lines[index] ?? "") && index < lastEnd;
      if (isComment) lines[index] = "";
    }
  }
  return lines;
}

function withoutComments(line: string): string {
  let kept = "";
  let from = 0;
  for (;;) {
    const start = line.indexOf("<!--", from);
    const end = start < 0 ? -1 : line.indexOf("-->", start + 4);
    if (end < 0) return kept + line.slice(from);
    kept += line.slice(from, start);
    from = end + 3;
  }
}
