import { type Layout, preambleEnd, sectionNamed } from "./layout.ts";

/** How one record stands to another, as far as both sides have words for it. */
export type Relation = "supersedes" | "superseded by" | "amends" | "amended by" | "other";

/** What a record says of another one. */
export interface RecordLink {
  /** The words as written: `Supersedes`, `Augmented by`. */
  verb: string;
  relation: Relation;
  /** True where only a part of a decision is meant. */
  partial: boolean;
  /** What the link is called, or the other record's name. */
  text: string;
  /** Where it leads, where it is a link at all. */
  href: string | null;
  /** Counted from one. */
  line: number;
}

/** From the status, the front matter, the lines under the title, lists of links, and plain sentences. */
export function linksOf(layout: Layout): RecordLink[] {
  const found = new Map<string, RecordLink>();
  for (const places of [inFrontmatter, inStatements, inSentences]) {
    for (const link of places(layout)) {
      const { relation, verb, href, text } = link;
      const key = `${relation === "other" ? verb.toLowerCase() : relation} ${href ?? text}`;
      if (!found.has(key)) found.set(key, link);
      if (found.size >= mostLinks) return [...found.values()];
    }
  }
  return [...found.values()];
}

/** More than any decision has to do with. */
const mostLinks = 200;

const relations: [Relation, RegExp][] = [
  ["superseded by", /\b(?:super[sc]ee?ded|replaced|obsoleted)[ _-]by\b/i],
  ["amended by", /\bamended[ _-]by\b/i],
  ["supersedes", /\b(?:super[sc]ee?des|replaces|obsoletes)\b/i],
  ["amends", /\bamends\b/i],
];

export const relationOf = (verb: string): Relation =>
  relations.find(([, words]) => words.test(verb))?.[0] ?? "other";

const isPartial = (words: string): boolean =>
  /\b(part|partly|partially|parts|some|aspects?|portions?)\b/i.test(words);

