import { linesOf } from "../lines.ts";
import { fieldLine, fieldNamed, fieldRow } from "./field.ts";
import { type Layout, layoutOf, preambleEnd, type RecordSection, sectionNamed } from "./layout.ts";
import { statusOf } from "./status.ts";
import { type WrittenLines, writtenLines } from "./written-lines.ts";

/**
 * The text with another status, told where the record tells its own: in the front matter, in a line
 * under the title or in a section. A record that tells none gets it where its form has it.
 */
export function withStatus(text: string, status: string): string {
  return withField(text, "status", status) ?? withNewStatus(text, status);
}

/** The text with another date; a record that tells none stays as it is. */
export const withDate = (text: string, date: string): string =>
  withField(text, "date", date) ?? text;

/** The text with another title. The numbering that the heading shall have is part of `heading`. */
export function withHeading(text: string, heading: string): string {
  const { headings, head } = layoutOf(text);
  const written = writtenLines(text);
  const own = headings.find(({ depth }) => depth === 1);
  if (!own) return written.insert(head, [`# ${heading}`, ""]);
  return written.splice(own.line, bodyStart(written, own) - 1, [`# ${heading}`]);
}

function withField(text: string, name: string, value: string): string | undefined {
  const layout = layoutOf(text);
  const field = fieldNamed(layout, name);
  if (!field) return undefined;
  const written = writtenLines(text);
  const old = written.lines[field.line - 1] ?? "";
  const fresh = name === "status" ? inLettersOf(field.value, value) : value;
  // What stands there may be no status at all: `augmented by [ADR-4](…)`.
  const isOther =
    name === "status" && /\]\(/.test(field.value) && statusOf(field.value) === "other";
  if (field.from === "section") {
    if (isOther) return written.insert(field.line - 1, [capital(value), ""]);
    return written.replace(field.line, `${/^\s*(?:[-*+]\s+)?/.exec(old)?.[0] ?? ""}${fresh}`);
  }
  const words = isOther ? `${value}, ${field.value}` : fresh;
  if (field.from === "frontmatter") {
    const key = /^[^:]*:/.exec(old)?.[0] ?? `${name}:`;
    return written.replace(field.line, `${key} ${asScalar(words)}`);
  }
  const row = fieldRow.exec(old);
  if (row) {
    const rest = old.slice(row[0].length - 1);
    return written.replace(field.line, `${row[1]}${words} ${rest}`);
  }
  const line = fieldLine.exec(old);
  const remark = /\s*<!--.*$/.exec(old)?.[0] ?? "";
  return written.replace(field.line, `${line?.[1] ?? ""}${words}${remark}`);
}

/** `ACCEPTED` beside `PROPOSED`, `Accepted` beside `Proposed`; a link keeps its letters. */
function inLettersOf(old: string, status: string): string {
  const first = /\p{L}+/u.exec(old)?.[0] ?? "";
  const [word = "", ...rest] = status.split(" ");
  if (first.length > 1 && first === first.toUpperCase()) {
    return [word.toUpperCase(), ...rest].join(" ");
  }
  const isCapital = first !== "" && first[0] === first[0]?.toUpperCase();
  return isCapital ? capital(status) : status;
}

const capital = (words: string): string => words.slice(0, 1).toUpperCase() + words.slice(1);

/** A value that YAML would read as something else stands in quotes. */
const asScalar = (value: string): string =>
  /^[\p{L}\p{N}](?:(?!: | #)[^"\\])*$/u.test(value) ? value : JSON.stringify(value);

/** A place for a status that nobody filled in. */
const emptyStatus = /^[ \t]{0,3}(?:[-*+>][ \t]+)?[*_]{0,2}status[*_]{0,2}[ \t]?:[*_]{0,2}[ \t]*$/i;

function withNewStatus(text: string, status: string): string {
  const layout = layoutOf(text);
  const written = writtenLines(text);
  const empty = written.lines
    .slice(0, preambleEnd(layout))
    .findIndex((line) => emptyStatus.test(line));
  if (empty >= 0) {
    const words = empty < layout.head ? asScalar(status) : status;
    return written.replace(empty + 1, `${written.lines[empty]?.trimEnd()} ${words}`);
  }
  const section = sectionNamed(layout, /^status$/i);
  if (section) {
    const start = bodyStart(written, section);
    // A line right below would make a heading of it, or of both.
    const gap = isBlank(written.lines[start - 1]) ? [] : [""];
    return written.insert(start - 1, ["", capital(status), ...gap]);
  }
  if (layout.head > 0) return written.insert(layout.head - 1, [`status: ${asScalar(status)}`]);
  const isMadr = sectionNamed(layout, /^context and problem statement$/i) !== undefined;
  const title = layout.headings.find(({ depth }) => depth === 1);
  if (isMadr && title) {
    return written.insert(bodyStart(written, title) - 1, ["", `* Status: ${status}`]);
  }
  const place = preambleEnd(layout);
  const gap = place === 0 || isBlank(written.lines[place - 1]) ? [] : [""];
  return written.insert(place, [...gap, "## Status", "", capital(status), ""]);
}

const isBlank = (line: string | undefined): boolean => (line ?? "").trim() === "";

/**
 * The text with one more sentence about another record, where the record keeps such: a list of
 * links, else its status section, else a new list at its end.
 */
export function withLink(text: string, verb: string, target: string): string {
  const layout = layoutOf(text);
  const written = writtenLines(text);
  const list = sectionNamed(layout, /^links?$/i);
  if (list) return inList(written, list, `${capital(verb)} ${target}`);
  const status = sectionNamed(layout, /^status$/i);
  if (status) return written.insert(lastWords(written, status), ["", `${capital(verb)} ${target}`]);
  const more = sectionNamed(layout, /^more information$/i);
  if (more) return inList(written, more, `${capital(verb)} ${target}`);
  const end = lastWords(written, { title: "", line: 0, endLine: layout.lines.length });
  return written.insert(end, [
    "",
    "## Links",
    "",
    `${bulletOf(layout)} ${capital(verb)} ${target}`,
  ]);
}

function inList(written: WrittenLines, section: RecordSection, words: string): string {
  const end = lastWords(written, section);
  const bullet = /^\s*([-*+])\s/.exec(written.lines[end - 1] ?? "")?.[1];
  return written.insert(end, bullet ? [`${bullet} ${words}`] : ["", `* ${words}`]);
}

/** The line behind a heading, which may be underlined. */
const bodyStart = ({ lines }: WrittenLines, { line }: { line: number }): number =>
  /^ {0,3}#/.test(lines[line - 1] ?? "") ? line + 1 : line + 2;

/** The number of the last line of a section that says something. */
function lastWords({ lines }: WrittenLines, { line, endLine }: RecordSection): number {
  for (let last = endLine; last > line; last--) if (!isBlank(lines[last - 1])) return last;
  return line;
}

const bulletOf = ({ lines }: Layout): string =>
  lines.map((line) => /^([-*+])\s/.exec(line)?.[1]).find((sign) => sign !== undefined) ?? "*";

/** The text with other words under a heading; undefined where there is no such heading. */
export function withSectionText(text: string, name: RegExp, words: string): string | undefined {
  const layout = layoutOf(text);
  const section = sectionNamed(layout, name);
  if (!section) return undefined;
  const written = writtenLines(text);
  const inner = layout.headings.find(({ line }) => line > section.line && line <= section.endLine);
  const end = inner ? inner.line - 1 : section.endLine;
  return written.splice(bodyStart(written, section), end, ["", ...linesOf(words.trim()), ""]);
}
