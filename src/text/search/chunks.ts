import { elementAt } from "../arrays/element-at.ts";
import { splitSections } from "../markdown/headings.ts";
import { splitsSurrogatePair } from "../strings/surrogates.ts";
import {
  boundaryKinds,
  type ChunkUnit,
  leadingHeadingLines,
  splitIntoUnits,
} from "./chunk-units.ts";

/** A part of a document that fits into the input of an embedding model. */
export interface Chunk {
  /**
   * The heading path, outermost first. Outer headings are dropped if the path would take more than
   * half of the token limit, or if a code fence would have to be split.
   */
  headings: string[];
  /** The first line in the document, counted from 1. */
  line: number;
  endLine: number;
  text: string;
}

export interface ChunkOptions {
  /**
   * Counts the model's tokens. May be slow: each character is counted about once. The counts of
   * parts separated by a space must add up to the count of the whole.
   */
  countTokens(text: string): number;
  /** The limit for `embeddingInput`, in tokens. */
  maxTokens: number;
}

/**
 * Cuts a document at headings, then sections that are too long at paragraphs and code fences. A
 * paragraph or fence that is too long by itself is cut at lines, then sentences, words and
 * characters. Short parts under the same heading are packed into one chunk.
 */
export function splitIntoChunks(lines: readonly string[], options: ChunkOptions): Chunk[] {
  const budget = createTokenBudget(options);
  return mergeSections(lines).flatMap((span) => [...chunkSpan(lines, span, budget)]);
}

/** The text to embed: the heading path and the content. Equal inputs need only one embedding. */
export function embeddingInput({ headings, text }: Pick<Chunk, "headings" | "text">): string {
  const lines = text.split("\n");
  // The path already contains these headings.
  const body = lines.slice(leadingHeadingLines(lines, (title) => headings.includes(title)));
  return `${pathLine(headings)}${body.join("\n").trim()}`.trimEnd();
}

const pathLine = (headings: readonly string[]): string =>
  headings.length === 0 ? "" : `${headings.join(" > ")}\n`;

interface SectionSpan {
  headings: string[];
  line: number;
  endLine: number;
}

/**
 * Rejoins the pieces of long sections, because `splitSections` may cut through code fences. The
 * pieces of one section share the same `headings` array.
 */
function mergeSections(lines: readonly string[]): SectionSpan[] {
  const spans: SectionSpan[] = [];
  for (const { headings, line, endLine } of splitSections(lines)) {
    const previous = spans.at(-1);
    if (previous?.headings === headings) previous.endLine = endLine;
    else spans.push({ headings, line, endLine });
  }
  return spans;
}

function* chunkSpan(
  lines: readonly string[],
  span: SectionSpan,
  budget: TokenBudget,
): Generator<Chunk> {
  const section = openSection(lines.slice(span.line - 1, span.endLine), span.headings, budget);
  const { text, units } = section;
  let { line } = span;
  let lineOffset = 0;
  for (let index = 0; index < units.length; ) {
    const { start } = elementAt(units, index);
    const { end, headings } = nextCut(section, index, budget);
    const content = text.slice(start, end).trimEnd();
    line += countNewlines(text.slice(lineOffset, start));
    lineOffset = start;
    // Indentation longer than the limit gives a blank chunk.
    if (content !== "") {
      yield { headings, line, endLine: line + countNewlines(content), text: content };
    }
    while (index < units.length && elementAt(units, index).end <= end) index++;
    const unit = units[index];
    if (!unit || unit.start >= end) continue;
    // The cut is inside this unit: its rest starts the next chunk.
    const rest = end + text.slice(end, unit.end).search(/\S|$/);
    if (rest === unit.end) index++;
    else units[index] = { start: rest, end: unit.end, boundary: unit.boundary };
  }
}

const countNewlines = (text: string): number => text.split("\n").length - 1;

interface Section {
  text: string;
  /** The innermost headings that fit into half of the token limit. */
  headings: string[];
  pathTokens: number;
  units: ChunkUnit[];
}

function openSection(
  lines: readonly string[],
  allHeadings: readonly string[],
  budget: TokenBudget,
): Section {
  let headings = allHeadings.filter((title) => title !== "");
  let pathTokens = budget.count(pathLine(headings));
  while (pathTokens > budget.maxTokens / 2) {
    headings = headings.slice(1);
    pathTokens = budget.count(pathLine(headings));
  }
  const text = lines.join("\n");
  const units = splitIntoUnits(text);
  // Headings in the path are not embedded twice, so they count for nothing here.
  const headingLines = leadingHeadingLines(lines, (title) => headings.includes(title));
  const headingsEnd = lines.slice(0, headingLines).join("\n").length;
  for (const unit of units) if (unit.start < headingsEnd) unit.tokens = 0;
  return { text, headings, pathTokens, units };
}