/** `status: superseded by ADR-0123`, `superseded-by: 0005-example.md`, `amends: [3, 4]`. */
function* inFrontmatter({ lines, head }: Layout): Generator<RecordLink> {
  for (let line = 2; line < head; line++) {
    const said = /^([A-Za-z][\w -]*?)[ \t]*:[ \t]+(.*)$/.exec(lines[line - 1] ?? "");
    const [, key = "", value = ""] = said ?? [];
    if (/^status$/i.test(key)) yield* linksIn(value.replace(/^["']|["']\s*$/g, ""), line, false);
    else if (relationOf(key) === "other") continue;
    else if (value.includes("](")) yield* linksIn(`${key} ${value}`, line, false);
    else yield* namesAfter(key, value, line);
  }
}

/** Lines whose business it is to name other records. */
function* inStatements(layout: Layout): Generator<RecordLink> {
  const { lines, head } = layout;
  const end = preambleEnd(layout);
  for (let line = head + 1; line <= end; line++) {
    const written = lines[line - 1] ?? "";
    if (isRelated(written) || /^\W*status\W/i.test(written)) yield* linksIn(written, line, false);
  }
  for (const name of [
    /^status$/i,
    /^(links?|related.*|relations?|references|more information)$/i,
  ]) {
    const section = sectionNamed(layout, name);
    const isStatus = name.test("status");
    for (let line = section?.line ?? lines.length; line < (section?.endLine ?? 0); line++) {
      const written = lines[line] ?? "";
      if (isStatus || /^\s*[-*+]\s/.test(written)) yield* linksIn(written, line + 1, true);
    }
  }
}

/** Whether a line begins with a relation: `- Supersedes: ADR-3`. */
function isRelated(line: string): boolean {
  const words = line.slice(0, 80).replace(/^[\s\-*+>_]*/, "");
  return relations.some(([, pattern]) => words.search(pattern) === 0);
}

/** A longer line is data, and no sentence about a decision. */
const longestLine = 10_000;

const markdownLink = /\[([^\][]{0,300})\]\(<?([^()\s<>]{1,1000})>?[^()]{0,300}\)/g;

/**
 * The links of a line, each with the words before it; one that follows after a comma or `and`
 * shares them. Any words do where `free`; else only those of a known relation, or of a status.
 */
function* linksIn(written: string, line: number, free: boolean): Generator<RecordLink> {
  if (written.length > longestLine) return;
  const text = written.replace(/^[\s\-*+>]*[*_]{0,2}status[*_]{0,2}\s*:[*_]{0,2}/i, "");
  let verb = "";
  let end = 0;
  let count = 0;
  for (const match of text.matchAll(markdownLink)) {
    const [whole, name = "", href = ""] = match;
    const words = text.slice(end, match.index);
    end = match.index + whole.length;
    if (!/^[\s,;&]*(and)?[\s,;&]*$/i.test(words) || verb === "") verb = verbIn(words);
    if (!isRecordLink(href, verb)) continue;
    count++;
    if (verb === "" && !free) continue;
    yield link(verb || "Relates to", words, name, href, line);
  }
  if (count === 0) yield* bareNames(text, line);
}

/** `Superseded by ADR-0123 and ADR-0124`, without any link to a record. */
function* bareNames(text: string, line: number): Generator<RecordLink> {
  for (const [, pattern] of relations) {
    const verb = pattern.exec(text);
    if (!verb) continue;
    yield* namesAfter(verb[0], text.slice(verb.index + verb[0].length), line, text);
    return;
  }
}

const bareName =
  /^(?:adr[-\s#]*|#)?\d{1,9}(?![\w-]|\.\w)|^(?:adr-)?\d{1,9}-[\p{L}\p{N}_-]{1,200}(?:\.md)?|^[\p{L}\p{N}_./-]{1,200}\.md/iu;

function* namesAfter(
  verb: string,
  value: string,
  line: number,
  words = verb,
): Generator<RecordLink> {
  let rest = value.slice(0, longestLine);
  for (;;) {
    rest = rest.replace(/^[\s:,;&["'\]]*(?:and\s+)?["']?/i, "");
    const name = bareName.exec(rest)?.[0];
    if (name === undefined) return;
    yield link(verb.replace(/[_-]/g, " "), words, name, null, line);
    rest = rest.slice(name.length);
  }
}

/** The last few words before a link, without what belongs to the list or to the status. */
function verbIn(words: string): string {
  const plain = words
    .replace(/[*_`]/g, "")
    .replace(/^[\s\-+>]+/, "")
    .replace(/[\s:(]+$/, "");
  const known = relations.map(([, pattern]) => pattern.exec(plain)).find((match) => match);
  if (known) return known[0].replace(/[_-]/g, " ");
  const last = plain.slice(plain.search(/[^.,;:!?)\]]*$/)).trim();
  return last.length <= 40 && /^[\p{L}][\p{L}\p{N} '’-]*$/u.test(last) ? last : "";
}

/** A page of the web is a record only where the words before it say so. */
function isRecordLink(href: string, verb: string): boolean {
  if (href.startsWith("#")) return false;
  if (/^[a-z][a-z0-9+.-]*:/i.test(href))
    return /^https?:/i.test(href) && relationOf(verb) !== "other";
  return /\.(md|markdown)(#.*)?$/i.test(href);
}

const link = (
  verb: string,
  words: string,
  text: string,
  href: string | null,
  line: number,
): RecordLink => ({
  verb,
  relation: relationOf(verb),
  partial: isPartial(words),
  text: text.trim(),
  href,
  line,
});

/**
 * `This record supersedes some aspects of [ADR-15](…) and [ADR-16](…).` Only sentences about this
 * record, or about something in it, count: others tell of decisions elsewhere.
 */
function* inSentences({ lines, head }: Layout): Generator<RecordLink> {
  for (let index = head; index < lines.length; index++) {
    const written = lines[index] ?? "";
    if (written.length > longestLine || !/super[sc]ee?d/i.test(written)) continue;
    for (const sentence of written.split(/(?<=[.!?][*_]{0,2})\s+/)) {
      yield* inSentence(sentence, index + 1);
    }
  }
}

const aboutRecord = /^this (adr|record|decision|document|proposal|architecture decision)\b/i;

function* inSentence(sentence: string, line: number): Generator<RecordLink> {
  const verb = /\bsuper[sc]ee?d(?:es|ed by)\b/i.exec(sentence);
  if (!verb) return;
  const subject = /\b(?:this|these)\b[^.[\]]*$/i.exec(
    sentence.slice(0, verb.index).slice(-200),
  )?.[0];
  if (subject === undefined) return;
  const rest = sentence.slice(verb.index + verb[0].length);
  const words = `${subject}${rest.slice(0, Math.max(rest.indexOf("["), 0))}`;
  const partial = isPartial(words) || !aboutRecord.test(subject);
  for (const found of linksIn(`${verb[0]} ${rest}`, line, false)) {
    if (found.href !== null) yield { ...found, partial };
  }
}
