import { countBelow } from "../arrays/binary-search.ts";
import { createAnchorNamer } from "./heading-anchors.ts";
import { anchorText, visibleTitle } from "./heading-text.ts";
import { findHtmlTags, type HtmlTag, tagAddresses, tagIds } from "./html-tags.ts";
import { type LinkDefinition, type LinkDefinitions, parseInline } from "./inline.ts";
import { type LeafBlock, type MarkdownFlavour, parseLeafBlocks } from "./leaf-blocks.ts";
import { linkDefinitionAt } from "./link-syntax.ts";
import { isTableDelimiter, splitTableRow } from "./table-cells.ts";
import { decodeHtmlEntities } from "./unescape.ts";

type LinkKind = "link" | "image" | "autolink" | "html";

export interface PageLink {
  kind: LinkKind;
  /** Undefined for a reference without a definition. */
  destination: string | undefined;
  line: number;
  /** The source text, shortened. */
  written: string;
  /** The line of the definition, if any. */
  definedAt?: number;
}

/** `[[Note#Heading]]` on a page. */
interface WikiMention {
  /** `Note#Heading`. */
  destination: string;
  line: number;
}

export interface PageHeading {
  depth: number;
  /** The visible text. */
  title: string;
  line: number;
  anchor: string;
}

interface CodeSpan {
  text: string;
  line: number;
}

/** A parsed Markdown page: its links, anchors and code. */
export interface MarkdownPage {
  links: PageLink[];
  /** Links by document name, which can only be resolved with the other documents. */
  wikiLinks: WikiMention[];
  headings: PageHeading[];
  /** All valid fragments: heading anchors, explicit ids and ids of HTML tags. */
  anchors: ReadonlySet<string>;
  definitions: LinkDefinitions;
  codeBlocks: Extract<LeafBlock, { kind: "code" }>[];
  codeSpans: CodeSpan[];
  leaves: LeafBlock[];
}

const maxExcerptLength = 120;

