import { elementAt } from "../arrays/element-at.ts";
import { splitLines } from "../strings/lines.ts";
import { type EditableLines, toEditableLines } from "./editable-lines.ts";
import { fieldLinePattern, fieldRowPattern, findField } from "./record-fields.ts";
import {
  findRecordSection,
  preambleEnd,
  type RecordLayout,
  type RecordSection,
  readRecordLayout,
} from "./record-layout.ts";
import { parseStatus } from "./status.ts";

/**
 * Sets the status where the record has it: in the front matter, in a line under the title or in a
 * section. If there is none, adds it where the format of the record expects it.
 */
export function setStatus(text: string, status: string): string {
  return setRecordField(text, "status", status) ?? addStatus(text, status);
}

/** Sets the date; a record without a date is not changed. */
export const setDate = (text: string, date: string): string =>
  setRecordField(text, "date", date) ?? text;

/** Sets the heading, including its numbering. */
export function setHeading(text: string, heading: string): string {
  const { headings, frontmatterLines } = readRecordLayout(text);
  const document = toEditableLines(text);
  const title = headings.find(({ depth }) => depth === 1);
  if (!title) return document.insert(frontmatterLines, [`# ${heading}`, ""]);
  return document.splice(title.line, bodyStart(document, title) - 1, [`# ${heading}`]);
}

function setRecordField(text: string, name: string, value: string): string | undefined {
  const layout = readRecordLayout(text);
  const field = findField(layout, name);
  if (!field) return undefined;
  const document = toEditableLines(text);
  const oldLine = elementAt(document.lines, field.line - 1);
  const newValue = name === "status" ? matchCase(field.value, value) : value;
  // The value may be a link to another record instead of a status: `augmented by [ADR-4](…)`.
  const isLink =
    name === "status" && /\]\(/.test(field.value) && parseStatus(field.value) === "other";
  if (field.from === "section") {
    if (isLink) return document.insert(field.line - 1, [capitalize(value), ""]);
    return document.replace(
      field.line,
      `${/^\s*(?:[-*+]\s+)?/.exec(oldLine)?.[0] ?? ""}${newValue}`,
    );
  }
  const newText = isLink ? `${value}, ${field.value}` : newValue;
  if (field.from === "frontmatter") {
    const key = /^[^:]*:/.exec(oldLine)?.[0] ?? `${name}:`;
    return document.replace(field.line, `${key} ${toYamlScalar(newText)}`);
  }
  const row = fieldRowPattern.exec(oldLine);
  if (row) {
    const rest = oldLine.slice(row[0].length - 1);
    return document.replace(field.line, `${row[1]}${newText} ${rest}`);
  }
  const label = fieldLinePattern.exec(oldLine)?.[1] ?? "";
  const comment = /\s*<!--.*$/.exec(oldLine)?.[0] ?? "";
  return document.replace(field.line, `${label}${newText}${comment}`);
}

/** Copies the case of the old status: `PROPOSED` → `ACCEPTED`, `Proposed` → `Accepted`. */
function matchCase(old: string, status: string): string {
  const first = /\p{L}+/u.exec(old)?.[0] ?? "";
  const [word = "", ...rest] = status.split(" ");
  if (first.length > 1 && first === first.toUpperCase()) {
    return [word.toUpperCase(), ...rest].join(" ");
  }
  const isCapital = first !== "" && first[0] === first[0]?.toUpperCase();
  return isCapital ? capitalize(status) : status;
}

const capitalize = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

