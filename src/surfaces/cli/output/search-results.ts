import * as z from "zod";
import { parseQuery, queryTokens } from "../../../text/search/query.ts";
import { tokenize, tokensWithOffsets } from "../../../text/search/tokens.ts";
import { splitLines } from "../../../text/strings/lines.ts";
import { toPrintable } from "../../../text/strings/printable.ts";
import { cellText } from "./csv-rows.ts";
import type { LinkOf } from "./document-paths.ts";
import type { ResultRow, ResultTable } from "./result-table.ts";
import type { TextOutput } from "./text-output.ts";
import { displayWidth, lineRanges, type TextRange, truncateToWidth } from "./text-width.ts";

/**
 * Formats search hits for a terminal:
 *
 * ```
 * Lending and returns › Borrowing a copy                          100 %
 * handbook/lending.md:7  #69cc00
 *    7  ## Borrowing a copy
 * ```
 */
export function formatSearchResults(
  table: ResultTable,
  output: Readonly<Record<string, unknown>>,
  input: unknown,
  { out, linkOf }: { out: TextOutput; linkOf: LinkOf },
): string {
  const hits = table.rowsIn(output);
  const queryForms = highlightTokens(input);
  const pages = hits.map((hit) =>
    [...resultHeader(hit, out, linkOf), ...resultBody(hit, queryForms, out)].join("\n"),
  );
  const others = Object.entries(output).filter(([, value]) => !Array.isArray(value));
  const notes = others.map(([name, value]) => formatNote(name, value, out));
  return `${[...pages, ...(notes.length > 0 ? [notes.join("\n")] : [])].join("\n\n")}\n`;
}

/** The stemmed tokens of the query, so that `borrow` also highlights `borrowing`. */
function highlightTokens(input: unknown): ReadonlySet<string> {
  const query = typeof input === "object" && input !== null && "query" in input && input.query;
  return typeof query === "string" ? queryTokens(parseQuery(query)) : new Set();
}

/** The tokens of the words that were searched instead of misspelled ones. */
function correctedForms({ corrected }: ResultRow): string[] {
  const words = correctedWords.safeParse(corrected).data ?? [];
  return words.flatMap(({ read }) => tokenize(read.join(" ")));
}

const correctedWords = z.array(z.object({ read: z.array(z.string()) }));

function resultHeader(
  hit: ResultRow,
  { columns, colours, sanitize, link }: TextOutput,
  linkOf: LinkOf,
): string[] {
  const score = percent(hit.score);
  const printable = (value: unknown) => sanitize(toPrintable(cellText(value)));
  const title = truncateToWidth(printable(hit.title), columns - score.length - 2);
  const headings = Array.isArray(hit.headings) ? hit.headings.map(printable) : [];
  // The first heading is usually the title and is then not repeated.
  const under = headings.filter((heading, at) => at > 0 || heading !== printable(hit.title));
  const shown = headingTrail(under, columns - displayWidth(title) - score.length - 2);
  const gap = " ".repeat(Math.max(2, columns - displayWidth(title + shown) - score.length));
  const matchLine = hit.matchLine ?? hit.line;
  const line = matchLine === undefined ? "" : `:${printable(matchLine)}`;
  const url = linkOf(cellText(hit.file), typeof matchLine === "number" ? matchLine : 1);
  const context = hit.context ? printable(hit.context) : "";
  return [
    colours.bold(title) +
      (shown && colours.dim(shown)) +
      gap +
      scoreColour(hit.score, colours)(score),
    `${link(colours.cyan(printable(hit.file) + line), url)}  ${colours.dim(printable(hit.docid))}`,
    ...wrapToColumns(context, columns).map((part) => colours.italic(part)),
  ];
}

/** ` › Chapter › Section`; if it is too long, outer headings are replaced by an ellipsis. */
function headingTrail(headings: readonly string[], room: number): string {
  const candidates = headings
    .map((_, at) => [...(at > 0 ? ["…"] : []), ...headings.slice(at)])
    .map((shown) => shown.map((heading) => ` › ${heading}`).join(""));
  const trail = candidates.find((text) => displayWidth(text) <= room) ?? candidates.at(-1) ?? "";
  return room > 3 ? truncateToWidth(trail, room) : "";
}

