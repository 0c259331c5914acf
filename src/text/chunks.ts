import { closings, headLength, type Unit, unitsOf } from "./chunk-units.ts";
import { sectionsOf } from "./headings.ts";

/** A piece of a document that is small enough for a model to read at once. */
export interface Chunk {
  /**
   * What it stands under, from the outermost heading to the nearest. Outer ones are left out where
   * all together would take more than half of the room, or would break a code fence.
   */
  headings: string[];
  /** Its first line in the document, counted from one. */
  line: number;
  endLine: number;
  text: string;
}

export interface ChunkOptions {
  /**
   * How many tokens the model makes of a text. It may be slow: it is given each letter about once,
   * in parts, and two parts with a space between them must have as many as each for itself.
   */
  countTokens(text: string): number;
  /** How many of them `embeddedText` may have. */
  mostTokens: number;
}

/**
 * Cuts a document at its headings, and what is still too long at paragraphs and code fences. Only
 * one of these that is too long by itself is cut within: at lines, then sentences, then words,
 * then letters. What is short is joined with its neighbours under the same heading.
 */
export function chunksOf(lines: readonly string[], options: ChunkOptions): Chunk[] {
  const scale = openScale(options);
  return spansOf(lines).flatMap((span) => [...cutSpan(lines, span, scale)]);
}

/** A chunk as the model reads it. Equal ones need to be embedded only once, wherever they stand. */
export function embeddedText({ headings, text }: Pick<Chunk, "headings" | "text">): string {
  const lines = text.split("\n");
  // The path names them already.
  const body = lines.slice(headLength(lines, (title) => headings.includes(title)));
  return `${pathLine(headings)}${body.join("\n").trim()}`.trimEnd();
}

const pathLine = (headings: readonly string[]): string =>
  headings.length === 0 ? "" : `${headings.join(" > ")}\n`;

interface Span {
  headings: string[];
  line: number;
  endLine: number;
}

/** Long sections come in pieces that know nothing of fences; the pieces of one share their list. */
function spansOf(lines: readonly string[]): Span[] {
  const spans: Span[] = [];
  for (const { headings, line, endLine } of sectionsOf(lines)) {
    const before = spans.at(-1);
    if (before?.headings === headings) before.endLine = endLine;
    else spans.push({ headings, line, endLine });
  }
  return spans;
}

function* cutSpan(lines: readonly string[], span: Span, scale: Scale): Generator<Chunk> {
  const section = openSection(lines.slice(span.line - 1, span.endLine), span.headings, scale);
  const { text, units } = section;
  let { line } = span;
  let counted = 0;
  for (let place = 0; place < units.length; ) {
    const start = units[place]?.start ?? 0;
    const { end, headings } = nextCut(section, place, scale);
    const words = text.slice(start, end).trimEnd();
    line += newlines(text.slice(counted, start));
    counted = start;
    // A line may begin with more spaces than there is room.
    if (words !== "") yield { headings, line, endLine: line + newlines(words), text: words };
    while ((units[place]?.end ?? Number.POSITIVE_INFINITY) <= end) place++;
    const unit = units[place];
    if (!unit || unit.start >= end) continue;
    const rest = end + text.slice(end, unit.end).search(/\S|$/);
    if (rest === unit.end) place++;
    else units[place] = { start: rest, end: unit.end, closes: unit.closes };
  }
}

const newlines = (text: string): number => text.split("\n").length - 1;

interface Section {
  text: string;
  /** The innermost headings that leave half of the room to the text. */
  headings: string[];
  pathTokens: number;
  units: Unit[];
}

function openSection(lines: readonly string[], all: readonly string[], scale: Scale): Section {
  let headings = all.filter((title) => title !== "");
  let pathTokens = scale.count(pathLine(headings));
  while (pathTokens > scale.mostTokens / 2) {
    headings = headings.slice(1);
    pathTokens = scale.count(pathLine(headings));
  }
  const text = lines.join("\n");
  const units = unitsOf(text);
  // What the path names is not embedded again.
  const head = lines.slice(
    0,
    headLength(lines, (title) => headings.includes(title)),
  );
  const headEnd = head.join("\n").length;
  for (const unit of units) if (unit.start < headEnd) unit.tokens = 0;
  return { text, headings, pathTokens, units };
}