/** Quotes a value that YAML would not read as a plain string. */
const toYamlScalar = (value: string): string =>
  /^[\p{L}\p{N}](?:(?!: | #)[^"\\])*$/u.test(value) ? value : JSON.stringify(value);

/** A status line without a value. */
const emptyStatusPattern =
  /^[ \t]{0,3}(?:[-*+>][ \t]+)?[*_]{0,2}status[*_]{0,2}[ \t]?:[*_]{0,2}[ \t]*$/i;

function addStatus(text: string, status: string): string {
  const layout = readRecordLayout(text);
  const document = toEditableLines(text);
  const emptyLine = document.lines
    .slice(0, preambleEnd(layout))
    .findIndex((line) => emptyStatusPattern.test(line));
  if (emptyLine >= 0) {
    const value = emptyLine < layout.frontmatterLines ? toYamlScalar(status) : status;
    const label = elementAt(document.lines, emptyLine).trimEnd();
    return document.replace(emptyLine + 1, `${label} ${value}`);
  }
  const section = findRecordSection(layout, /^status$/i);
  if (section) {
    const start = bodyStart(document, section);
    // Without a blank line, the next line could turn the status into a setext heading.
    const gap = isBlank(document.lines[start - 1]) ? [] : [""];
    return document.insert(start - 1, ["", capitalize(status), ...gap]);
  }
  if (layout.frontmatterLines > 0)
    return document.insert(layout.frontmatterLines - 1, [`status: ${toYamlScalar(status)}`]);
  const isMadr = findRecordSection(layout, /^context and problem statement$/i) !== undefined;
  const title = layout.headings.find(({ depth }) => depth === 1);
  if (isMadr && title) {
    return document.insert(bodyStart(document, title) - 1, ["", `* Status: ${status}`]);
  }
  const end = preambleEnd(layout);
  const gap = end === 0 || isBlank(document.lines[end - 1]) ? [] : [""];
  return document.insert(end, [...gap, "## Status", "", capitalize(status), ""]);
}

const isBlank = (line: string | undefined): boolean => (line ?? "").trim() === "";

/**
 * Adds a link to another record: to the list of links, else to the status section, else to the
 * "More Information" section, else to a new list at the end.
 */
export function addRecordLink(text: string, verb: string, target: string): string {
  const layout = readRecordLayout(text);
  const document = toEditableLines(text);
  const list = findRecordSection(layout, /^links?$/i);
  if (list) return addListItem(document, list, `${capitalize(verb)} ${target}`);
  const status = findRecordSection(layout, /^status$/i);
  if (status)
    return document.insert(lastTextLine(document, status), ["", `${capitalize(verb)} ${target}`]);
  const more = findRecordSection(layout, /^more information$/i);
  if (more) return addListItem(document, more, `${capitalize(verb)} ${target}`);
  const end = lastTextLine(document, { title: "", line: 0, endLine: layout.lines.length });
  return document.insert(end, [
    "",
    "## Links",
    "",
    `${bulletOf(layout)} ${capitalize(verb)} ${target}`,
  ]);
}

function addListItem(document: EditableLines, section: RecordSection, text: string): string {
  const end = lastTextLine(document, section);
  const bullet = /^\s*([-*+])\s/.exec(document.lines[end - 1] ?? "")?.[1];
  return document.insert(end, bullet ? [`${bullet} ${text}`] : ["", `* ${text}`]);
}

/** The line after a heading, which takes two lines if it is a setext heading. */
const bodyStart = ({ lines }: EditableLines, { line }: { line: number }): number =>
  /^ {0,3}#/.test(lines[line - 1] ?? "") ? line + 1 : line + 2;

/** The number of the last line of a section that is not blank. */
function lastTextLine({ lines }: EditableLines, { line, endLine }: RecordSection): number {
  for (let last = endLine; last > line; last--) if (!isBlank(lines[last - 1])) return last;
  return line;
}

const bulletOf = ({ lines }: RecordLayout): string =>
  lines.map((line) => /^([-*+])\s/.exec(line)?.[1]).find((sign) => sign !== undefined) ?? "*";

/** Replaces the text under a heading; undefined if there is no such heading. */
export function setSectionText(text: string, name: RegExp, newText: string): string | undefined {
  const layout = readRecordLayout(text);
  const section = findRecordSection(layout, name);
  if (!section) return undefined;
  const document = toEditableLines(text);
  const inner = layout.headings.find(({ line }) => line > section.line && line <= section.endLine);
  const end = inner ? inner.line - 1 : section.endLine;
  return document.splice(bodyStart(document, section), end, [
    "",
    ...splitLines(newText.trim()),
    "",
  ]);
}
