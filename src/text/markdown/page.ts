import { anchorNames } from "../anchors.ts";
import { countBelow } from "../ascending.ts";
import { cellsOf, isTableRule } from "./cells.ts";
import { definitionAt } from "./destinations.ts";
import { anchorWords, titleFrom } from "./heading-words.ts";
import { type Definition, type Definitions, readInline } from "./inline.ts";
import { type Flavour, type Leaf, leavesOf } from "./leaves.ts";
import { addressesIn, idsIn, type Tag, tagsOf } from "./tags.ts";
import { withEntities } from "./written.ts";

type LinkKind = "link" | "image" | "autolink" | "html";

export interface PageLink {
  kind: LinkKind;
  /** Undefined where a reference is defined nowhere. */
  destination: string | undefined;
  line: number;
  /** As it is written, up to some length. */
  written: string;
  /** The line of its definition, where it has one. */
  definedAt?: number;
}

/** `[[Note#Heading]]` on a page. */
interface WikiMention {
  /** The name, and the heading behind `#`. */
  destination: string;
  line: number;
}

export interface PageHeading {
  depth: number;
  /** As a reader sees it. */
  title: string;
  line: number;
  anchor: string;
}

/** Code within the text. */
interface CodeSpan {
  text: string;
  line: number;
}

/** A page of Markdown, as far as links and what they lead to are concerned. */
export interface Page {
  links: PageLink[];
  /** Links by a document's name: what they lead to is not said by the page alone. */
  wikiLinks: WikiMention[];
  headings: PageHeading[];
  /** What can stand behind `#`: headings' anchors, ids that the author gave, in tags too. */
  anchors: ReadonlySet<string>;
  definitions: Definitions;
  codes: Extract<Leaf, { kind: "code" }>[];
  spans: CodeSpan[];
  leaves: Leaf[];
}

const longestWritten = 120;

/** Names that generators know: `{: #id }` behind a text, `(label)=` on a line of its own. */
const namedPlace = /\{:?[ \t]*#([\w:.-]{1,200})[^{}\n]{0,200}\}|^\(([\w:.-]{1,200})\)=$/gm;

export function readPage(lines: readonly string[], flavour: Flavour = {}): Page {
  const leaves = leavesOf(lines, flavour);
  const definitions = new Map<string, Definition>();
  const texts = new Map(leaves.map((leaf) => [leaf, withoutDefinitions(leaf, definitions)]));
  const page = {
    links: [] as PageLink[],
    wikiLinks: [] as WikiMention[],
    headings: [] as PageHeading[],
    anchors: new Set<string>(),
    codes: leaves.filter((leaf) => leaf.kind === "code"),
    spans: [] as CodeSpan[],
  };
  const nameOf = anchorNames();
  for (const leaf of leaves) {
    if (leaf.kind === "code") continue;
    if (leaf.kind === "html") {
      const text = leaf.lines.join("\n");
      takeTags([...tagsOf(text)], text, leaf.line);
      continue;
    }
    for (const { text, line } of texts.get(leaf) ?? []) takeText(text, line);
    if (leaf.kind === "heading") takeHeading(leaf.lines.join(" "), leaf.depth, leaf.line);
  }
  return { ...page, definitions, leaves };

  function takeText(text: string, firstLine: number): void {
    for (const [, id, label] of text.matchAll(namedPlace)) page.anchors.add(id ?? label ?? "");
    const { links, tags, codes } = readInline(text, definitions);
    const lineAt = linesBefore(text, firstLine);
    for (const { kind, destination, at, written, definition } of links) {
      if (kind === "wiki") {
        page.wikiLinks.push({ destination: destination ?? "", line: lineAt(at) });
        continue;
      }
      const shown = written.slice(0, longestWritten).replace(/\s+/g, " ");
      const definedAt = definition && { definedAt: definition.line };
      page.links.push({ kind, destination, line: lineAt(at), written: shown, ...definedAt });
    }
    for (const [start, end] of codes) {
      page.spans.push({ text: text.slice(start, end).trim(), line: lineAt(start) });
    }
    takeTags(tags, text, firstLine);
  }

  function takeTags(tags: readonly Tag[], text: string, firstLine: number): void {
    const lineAt = linesBefore(text, firstLine);
    for (const [index, tag] of tags.entries()) {
      const line = lineAt(tag.start);
      const written = text.slice(tag.start, Math.min(tag.end, tag.start + longestWritten));
      for (const destination of addressesIn(tag)) {
        page.links.push({ kind: "html", destination, line, written: written.replace(/\s+/g, " ") });
      }
      for (const id of idsIn(tag)) page.anchors.add(id);
      const depth = /^h([1-6])$/.exec(tag.name)?.[1];
      const close =
        depth && tags.slice(index + 1, index + 200).find(({ name }) => name === `/h${depth}`);
      if (depth && close) addHeading(textBetween(tags, text, tag, close), Number(depth), line);
    }
  }

  /** `## Title {#id}`: an id that the author gave stands beside the one that is made. */
  function takeHeading(written: string, depth: number, line: number): void {
    const given = /\{([^{}]*)\}\s*$/.exec(written)?.[1] ?? "";
    const own = /^.*#(\S+)/s.exec(given)?.[1];
    if (own !== undefined) page.anchors.add(own);
    addHeading(anchorWords(written, definitions), depth, line);
  }

  function addHeading(words: string, depth: number, line: number): void {
    const anchor = nameOf(words);
    page.headings.push({ depth, title: titleFrom(words), line, anchor });
    if (anchor !== "") page.anchors.add(anchor);
  }
}

/** The texts of a leaf that links are looked for in; definitions at its head are taken out. */
function withoutDefinitions(
  leaf: Leaf,
  definitions: Map<string, Definition>,
): { text: string; line: number }[] {
  if (leaf.kind === "heading") return [{ text: leaf.lines.join("\n"), line: leaf.line }];
  if (leaf.kind !== "paragraph") return [];
  const whole = leaf.lines.join("\n");
  const lineAt = linesBefore(whole, leaf.line);
  let start = 0;
  for (let found = definitionAt(whole, 0); found; found = definitionAt(whole, start)) {
    const { label, destination, end } = found;
    // Of two definitions with one label the first counts.
    if (!definitions.has(label)) definitions.set(label, { destination, line: lineAt(start) });
    start = end;
    if (start >= whole.length) return [];
  }
  const text = whole.slice(start);
  const lines = text.split("\n");
  const rule = lines.findIndex((line, index) => isTableRule(lines[index - 1], line));
  const line = lineAt(start);
  if (rule < 1) return [{ text, line }];
  const before = lines.slice(0, rule - 1).join("\n");
  const rows = lines
    .slice(rule - 1)
    .flatMap((row, index) =>
      cellsOf(row).map((cell) => ({ text: cell, line: line + rule - 1 + index })),
    );
  return [...(before === "" ? [] : [{ text: before, line }]), ...rows];
}

/** The line of a place; places are asked for in any order. */
function linesBefore(text: string, firstLine: number): (at: number) => number {
  if (!text.includes("\n")) return () => firstLine;
  const ends: number[] = [];
  for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", end + 1)) ends.push(end);
  return (at) => firstLine + countBelow(ends, (end) => end < at);
}

/** What is seen between two tags, without those in between. */
function textBetween(tags: readonly Tag[], text: string, from: Tag, to: Tag): string {
  let seen = "";
  let at = from.end;
  for (const tag of tags) {
    if (tag.start < at || tag.start > to.start) continue;
    seen += text.slice(at, tag.start);
    at = tag.end;
  }
  return withEntities(seen).replace(/\s+/g, " ").trim();
}