interface Cut {
  end: number;
  headings: string[];
}

/** The chunk from a unit on takes as many as fit, and ends at the last of the best places. */
function nextCut(section: Section, first: number, scale: Scale): Cut {
  const { text, headings, units } = section;
  const start = units[first]?.start ?? 0;
  let tokens = section.pathTokens;
  let best: Unit | undefined;
  let place = first;
  for (; place < units.length; place++) {
    const unit = units[place];
    if (!unit || unit.end - start > scale.mostLetters) break;
    unit.tokens ??= scale.count(text.slice(unit.start, unit.end));
    tokens += unit.tokens;
    if (tokens > scale.mostTokens) break;
    if (!best || closings.indexOf(unit.closes) <= closings.indexOf(best.closes)) best = unit;
  }
  if (best?.closes === "block") return { end: best.end, headings };
  const whole = wholeFence(section, first, scale);
  if (whole) return whole;
  if (best && best.closes !== "heading") return { end: best.end, headings };
  return { end: cutWithin(section, start, units[place]?.end ?? text.length, scale), headings };
}

/** A fence is worth more than its path, and more than standing together with its heading. */
function wholeFence(section: Section, first: number, scale: Scale): Cut | undefined {
  const { text, headings, units } = section;
  let place = first;
  while (units[place]?.closes === "heading") place++;
  const start = units[first]?.start ?? 0;
  const { start: fence = 0, fenceEnd: end } = units[place] ?? {};
  if (end === undefined || end - start > scale.mostLetters) return undefined;
  const fits = (path: string[], from: number, to: number) =>
    scale.fits(embeddedText({ headings: path, text: text.slice(from, to) }));
  if (fits([], start, end)) {
    const paths = headings.map((_, place) => headings.slice(place));
    return { end, headings: paths.find((path) => fits(path, start, end)) ?? [] };
  }
  const isApart = fence > start && fits([], fence, end) && fits(headings, start, fence);
  return isApart ? { end: fence, headings } : undefined;
}

/** Ends after a word, or after a letter where a word alone is too long. */
function cutWithin(
  { text, headings, pathTokens }: Section,
  start: number,
  end: number,
  scale: Scale,
): number {
  for (let letters = scale.lettersFor(scale.mostTokens - pathTokens); ; letters *= 0.8) {
    const stop = Math.min(start + Math.max(Math.floor(letters), 1), end, start + scale.mostLetters);
    const cut = lastWordEnd(text, start, stop) ?? letterEnd(text, stop);
    const embedded = embeddedText({ headings, text: text.slice(start, cut) });
    // Nothing is smaller than a letter.
    if (scale.fits(embedded) || stop - start === 1) return cut;
  }
}

function lastWordEnd(text: string, start: number, stop: number): number | undefined {
  const found = /^.*(?:\s|[、，；：])/s.exec(text.slice(start, stop));
  return found && found[0].trim() !== "" ? start + found[0].length : undefined;
}

/** Never between the halves of a letter. */
const letterEnd = (text: string, stop: number): number =>
  /[\uD800-\uDBFF]/.test(text[stop - 1] ?? "") ? stop + 1 : stop;

/** Counts tokens, and remembers how many letters they take. */
interface Scale {
  mostTokens: number;
  /** No chunk has more letters than this, however few tokens they are. */
  mostLetters: number;
  count(text: string): number;
  fits(text: string): boolean;
  /** About how many letters so many tokens have. */
  lettersFor(tokens: number): number;
}

function openScale(options: ChunkOptions): Scale {
  // Marks that a model puts around every text are there once, and not with each part of it.
  const around = options.countTokens("");
  const mostTokens = options.mostTokens - around;
  let perLetter = 0.25;
  const count = (text: string): number => {
    const tokens = text === "" ? 0 : options.countTokens(text) - around;
    if (text.length > 100) perLetter = Math.max(tokens / text.length, 1 / 32);
    return tokens;
  };
  return {
    mostTokens,
    mostLetters: mostTokens * 32,
    count,
    fits: (text) => count(text) <= mostTokens,
    lettersFor: (tokens) => tokens / perLetter,
  };
}