/** Explicit anchors of site generators: `{: #id }` after a text, `(label)=` on a separate line. */
const explicitAnchorPattern =
  /\{:?[ \t]*#([\w:.-]{1,200})[^{}\n]{0,200}\}|^\(([\w:.-]{1,200})\)=$/gm;

export function parseMarkdownPage(
  lines: readonly string[],
  flavour: MarkdownFlavour = {},
): MarkdownPage {
  const leaves = parseLeafBlocks(lines, flavour);
  const definitions = new Map<string, LinkDefinition>();
  const texts = new Map(leaves.map((leaf) => [leaf, extractDefinitions(leaf, definitions)]));
  const page = {
    links: [] as PageLink[],
    wikiLinks: [] as WikiMention[],
    headings: [] as PageHeading[],
    anchors: new Set<string>(),
    codeBlocks: leaves.filter((leaf) => leaf.kind === "code"),
    codeSpans: [] as CodeSpan[],
  };
  const nameOf = createAnchorNamer();
  for (const leaf of leaves) {
    if (leaf.kind === "code") continue;
    if (leaf.kind === "html") {
      const text = leaf.lines.join("\n");
      readTags([...findHtmlTags(text)], text, leaf.line);
      continue;
    }
    for (const { text, line } of texts.get(leaf) ?? []) readTextLinks(text, line);
    if (leaf.kind === "heading") readHeading(leaf.lines.join(" "), leaf.depth, leaf.line);
  }
  return { ...page, definitions, leaves };

  function readTextLinks(text: string, firstLine: number): void {
    for (const [, id, label] of text.matchAll(explicitAnchorPattern))
      page.anchors.add(id ?? label ?? "");
    const { links, tags, codeRanges } = parseInline(text, definitions);
    const lineAt = createLineLookup(text, firstLine);
    for (const { kind, destination, at, written, definition } of links) {
      if (kind === "wiki") {
        page.wikiLinks.push({ destination: destination ?? "", line: lineAt(at) });
        continue;
      }
      const excerpt = written.slice(0, maxExcerptLength).replace(/\s+/g, " ");
      const definedAt = definition && { definedAt: definition.line };
      page.links.push({ kind, destination, line: lineAt(at), written: excerpt, ...definedAt });
    }
    for (const [start, end] of codeRanges) {
      page.codeSpans.push({ text: text.slice(start, end).trim(), line: lineAt(start) });
    }
    readTags(tags, text, firstLine);
  }

  function readTags(tags: readonly HtmlTag[], text: string, firstLine: number): void {
    const lineAt = createLineLookup(text, firstLine);
    for (const [index, tag] of tags.entries()) {
      const line = lineAt(tag.start);
      const written = text.slice(tag.start, Math.min(tag.end, tag.start + maxExcerptLength));
      for (const destination of tagAddresses(tag)) {
        page.links.push({ kind: "html", destination, line, written: written.replace(/\s+/g, " ") });
      }
      for (const id of tagIds(tag)) page.anchors.add(id);
      const depth = /^h([1-6])$/.exec(tag.name)?.[1];
      const close =
        depth && tags.slice(index + 1, index + 200).find(({ name }) => name === `/h${depth}`);
      if (depth && close) addHeading(textBetween(tags, text, tag, close), Number(depth), line);
    }
  }

  /** An explicit id, `## Title {#id}`, is valid in addition to the generated anchor. */
  function readHeading(source: string, depth: number, line: number): void {
    const attributes = /\{([^{}]*)\}\s*$/.exec(source)?.[1] ?? "";
    const explicitId = /^.*#(\S+)/s.exec(attributes)?.[1];
    if (explicitId !== undefined) page.anchors.add(explicitId);
    addHeading(anchorText(source, definitions), depth, line);
  }

  function addHeading(text: string, depth: number, line: number): void {
    const anchor = nameOf(text);
    page.headings.push({ depth, title: visibleTitle(text), line, anchor });
    if (anchor !== "") page.anchors.add(anchor);
  }
}

/** Moves link definitions from the start of a leaf to the map, and returns its inline texts. */
function extractDefinitions(
  leaf: LeafBlock,
  definitions: Map<string, LinkDefinition>,
): { text: string; line: number }[] {
  if (leaf.kind === "heading") return [{ text: leaf.lines.join("\n"), line: leaf.line }];
  if (leaf.kind !== "paragraph") return [];
  const whole = leaf.lines.join("\n");
  const lineAt = createLineLookup(whole, leaf.line);
  let start = 0;
  for (let next = linkDefinitionAt(whole, 0); next; next = linkDefinitionAt(whole, start)) {
    const { label, destination, end } = next;
    // The first definition of a label wins.
    if (!definitions.has(label)) definitions.set(label, { destination, line: lineAt(start) });
    start = end;
    if (start >= whole.length) return [];
  }
  const text = whole.slice(start);
  const lines = text.split("\n");
  const delimiter = lines.findIndex((line, index) => isTableDelimiter(lines[index - 1], line));
  const line = lineAt(start);
  if (delimiter < 1) return [{ text, line }];
  const before = lines.slice(0, delimiter - 1).join("\n");
  const rows = lines
    .slice(delimiter - 1)
    .flatMap((row, index) =>
      splitTableRow(row).map((cell) => ({ text: cell, line: line + delimiter - 1 + index })),
    );
  return [...(before === "" ? [] : [{ text: before, line }]), ...rows];
}

/** Maps offsets to line numbers, in any order. */
function createLineLookup(text: string, firstLine: number): (at: number) => number {
  if (!text.includes("\n")) return () => firstLine;
  const ends: number[] = [];
  for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", end + 1)) ends.push(end);
  return (at) => firstLine + countBelow(ends, (end) => end < at);
}

/** The visible text between two tags. */
function textBetween(tags: readonly HtmlTag[], text: string, from: HtmlTag, to: HtmlTag): string {
  let visible = "";
  let at = from.end;
  for (const tag of tags) {
    if (tag.start < at || tag.start > to.start) continue;
    visible += text.slice(at, tag.start);
    at = tag.end;
  }
  return decodeHtmlEntities(visible).replace(/\s+/g, " ").trim();
}
