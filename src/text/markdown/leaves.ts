import { frontmatterLength } from "../frontmatter.ts";
import { definitionAt } from "./destinations.ts";
import { type HtmlBlock, htmlBlockAt } from "./html-block.ts";

/** A block of a page that holds no other block, freed from the quotes and lists that it stands in. */
export type Leaf = {
  /** Its first line, counted from one; a fence's own line where there is one. */
  line: number;
  /** What stands in it. Each is the line of the file behind the one before. */
  lines: string[];
} & (
  | { kind: "paragraph" }
  | { kind: "html" }
  | { kind: "heading"; depth: number }
  /** `info` is what stands behind a fence, and null where the code is only indented. */
  | { kind: "code"; info: string | null; isClosed: boolean }
);

type Container = { kind: "quote" } | { kind: "item"; indent: number; isEmpty: boolean };

/** The leaf that lines are being added to, and what ends it where that is not a blank line. */
type OpenLeaf =
  | { leaf: Leaf; by: "text" | "indent" }
  | { leaf: Leaf; by: "fence"; mark: string; indent: number }
  | { leaf: Leaf; by: "html"; block: HtmlBlock };

/** Deeper nesting is nobody's text. */
const mostContainers = 100;

/** What pages are written in beside CommonMark. */
export interface Flavour {
  /** Comments in braces. */
  isMdx?: boolean;
  /** `!!! note`, `??? tip` and `=== "tab"`, whose text is indented below them, as MkDocs has it. */
  hasAdmonitions?: boolean;
}

/** The leaves of a page in the order of the text, as CommonMark and GitHub's tables have them. */
export function leavesOf(lines: readonly string[], flavour: Flavour = {}): Leaf[] {
  const { isMdx = false, hasAdmonitions = false } = flavour;
  const leaves: Leaf[] = [];
  let containers: Container[] = [];
  let open: OpenLeaf | undefined;
  for (let at = frontmatterLength(lines); at < lines.length; at++) {
    take(withoutTabs(lines[at] ?? ""), at + 1);
  }
  return leaves;

  function take(line: string, number: number): void {
    let rest = line;
    let depth = 0;
    for (; depth < containers.length; depth++) {
      const inner = continued(containers[depth], rest);
      if (inner === undefined) break;
      rest = inner;
    }
    const isInside = depth === containers.length;
    if (open && open.by !== "text") {
      if (isInside && goesOn(open, rest)) return;
      open = undefined;
    }
    let isFresh = false;
    for (;;) {
      const paragraph = open?.by === "text" ? open.leaf : undefined;
      const inParagraph = paragraph !== undefined && !isFresh;
      if (isBlank(rest)) {
        closeTo(depth);
        open = undefined;
        return;
      }
      if (indentOf(rest) >= 4) {
        if (inParagraph) break;
        closeTo(depth);
        begin(
          { kind: "code", line: number, lines: [rest.slice(4)], info: null, isClosed: true },
          "indent",
        );
        return;
      }
      const inner =
        containerAt(rest, inParagraph && depth === containers.length) ??
        (hasAdmonitions ? admonitionAt(rest) : undefined);
      if (inner && containers.length < mostContainers) {
        closeTo(depth);
        open = undefined;
        containers.push(inner.container);
        rest = inner.rest;
        depth++;
        isFresh = true;
        continue;
      }
      const underline = /^ {0,3}(=+|-+)\s*$/.exec(rest)?.[1];
      if (underline && paragraph && inParagraph && depth === containers.length) {
        if (underlinedFrom(paragraph, underline)) return;
        break;
      }
      if (takeBlock(rest, number, depth, inParagraph)) return;
      break;
    }
    if (open?.by === "text" && !isFresh) {
      open.leaf.lines.push(rest.trimStart());
      return;
    }
    closeTo(depth);
    begin({ kind: "paragraph", line: number, lines: [rest.trimStart()] }, "text");
  }

  /** Definitions above it are no part of a heading; false where there is nothing else. */
  function underlinedFrom(paragraph: Leaf, underline: string): boolean {
    const above = definitionLines(paragraph.lines);
    if (above === paragraph.lines.length) return false;
    const lines = paragraph.lines.splice(above);
    if (above === 0) leaves.pop();
    const depth = underline[0] === "=" ? 1 : 2;
    leaves.push({ kind: "heading", line: paragraph.line + above, lines, depth });
    open = undefined;
    return true;
  }

  /** A block that one line begins, or is; false where the line is text. */
  function takeBlock(rest: string, number: number, depth: number, inParagraph: boolean): boolean {
    const atx = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/s.exec(rest);
    if (atx) {
      closeTo(depth);
      const title = (atx[2] ?? "").replace(/(^|[ \t])#+[ \t]*$/, "").trim();
      push({ kind: "heading", line: number, lines: [title], depth: atx[1]?.length ?? 1 });
      open = undefined;
      return true;
    }
    const fence = /^( {0,3})(`{3,}(?=[^`]*$)|~{3,})(.*)$/s.exec(rest);
    if (fence) {
      const [, indent = "", mark = "", info = ""] = fence;
      closeTo(depth);
      const leaf: Leaf = {
        kind: "code",
        line: number,
        lines: [],
        info: info.trim(),
        isClosed: false,
      };
      push(leaf);
      open = { leaf, by: "fence", mark, indent: indent.length };
      return true;
    }
    const block = htmlBlockAt(rest, { inParagraph, isMdx });
    if (block) {
      closeTo(depth);
      const leaf: Leaf = { kind: "html", line: number, lines: [rest] };
      push(leaf);
      open = block.end?.test(rest.slice(block.skip)) ? undefined : { leaf, by: "html", block };
      return true;
    }
    if (!isRule(rest)) return false;
    closeTo(depth);
    open = undefined;
    return true;
  }

  function push(leaf: Leaf): void {
    for (const container of containers) if (container.kind === "item") container.isEmpty = false;
    leaves.push(leaf);
  }

  function begin(leaf: Leaf, by: "text" | "indent"): void {
    push(leaf);
    open = { leaf, by };
  }

  function closeTo(depth: number): void {
    if (containers.length === depth) return;
    containers = containers.slice(0, depth);
    open = undefined;
  }
}

