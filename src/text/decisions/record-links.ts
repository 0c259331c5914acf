import { elementAt } from "../arrays/element-at.ts";
import { findRecordSection, preambleEnd, type RecordLayout } from "./record-layout.ts";

/** The relation of one record to another. */
export type Relation = "supersedes" | "superseded by" | "amends" | "amended by" | "other";

/** A reference to another record. */
export interface RecordLink {
  /** As written: `Supersedes`, `Augmented by`. */
  verb: string;
  relation: Relation;
  /** True if it applies to a part of a decision only. */
  partial: boolean;
  /** The link text, or the name of the other record. */
  text: string;
  /** The link destination; null for a plain name. */
  href: string | null;
  /** Counted from 1. */
  line: number;
}

/** Reads links from front matter, status, lines under the title, link lists and sentences. */
export function readRecordLinks(layout: RecordLayout): RecordLink[] {
  const links = new Map<string, RecordLink>();
  for (const readLinks of [linksInFrontmatter, linksInStatements, linksInSentences]) {
    for (const link of readLinks(layout)) {
      const { relation, verb, href, text } = link;
      const key = `${relation === "other" ? verb.toLowerCase() : relation} ${href ?? text}`;
      if (!links.has(key)) links.set(key, link);
      if (links.size >= maxLinks) return [...links.values()];
    }
  }
  return [...links.values()];
}

const maxLinks = 200;

const relations: [Relation, RegExp][] = [
  ["superseded by", /\b(?:super[sc]ee?ded|replaced|obsoleted)[ _-]by\b/i],
  ["amended by", /\bamended[ _-]by\b/i],
  ["supersedes", /\b(?:super[sc]ee?des|replaces|obsoletes)\b/i],
  ["amends", /\bamends\b/i],
];

export const parseRelation = (verb: string): Relation =>
  relations.find(([, words]) => words.test(verb))?.[0] ?? "other";

const isPartial = (words: string): boolean =>
  /\b(part|partly|partially|parts|some|aspects?|portions?)\b/i.test(words);

