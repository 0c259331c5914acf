import { linesOf } from "../../text/lines.ts";
import { readQuery, wantedTokens } from "../../text/query.ts";
import { placedTokens } from "../../text/tokens.ts";
import { visible } from "../../text/visible.ts";
import { cellOf } from "./csv.ts";
import type { Screen } from "./screen.ts";
import type { Row, Table } from "./table.ts";
import { brokenAt, cutTo, type Place, widthOf } from "./text-width.ts";

/**
 * What was found, for eyes on a terminal:
 *
 * ```
 * Lending and returns › Borrowing a copy                          100 %
 * handbook/lending.md:7  #69cc00
 *    7  ## Borrowing a copy
 * ```
 */
export function hitPage(
  table: Table,
  output: Readonly<Record<string, unknown>>,
  input: unknown,
  out: Screen,
): string {
  const hits = table.rowsIn(output);
  const wanted = tokensWantedBy(input);
  const pages = hits.map((hit) => [...head(hit, out), ...passage(hit, wanted, out)].join("\n"));
  const beside = Object.entries(output).filter(([, value]) => !Array.isArray(value));
  const notes = beside.map(([name, value]) => note(name, value, out));
  return `${[...pages, ...(notes.length > 0 ? [notes.join("\n")] : [])].join("\n\n")}\n`;
}

/** What the words of the query are in the index, so that `borrow` marks `borrowing` too. */
function tokensWantedBy(input: unknown): ReadonlySet<string> {
  const query = typeof input === "object" && input !== null && "query" in input && input.query;
  return typeof query === "string" ? wantedTokens(readQuery(query)) : new Set();
}

function head(hit: Row, { columns, colours, foreign }: Screen): string[] {
  const score = percent(hit.score);
  const words = (text: unknown) => foreign(visible(cellOf(text)));
  const title = cutTo(words(hit.title), columns - score.length - 2);
  const headings = Array.isArray(hit.headings) ? hit.headings.map(words) : [];
  // A document's first heading is most often its title.
  const under = headings.filter((heading, at) => at > 0 || heading !== words(hit.title));
  const shown = trailOf(under, columns - widthOf(title) - score.length - 2);
  const gap = " ".repeat(Math.max(2, columns - widthOf(title + shown) - score.length));
  const line = hit.line === undefined ? "" : `:${words(hit.line)}`;
  const context = hit.context ? words(hit.context) : "";
  return [
    colours.bold(title) +
      (shown && colours.dim(shown)) +
      gap +
      scoreColour(hit.score, colours)(score),
    `${colours.cyan(words(hit.file) + line)}  ${colours.dim(words(hit.docid))}`,
    ...lines(context, columns).map((part) => colours.italic(part)),
  ];
}

/** ` › Chapter › Section`; where room is short, the outer headings give way to the inner ones. */
function trailOf(headings: readonly string[], room: number): string {
  const fitting = headings
    .map((_, at) => [...(at > 0 ? ["…"] : []), ...headings.slice(at)])
    .map((shown) => shown.map((heading) => ` › ${heading}`).join(""));
  const trail = fitting.find((shown) => widthOf(shown) <= room) ?? fitting.at(-1) ?? "";
  return room > 3 ? cutTo(trail, room) : "";
}

const percent = (score: unknown): string => `${Math.round(Number(score) * 100)} %`;

function scoreColour(score: unknown, colours: Screen["colours"]) {
  if (Number(score) >= 0.7) return colours.green;
  return Number(score) >= 0.4 ? colours.yellow : colours.dim;
}

/** The passage, or the whole text, with its line numbers set apart; then what else the hit tells. */
function passage(hit: Row, wanted: ReadonlySet<string>, out: Screen): string[] {
  const numbered = numberedLines(hit);
  const gutter = Math.max(4, numbered.at(-1)?.number.length ?? 0) + 2;
  const room = Math.max(20, out.columns - gutter);
  const shown = numbered.flatMap(({ number, line }) => {
    const text = out.foreign(line.replaceAll("\t", "  "));
    const places = placesOf(text, wanted);
    return brokenAt(text, room).map((part, at) => {
      const margin = (at === 0 ? number.padStart(gutter - 2) : "").padEnd(gutter);
      return out.colours.dim(margin) + marked(text, part, places, out.colours);
    });
  });
  const others = Object.entries(hit).filter(([name, value]) => value !== undefined && !told(name));
  return [...shown, ...others.map(([name, value]) => note(name, value, out))];
}

/** A snippet brings its numbers along; a whole text begins at its first line. */
function numberedLines({ body, snippet }: Row): { number: string; line: string }[] {
  if (typeof body === "string") {
    return linesOf(body).map((line, at) => ({ number: String(at + 1), line }));
  }
  return linesOf(cellOf(snippet)).map((whole) => {
    const [, number = "", line = whole] = /^(\d+): ?(.*)$/s.exec(whole) ?? [];
    return { number, line };
  });
}

/** What has its own place on the page. */
const told = (name: string): boolean =>
  /^(docid|score|file|title|context|line|endLine|headings|snippet|body)$/.test(name);

/** Pairs of letters overlap where a script has no spaces; what touches is one mark. */
function placesOf(text: string, wanted: ReadonlySet<string>): Place[] {
  const places: Place[] = [];
  for (const { form, start, end } of placedTokens(text)) {
    if (!wanted.has(form)) continue;
    const last = places.at(-1);
    if (last && start <= last.end) last.end = Math.max(last.end, end);
    else places.push({ start, end });
  }
  return places;
}

function marked(
  text: string,
  part: Place,
  places: readonly Place[],
  colours: Screen["colours"],
): string {
  let line = "";
  let at = part.start;
  for (const place of places) {
    const start = Math.max(place.start, part.start);
    const end = Math.min(place.end, part.end);
    if (start >= end) continue;
    line += text.slice(at, start) + colours.bold(colours.yellow(text.slice(start, end)));
    at = end;
  }
  return line + text.slice(at, part.end);
}

/** Something that the answer tells beside what has its own place; a list has a line for each. */
function note(name: string, value: unknown, { columns, colours, foreign }: Screen): string {
  const items = Array.isArray(value) ? value : [value];
  return items
    .flatMap((item) => lines(foreign(visible(`${name}: ${phrase(item)}`)), columns))
    .map((line) => colours.dim(line))
    .join("\n");
}

/** `{word: "tea", found: {title: 1}}` → `word tea, found (title 1)`. */
function phrase(value: unknown): string {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return cellOf(value);
  const parts = Object.entries(value).map(([name, part]) => {
    const isNested = typeof part === "object" && part !== null && !Array.isArray(part);
    return `${name} ${isNested ? `(${phrase(part)})` : phrase(part)}`;
  });
  return parts.join(", ");
}

const lines = (text: string, columns: number): string[] =>
  text === "" ? [] : brokenAt(text, columns).map(({ start, end }) => text.slice(start, end));
