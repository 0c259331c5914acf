import { elementAt } from "../arrays/element-at.ts";
import { frontmatterLength } from "./frontmatter.ts";
import { type HtmlBlock, htmlBlockAt } from "./html-block.ts";
import { linkDefinitionAt } from "./link-syntax.ts";

/** A leaf block of CommonMark, without the markers of its containers (quotes and list items). */
export type LeafBlock = {
  /** The first line, counted from 1; for a code fence, the line of the fence. */
  line: number;
  /** The content. The lines are consecutive in the file. */
  lines: string[];
} & (
  | { kind: "paragraph" }
  | { kind: "html" }
  | { kind: "heading"; depth: number }
  /** `info` is the info string of a fence; null for indented code. */
  | { kind: "code"; info: string | null; isClosed: boolean }
);

type Container = { kind: "quote" } | { kind: "item"; indent: number; isEmpty: boolean };

/** The leaf block that is still open, and what ends it. */
type OpenLeafBlock =
  | { leaf: LeafBlock; by: "text" | "indent" }
  | { leaf: LeafBlock; by: "fence"; mark: string; indent: number }
  | { leaf: LeafBlock; by: "html"; block: HtmlBlock };

/** Limits the cost per line of deeply nested containers. */
const maxContainers = 100;

/** Extensions of CommonMark. */
export interface MarkdownFlavour {
  /** MDX: comments in braces. */
  isMdx?: boolean;
  /** MkDocs admonitions and tabs: `!!! note`, `??? tip` and `=== "tab"` with indented content. */
  hasAdmonitions?: boolean;
}

/** Parses the block structure of a page: the leaf blocks in document order. */
export function parseLeafBlocks(
  lines: readonly string[],
  flavour: MarkdownFlavour = {},
): LeafBlock[] {
  const { isMdx = false, hasAdmonitions = false } = flavour;
  const leaves: LeafBlock[] = [];
  let containers: Container[] = [];
  let open: OpenLeafBlock | undefined;
  for (let at = frontmatterLength(lines); at < lines.length; at++) {
    readLine(expandTabs(elementAt(lines, at)), at + 1);
  }
  return leaves;

  function readLine(line: string, number: number): void {
    let rest = line;
    let depth = 0;
    for (; depth < containers.length; depth++) {
      const inner = stripContainer(containers[depth], rest);
      if (inner === undefined) break;
      rest = inner;
    }
    const isInside = depth === containers.length;
    if (open && open.by !== "text") {
      if (isInside && continueLeaf(open, rest)) return;
      open = undefined;
    }
    let opensContainer = false;
    for (;;) {
      const paragraph = open?.by === "text" ? open.leaf : undefined;
      const inParagraph = paragraph !== undefined && !opensContainer;
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
      if (inner && containers.length < maxContainers) {
        closeTo(depth);
        open = undefined;
        containers.push(inner.container);
        rest = inner.rest;
        depth++;
        opensContainer = true;
        continue;
      }
      const underline = /^ {0,3}(=+|-+)\s*$/.exec(rest)?.[1];
      if (underline && paragraph && inParagraph && depth === containers.length) {
        if (convertToHeading(paragraph, underline)) return;
        break;
      }
      if (startBlock(rest, number, depth, inParagraph)) return;
      break;
    }
    if (open?.by === "text" && !opensContainer) {
      open.leaf.lines.push(rest.trimStart());
      return;
    }
    closeTo(depth);
    begin({ kind: "paragraph", line: number, lines: [rest.trimStart()] }, "text");
  }

  /** Setext heading: false if the paragraph consists only of link definitions. */
  function convertToHeading(paragraph: LeafBlock, underline: string): boolean {
    const definitions = countDefinitionLines(paragraph.lines);
    if (definitions === paragraph.lines.length) return false;
    const lines = paragraph.lines.splice(definitions);
    if (definitions === 0) leaves.pop();
    const depth = underline[0] === "=" ? 1 : 2;
    leaves.push({ kind: "heading", line: paragraph.line + definitions, lines, depth });
    open = undefined;
    return true;
  }

  /** Starts the block that a line opens; false if the line is paragraph text. */
  function startBlock(rest: string, number: number, depth: number, inParagraph: boolean): boolean {
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
      const leaf: LeafBlock = {
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
      const leaf: LeafBlock = { kind: "html", line: number, lines: [rest] };
      push(leaf);
      open = block.end?.test(rest.slice(block.skip)) ? undefined : { leaf, by: "html", block };
      return true;
    }
    if (!isRule(rest)) return false;
    closeTo(depth);
    open = undefined;
    return true;
  }

  function push(leaf: LeafBlock): void {
    for (const container of containers) if (container.kind === "item") container.isEmpty = false;
    leaves.push(leaf);
  }

  function begin(leaf: LeafBlock, by: "text" | "indent"): void {
    push(leaf);
    open = { leaf, by };
  }

  function closeTo(depth: number): void {
    if (containers.length === depth) return;
    containers = containers.slice(0, depth);
    open = undefined;
  }
}

/** The rest of a line inside an open container; undefined if the line ends the container. */
function stripContainer(container: Container | undefined, line: string): string | undefined {
  if (container?.kind === "quote")
    return /^ {0,3}> ?/.test(line) ? line.replace(/^ {0,3}> ?/, "") : undefined;
  if (!container) return undefined;
  if (isBlank(line)) return container.isEmpty ? undefined : line;
  return indentOf(line) >= container.indent ? line.slice(container.indent) : undefined;
}

/** The quote, list item or footnote that starts at this line. */
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

/** Adds a line to an open code or HTML block; false if the block has ended. */
function continueLeaf(
  open: Exclude<OpenLeafBlock, { by: "text" }> | OpenLeafBlock,
  rest: string,
): boolean {
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
  if (block.isClosed) return false;
  if (!block.end && isBlank(rest)) return false;
  lines.push(rest);
  if (block.end?.test(rest)) block.isClosed = true;
  return true;
}

const isBlank = (line: string): boolean => line.trim() === "";

const indentOf = (line: string): number => line.length - line.trimStart().length;

/** A thematic break: `---`, `* * *`. */
const isRule = (line: string): boolean => /^ {0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}$/.test(line);

/** Expands tabs before the text to tab stops of four columns. */
function expandTabs(line: string): string {
  const prefix = /^[\s>*+\-\d.)]*/.exec(line)?.[0] ?? "";
  if (!prefix.includes("\t")) return line;
  let expanded = "";
  for (const char of prefix)
    expanded += char === "\t" ? " ".repeat(4 - (expanded.length % 4)) : char;
  return expanded + line.slice(prefix.length);
}

/** The number of lines at the start of a paragraph that are link definitions. */
function countDefinitionLines(lines: readonly string[]): number {
  const text = lines.join("\n");
  let end = 0;
  for (let next = linkDefinitionAt(text, 0); next; next = linkDefinitionAt(text, end))
    end = next.end;
  return end >= text.length ? lines.length : text.slice(0, end).split("\n").length - 1;
}