/** `status: superseded by ADR-0123`, `superseded-by: 0005-example.md`, `amends: [3, 4]`. */
function* linksInFrontmatter({ lines, frontmatterLines }: RecordLayout): Generator<RecordLink> {
  for (let line = 2; line < frontmatterLines; line++) {
    const match = /^([A-Za-z][\w -]*?)[ \t]*:[ \t]+(.*)$/.exec(elementAt(lines, line - 1));
    const [, key = "", value = ""] = match ?? [];
    if (/^status$/i.test(key))
      yield* linksInLine(value.replace(/^["']|["']\s*$/g, ""), line, false);
    else if (parseRelation(key) === "other") continue;
    else if (value.includes("](")) yield* linksInLine(`${key} ${value}`, line, false);
    else yield* linksToNames(key, value, line);
  }
}

/** Lines that are expected to name other records. */
function* linksInStatements(layout: RecordLayout): Generator<RecordLink> {
  const { lines, frontmatterLines } = layout;
  const end = preambleEnd(layout);
  for (let line = frontmatterLines + 1; line <= end; line++) {
    const written = elementAt(lines, line - 1);
    if (isRelated(written) || /^\W*status\W/i.test(written))
      yield* linksInLine(written, line, false);
  }
  for (const name of [
    /^status$/i,
    /^(links?|related.*|relations?|references|more information)$/i,
  ]) {
    const section = findRecordSection(layout, name);
    const isStatus = name.test("status");
    for (let line = section?.line ?? lines.length; line < (section?.endLine ?? 0); line++) {
      const written = elementAt(lines, line);
      if (isStatus || /^\s*[-*+]\s/.test(written)) yield* linksInLine(written, line + 1, true);
    }
  }
}

/** Whether a line starts with a relation: `- Supersedes: ADR-3`. */
function isRelated(line: string): boolean {
  const words = line.slice(0, 80).replace(/^[\s\-*+>_]*/, "");
  return relations.some(([, pattern]) => words.search(pattern) === 0);
}

/** Longer lines are data. */
const maxLineLength = 10_000;

const markdownLink = /\[([^\][]{0,300})\]\(<?([^()\s<>]{1,1000})>?[^()]{0,300}\)/g;

/**
 * The links of a line, with the verb before each; links joined by a comma or `and` share a verb.
 * With `allowNoVerb`, a link without a verb counts as "Relates to".
 */
function* linksInLine(written: string, line: number, allowNoVerb: boolean): Generator<RecordLink> {
  if (written.length > maxLineLength) return;
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
    if (verb === "" && !allowNoVerb) continue;
    yield createRecordLink(verb || "Relates to", words, name, href, line);
  }
  if (count === 0) yield* bareNames(text, line);
}

/** `Superseded by ADR-0123 and ADR-0124`, without Markdown links. */
function* bareNames(text: string, line: number): Generator<RecordLink> {
  for (const [, pattern] of relations) {
    const verb = pattern.exec(text);
    if (!verb) continue;
    yield* linksToNames(verb[0], text.slice(verb.index + verb[0].length), line, text);
    return;
  }
}

const bareName =
  /^(?:adr[-\s#]*|#)?\d{1,9}(?![\w-]|\.\w)|^(?:adr-)?\d{1,9}-[\p{L}\p{N}_-]{1,200}(?:\.md)?|^[\p{L}\p{N}_./-]{1,200}\.md/iu;

function* linksToNames(
  verb: string,
  value: string,
  line: number,
  words = verb,
): Generator<RecordLink> {
  let rest = value.slice(0, maxLineLength);
  for (;;) {
    rest = rest.replace(/^[\s:,;&["'\]]*(?:and\s+)?["']?/i, "");
    const name = bareName.exec(rest)?.[0];
    if (name === undefined) return;
    yield createRecordLink(verb.replace(/[_-]/g, " "), words, name, null, line);
    rest = rest.slice(name.length);
  }
}

/** The verb before a link: a known relation, or the last words without list markers. */
function verbIn(words: string): string {
  const plain = words
    .replace(/[*_`]/g, "")
    .replace(/^[\s\-+>]+/, "")
    .replace(/[\s:(]+$/, "");
  const relation = relations.map(([, pattern]) => pattern.exec(plain)).find((match) => match);
  if (relation) return relation[0].replace(/[_-]/g, " ");
  const last = plain.slice(plain.search(/[^.,;:!?)\]]*$/)).trim();
  return last.length <= 40 && /^[\p{L}][\p{L}\p{N} '’-]*$/u.test(last) ? last : "";
}

/** A web address counts as a record only if a known relation precedes it. */
function isRecordLink(href: string, verb: string): boolean {
  if (href.startsWith("#")) return false;
  if (/^[a-z][a-z0-9+.-]*:/i.test(href))
    return /^https?:/i.test(href) && parseRelation(verb) !== "other";
  return /\.(md|markdown)(#.*)?$/i.test(href);
}

const createRecordLink = (
  verb: string,
  words: string,
  text: string,
  href: string | null,
  line: number,
): RecordLink => ({
  verb,
  relation: parseRelation(verb),
  partial: isPartial(words),
  text: text.trim(),
  href,
  line,
});

/**
 * `This record supersedes some aspects of [ADR-15](…) and [ADR-16](…).` Only sentences about this
 * record or a part of it count; others describe other decisions.
 */
function* linksInSentences({ lines, frontmatterLines }: RecordLayout): Generator<RecordLink> {
  for (let index = frontmatterLines; index < lines.length; index++) {
    const written = elementAt(lines, index);
    if (written.length > maxLineLength || !/super[sc]ee?d/i.test(written)) continue;
    for (const sentence of written.split(/(?<=[.!?][*_]{0,2})\s+/)) {
      yield* linksInSentence(sentence, index + 1);
    }
  }
}

const aboutRecord = /^this (adr|record|decision|document|proposal|architecture decision)\b/i;

function* linksInSentence(sentence: string, line: number): Generator<RecordLink> {
  const verb = /\bsuper[sc]ee?d(?:es|ed by)\b/i.exec(sentence);
  if (!verb) return;
  const subject = /\b(?:this|these)\b[^.[\]]*$/i.exec(
    sentence.slice(0, verb.index).slice(-200),
  )?.[0];
  if (subject === undefined) return;
  const rest = sentence.slice(verb.index + verb[0].length);
  const words = `${subject}${rest.slice(0, Math.max(rest.indexOf("["), 0))}`;
  const partial = isPartial(words) || !aboutRecord.test(subject);
  for (const link of linksInLine(`${verb[0]} ${rest}`, line, false)) {
    if (link.href !== null) yield { ...link, partial };
  }
}