/** What is left of a line inside a container that is open, or undefined where it ends there. */
function continued(container: Container | undefined, line: string): string | undefined {
  if (container?.kind === "quote")
    return /^ {0,3}> ?/.test(line) ? line.replace(/^ {0,3}> ?/, "") : undefined;
  if (!container) return undefined;
  if (isBlank(line)) return container.isEmpty ? undefined : line;
  return indentOf(line) >= container.indent ? line.slice(container.indent) : undefined;
}

/** A quote, an item of a list or a footnote that begins here. */
function containerAt(
  line: string,
  interrupts: boolean,
): { container: Container; rest: string } | undefined {
  const quote = /^ {0,3}> ?/.exec(line)?.[0];
  if (quote) return { container: { kind: "quote" }, rest: line.slice(quote.length) };
  const note = /^ {0,3}\[\^[^\]\s]{1,200}\]:/.exec(line)?.[0];
  if (note)
    return {
      container: { kind: "item", indent: 4, isEmpty: false },
      rest: line.slice(note.length).trimStart(),
    };
  const item = /^( {0,3})([-+*]|\d{1,9}[.)])( +|$)/.exec(line);
  if (!item || isRule(line)) return undefined;
  const [whole, before = "", mark = "", gap = ""] = item;
  const isEmpty = isBlank(line.slice(whole.length));
  if (interrupts && (isEmpty || !/^([-+*]|0{0,8}1[.)])$/.test(mark))) return undefined;
  const width = isEmpty || gap.length > 4 ? 1 : gap.length;
  const indent = before.length + mark.length + width;
  return { container: { kind: "item", indent, isEmpty: true }, rest: line.slice(indent) };
}

function admonitionAt(line: string): { container: Container; rest: string } | undefined {
  if (!/^ {0,3}(!!!|\?\?\?\+?|===[!+]?) +\S/.test(line)) return undefined;
  return { container: { kind: "item", indent: 4, isEmpty: false }, rest: "" };
}

/** Adds a line to a leaf that takes lines as they are; false where it ended before this line. */
function goesOn(open: Exclude<OpenLeaf, { by: "text" }> | OpenLeaf, rest: string): boolean {
  const { lines } = open.leaf;
  if (open.by === "indent") {
    if (indentOf(rest) < 4 && !isBlank(rest)) return false;
    lines.push(rest.slice(4));
    return true;
  }
  if (open.by === "fence") {
    if (open.leaf.kind !== "code" || open.leaf.isClosed) return false;
    const close = /^ {0,3}(`{3,}|~{3,})\s*$/.exec(rest)?.[1];
    if (close?.startsWith(open.mark)) open.leaf.isClosed = true;
    else lines.push(rest.slice(Math.min(indentOf(rest), open.indent)));
    return true;
  }
  if (open.by !== "html") return false;
  const { block } = open;
  if (block.isOver) return false;
  if (!block.end && isBlank(rest)) return false;
  lines.push(rest);
  if (block.end?.test(rest)) block.isOver = true;
  return true;
}

const isBlank = (line: string): boolean => line.trim() === "";

const indentOf = (line: string): number => line.length - line.trimStart().length;

/** `---`, `* * *`: a line across the page. */
const isRule = (line: string): boolean => /^ {0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}$/.test(line);

/** Tabs before the text move it to the next column that four divides. */
function withoutTabs(line: string): string {
  const head = /^[\s>*+\-\d.)]*/.exec(line)?.[0] ?? "";
  if (!head.includes("\t")) return line;
  let spaced = "";
  for (const letter of head)
    spaced += letter === "\t" ? " ".repeat(4 - (spaced.length % 4)) : letter;
  return spaced + line.slice(head.length);
}

/** How many lines at the head of a paragraph are definitions. */
function definitionLines(lines: readonly string[]): number {
  const text = lines.join("\n");
  let end = 0;
  for (let found = definitionAt(text, 0); found; found = definitionAt(text, end)) end = found.end;
  return end >= text.length ? lines.length : text.slice(0, end).split("\n").length - 1;
}