const percent = (score: unknown): string => `${Math.round(Number(score) * 100)} %`;

function scoreColour(score: unknown, colours: TextOutput["colours"]) {
  if (Number(score) >= 0.7) return colours.green;
  return Number(score) >= 0.4 ? colours.yellow : colours.dim;
}

/** The snippet or the full text with line numbers, then the remaining fields of the hit. */
function resultBody(hit: ResultRow, queryForms: ReadonlySet<string>, out: TextOutput): string[] {
  const numbered = numberedLines(hit);
  const gutter = Math.max(4, numbered.at(-1)?.number.length ?? 0) + 2;
  const room = Math.max(20, out.columns - gutter);
  const forms = new Set([...queryForms, ...correctedForms(hit)]);
  const shown = numbered.flatMap(({ number, line }) => {
    const text = out.sanitize(line.replaceAll("\t", "  "));
    const ranges = matchRanges(text, forms);
    return lineRanges(text, room).map((part, at) => {
      const margin = (at === 0 ? number.padStart(gutter - 2) : "").padEnd(gutter);
      return out.colours.dim(margin) + highlightMatches(text, part, ranges, out.colours);
    });
  });
  const others = Object.entries(hit).filter(
    ([name, value]) => value !== undefined && !isShownElsewhere(name),
  );
  return [...shown, ...others.map(([name, value]) => formatNote(name, value, out))];
}

/** The lines of a snippet start with their numbers; a body starts at line 1. */
function numberedLines({ body, snippet }: ResultRow): { number: string; line: string }[] {
  if (typeof body === "string") {
    return splitLines(body).map((line, at) => ({ number: String(at + 1), line }));
  }
  return splitLines(cellText(snippet)).map((whole) => {
    const [, number = "", line = whole] = /^(\d+): ?(.*)$/s.exec(whole) ?? [];
    return { number, line };
  });
}

/** Fields that have a fixed position in the output. */
const isShownElsewhere = (name: string): boolean =>
  /^(docid|score|file|title|context|line|matchLine|endLine|headings|snippet|corrected|body)$/.test(
    name,
  );

/** Merges matches that touch or overlap: scripts without spaces are indexed as overlapping bigrams. */
function matchRanges(text: string, queryForms: ReadonlySet<string>): TextRange[] {
  const ranges: TextRange[] = [];
  for (const { form, start, end } of tokensWithOffsets(text)) {
    if (!queryForms.has(form)) continue;
    const last = ranges.at(-1);
    if (last && start <= last.end) last.end = Math.max(last.end, end);
    else ranges.push({ start, end });
  }
  return ranges;
}

function highlightMatches(
  text: string,
  part: TextRange,
  ranges: readonly TextRange[],
  colours: TextOutput["colours"],
): string {
  let line = "";
  let at = part.start;
  for (const range of ranges) {
    const start = Math.max(range.start, part.start);
    const end = Math.min(range.end, part.end);
    if (start >= end) continue;
    line += text.slice(at, start) + colours.bold(colours.yellow(text.slice(start, end)));
    at = end;
  }
  return line + text.slice(at, part.end);
}

/** A field without a fixed position; a list has one line per item. */
function formatNote(
  name: string,
  value: unknown,
  { columns, colours, sanitize }: TextOutput,
): string {
  const items = Array.isArray(value) ? value : [value];
  return items
    .flatMap((item) =>
      wrapToColumns(sanitize(toPrintable(`${name}: ${formatNested(item)}`)), columns),
    )
    .map((line) => colours.dim(line))
    .join("\n");
}

/** `{word: "tea", found: {title: 1}}` → `word tea, found (title 1)`. */
function formatNested(value: unknown): string {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return cellText(value);
  const parts = Object.entries(value).map(([name, part]) => {
    const isNested = typeof part === "object" && part !== null && !Array.isArray(part);
    return `${name} ${isNested ? `(${formatNested(part)})` : formatNested(part)}`;
  });
  return parts.join(", ");
}

const wrapToColumns = (text: string, columns: number): string[] =>
  text === "" ? [] : lineRanges(text, columns).map(({ start, end }) => text.slice(start, end));
