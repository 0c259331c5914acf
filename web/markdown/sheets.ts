import { frontmatterLength } from "../../src/text/frontmatter.ts";
import { fenceMark } from "../../src/text/headings.ts";
import { isTableRule } from "../../src/text/markdown/cells.ts";
import { definitionAt } from "../../src/text/markdown/destinations.ts";
import { htmlBlockAt } from "../../src/text/markdown/html-block.ts";
import type { Definition, Definitions } from "../../src/text/markdown/inline.ts";
import { type Block, blocksOf } from "./blocks.ts";

/** Lines that are read and drawn together, so that of a long text only what is near is drawn. */
export interface Sheet {
  /** The number of its first line. */
  line: number;
  lines: readonly string[];
  /** What it must be read behind: the mark of the code, or the head of the table, that it goes on with. */
  opening: readonly string[];
}

export const blocksOn = ({ line, lines, opening }: Sheet): Block[] =>
  blocksOf([...opening, ...lines], line - opening.length);

/** A document, cut where a reader sees no cut. */
export interface Paper {
  /** What the front matter says, key by key. */
  matter: { key: string; value: string }[];
  sheets: Sheet[];
  definitions: Definitions;
  /** The number and the line of each footnote, by its label. */
  notes: ReadonlyMap<string, { number: number; line: number }>;
}

/** Each sheet costs something with every frame, so a very long text has larger ones and not more. */
const mostSheets = 500;

/** From so many lines on, a sheet ends wherever it must. */
const tooMany = 400;

/** By lines alone and once through, because a text of ten megabytes opens while somebody waits. */
export function paperFrom(lines: readonly string[]): Paper {
  const matterLength = frontmatterLength(lines);
  const definitions = new Map<string, Definition>();
  const notes = new Map<string, { number: number; line: number }>();
  const sheets: Sheet[] = [];
  // From so many lines on, a sheet ends where a block does.
  const enough = Math.min(Math.max(lines.length / mostSheets, 40), tooMany);
  let start = matterLength;
  let opening: readonly string[] = [];
  let open: Open | undefined;

  const cut = (at: number): void => {
    if (at > start) sheets.push({ line: start + 1, lines: lines.slice(start, at), opening });
    start = at;
    opening = open?.opening ?? [];
  };

  for (let at = matterLength; at < lines.length; at++) {
    const line = lines[at] ?? "";
    const size = at - start;
    if (open) {
      if (size >= tooMany) cut(at);
      const isOver = open.isEnd(line);
      const isTaken = !isOver || open.takesEnd;
      if (isOver) open = undefined;
      if (isTaken) continue;
    }
    const isFree = (lines[at - 1] ?? "").trim() === "" && /^[^\s\-*+\d]/.test(line);
    if (size >= enough && (isFree || /^#{1,6}\s/.test(line))) cut(at);
    else if (size >= tooMany && (/^\S/.test(line) || size >= 2 * tooMany)) cut(at);
    note(line, at);
    open = opened(line, lines[at - 1]);
  }
  open = undefined;
  cut(lines.length);
  return {
    matter: matterIn(lines.slice(1, Math.max(matterLength - 1, 1))),
    sheets,
    definitions,
    notes,
  };

  /** Where references lead, and where notes stand. */
  function note(line: string, at: number): void {
    const first = line.search(/[^ ]/);
    if (first < 0 || first > 3 || line[first] !== "[") return;
    const label = /^ {0,3}\[\^([^\]\s]{1,200})\]:/.exec(line)?.[1];
    if (label !== undefined) {
      if (!notes.has(label)) notes.set(label, { number: notes.size + 1, line: at + 1 });
      return;
    }
    const found = definitionAt(
      lines
        .slice(at, at + 3)
        .join("\n")
        .trimStart(),
      0,
    );
    if (found && !definitions.has(found.label)) {
      definitions.set(found.label, { destination: found.destination, line: at + 1 });
    }
  }
}

interface Open {
  opening: readonly string[];
  isEnd(line: string): boolean;
  /** Whether the line that ends it is the last of it, or the first behind it. */
  takesEnd: boolean;
}

/** What a line opens that goes over blank lines, or needs what stands at its head. */
function opened(line: string, before: string | undefined): Open | undefined {
  const mark = fenceMark(line);
  if (mark) {
    const end = new RegExp(`^ {0,3}\\${mark[0]}{${mark.length},}\\s*$`);
    return { opening: [line], isEnd: (later) => end.test(later), takesEnd: true };
  }
  if (before !== undefined && line.includes("-") && isTableRule(before, line)) {
    return { opening: [before, line], isEnd: (later) => !later.includes("|"), takesEnd: false };
  }
  const html = line.includes("<")
    ? htmlBlockAt(line, { inParagraph: true, isMdx: false })
    : undefined;
  const end = html?.end;
  if (!end || end.test(line.slice(html.skip))) return undefined;
  return { opening: [], isEnd: (later) => end.test(later), takesEnd: true };
}

/** Each key with its value as it is written, save for quotes and the marks of a list. */
function matterIn(lines: readonly string[]): { key: string; value: string }[] {
  const rows: { key: string; value: string }[] = [];
  for (const line of lines) {
    const [, key, value = ""] = /^([^\s:#][^:]*):(?:\s+(.*))?$/.exec(line) ?? [];
    const last = rows.at(-1);
    if (key !== undefined) rows.push({ key, value: unquoted(value) });
    else if (last) {
      const more = unquoted(line.replace(/^\s*-\s+/, "").trimEnd());
      last.value = last.value === "" ? more : `${last.value}\n${more}`;
    }
  }
  return rows;
}

const unquoted = (value: string): string =>
  value
    .trim()
    .replace(/^\[(.*)\]$/, "$1")
    .replace(/^(["'])(.*)\1$/, "$2");