interface Cut {
  end: number;
  headings: string[];
}

/** Where to end the chunk that starts with a unit: the last of the best boundaries that fit. */
function nextCut(section: Section, first: number, budget: TokenBudget): Cut {
  const { text, headings, units } = section;
  const { start } = elementAt(units, first);
  let tokens = section.pathTokens;
  let best: ChunkUnit | undefined;
  let index = first;
  for (; index < units.length; index++) {
    const unit = elementAt(units, index);
    if (unit.end - start > budget.maxChars) break;
    unit.tokens ??= budget.count(text.slice(unit.start, unit.end));
    tokens += unit.tokens;
    if (tokens > budget.maxTokens) break;
    if (!best || boundaryKinds.indexOf(unit.boundary) <= boundaryKinds.indexOf(best.boundary))
      best = unit;
  }
  if (best?.boundary === "block") return { end: best.end, headings };
  const fenceCut = cutAroundFence(section, first, budget);
  if (fenceCut) return fenceCut;
  if (best && best.boundary !== "heading") return { end: best.end, headings };
  return { end: cutWithin(section, start, units[index]?.end ?? text.length, budget), headings };
}

/** Keeps a code fence whole, if need be by shortening its path or cutting it from its heading. */
function cutAroundFence(section: Section, first: number, budget: TokenBudget): Cut | undefined {
  const { text, headings, units } = section;
  let index = first;
  while (units[index]?.boundary === "heading") index++;
  const fence = units[index];
  const { start } = elementAt(units, first);
  const end = fence?.fenceEnd;
  if (!fence || end === undefined || end - start > budget.maxChars) return undefined;
  const fits = (path: string[], from: number, to: number) =>
    budget.fits(embeddingInput({ headings: path, text: text.slice(from, to) }));
  if (fits([], start, end)) {
    const paths = headings.map((_, depth) => headings.slice(depth));
    return { end, headings: paths.find((path) => fits(path, start, end)) ?? [] };
  }
  const canSeparate =
    fence.start > start && fits([], fence.start, end) && fits(headings, start, fence.start);
  return canSeparate ? { end: fence.start, headings } : undefined;
}

/** Cuts inside a unit: after a word, or inside a word that is too long by itself. */
function cutWithin(
  { text, headings, pathTokens }: Section,
  start: number,
  end: number,
  budget: TokenBudget,
): number {
  for (let chars = budget.charsFor(budget.maxTokens - pathTokens); ; chars *= 0.8) {
    const stop = Math.min(start + Math.max(Math.floor(chars), 1), end, start + budget.maxChars);
    const boundary = splitsSurrogatePair(text, stop) ? stop + 1 : stop;
    const cut = lastWordEnd(text, start, stop) ?? boundary;
    const input = embeddingInput({ headings, text: text.slice(start, cut) });
    // A single character is never split, even if it does not fit.
    if (budget.fits(input) || stop - start === 1) return cut;
  }
}

function lastWordEnd(text: string, start: number, stop: number): number | undefined {
  const match = /^.*(?:\s|[、，；：])/s.exec(text.slice(start, stop));
  return match && match[0].trim() !== "" ? start + match[0].length : undefined;
}

/** Counts tokens, and learns the ratio of tokens to characters. */
interface TokenBudget {
  maxTokens: number;
  /** Limit on the characters of a chunk, whatever its token count. */
  maxChars: number;
  count(text: string): number;
  fits(text: string): boolean;
  /** Estimates the number of characters in a number of tokens. */
  charsFor(tokens: number): number;
}

function createTokenBudget(options: ChunkOptions): TokenBudget {
  // Models add special tokens around each input: count them once, not for each part.
  const specialTokens = options.countTokens("");
  const maxTokens = options.maxTokens - specialTokens;
  let tokensPerChar = 0.25;
  const count = (text: string): number => {
    const tokens = text === "" ? 0 : options.countTokens(text) - specialTokens;
    if (text.length > 100) tokensPerChar = Math.max(tokens / text.length, 1 / 32);
    return tokens;
  };
  return {
    maxTokens,
    maxChars: maxTokens * 32,
    count,
    fits: (text) => count(text) <= maxTokens,
    charsFor: (tokens) => tokens / tokensPerChar,
  };
}
