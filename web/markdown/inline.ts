import { type Definitions, readInline } from "../../src/text/markdown/inline.ts";
import { withEntities } from "../../src/text/markdown/written.ts";
import { type Delimiter, emphasised, type Piece } from "./emphasis.ts";
import type { Inline } from "./inline-part.ts";

/** What is longer is no paragraph that somebody wrote, and is shown as it is. */
const longest = 20_000;

interface Found {
  start: number;
  end: number;
  part: () => Inline;
}

/** Reads a text without its block. HTML in it is text as any other, and a comment is nothing. */
export function inlineOf(text: string, definitions: Definitions = new Map()): Inline[] {
  if (text.length > longest) return [{ kind: "text", text }];
  const found = foundIn(text, definitions);
  let next = 0;
  return read(0, text.length);

  function read(from: number, to: number): Inline[] {
    const pieces: Piece[] = [];
    let at = from;
    for (let one = found[next]; one && one.start < to; one = found[next]) {
      next++;
      if (one.start < at || one.end > to) continue;
      pieces.push(...piecesOf(text, at, one.start), one.part());
      at = one.end;
    }
    pieces.push(...piecesOf(text, at, to));
    return emphasised(pieces);
  }

  /** In their order; what lies within another is read by that one, if it is shown. */
  function foundIn(text: string, definitions: Definitions): Found[] {
    const { links, codes, tags, unseen } = readInline(text, definitions);
    const all: Found[] = tags.map(({ start, end }) => ({
      start,
      end,
      part: () => ({ kind: "text", text: text.slice(start, end) }),
    }));
    for (const [start, end] of unseen) {
      if (!text.startsWith("<!--", start) || end - start < 4) continue;
      all.push({ start, end, part: () => ({ kind: "text", text: "" }) });
    }
    for (const [start, end] of codes) {
      const ticks = /`*/y;
      ticks.lastIndex = end;
      const width = ticks.exec(text)?.[0].length ?? 1;
      const code = text.slice(start, end).replaceAll("\n", " ");
      const inner = /^ .*\S.* $/.test(code) ? code.slice(1, -1) : code;
      all.push({
        start: start - width,
        end: end + width,
        part: () => ({ kind: "code", text: inner }),
      });
    }
    for (const { kind, destination, at, end, words, written } of links) {
      if (destination === undefined) continue;
      const shown = text.slice(...words);
      all.push({
        start: at,
        end,
        part: () => {
          if (kind === "wiki") return { kind, destination, text: shown.trim(), written };
          if (kind === "image") return { kind: "picture", destination, text: shown };
          const inner: Inline[] =
            kind === "link" ? read(...words) : [{ kind: "text", text: shown }];
          return { kind: "link", destination, inner };
        },
      });
    }
    return all.sort((a, b) => a.start - b.start);
  }
}

const signs =
  /\\(?<escaped>[!-/:-@[-`{-~])|(?<hard> {2,}|\\)\n|\[\[#(?<id>[^[\]\n]{1,200})\]\]|\[\[(?<own>[\w.-]{1,200}): ?(?<of>_*\p{Lu}[\w.-]{0,200})\]\]|\[\^(?<label>[^\]\s]{1,200})\]|(?<run>\*+|_+|~~)/gu;

/** Text between what was found, cut at signs that mean something. */
function* piecesOf(text: string, from: number, to: number): Generator<Piece> {
  const stretch = text.slice(from, to);
  let at = 0;
  for (const match of stretch.matchAll(signs)) {
    if (match.index > at) yield plain(stretch.slice(at, match.index));
    at = match.index + match[0].length;
    const { escaped, hard, id, own, label, run } = match.groups ?? {};
    if (escaped !== undefined) yield { kind: "text", text: escaped };
    else if (hard !== undefined) yield { kind: "break" };
    else if (id !== undefined) yield { kind: "object", id, text: id };
    else if (own !== undefined) yield { kind: "object", id: own, text: match[0].slice(2, -2) };
    else if (label !== undefined) yield { kind: "note", label };
    else if (run !== undefined) yield delimiter(text, from + match.index, run);
  }
  if (at < stretch.length) yield plain(stretch.slice(at));
}

const plain = (text: string): Inline => ({ kind: "text", text: withEntities(text) });

/** Signs open before a word and close behind one; underscores never do so within it. */
function delimiter(text: string, at: number, run: string): Delimiter {
  const before = text[at - 1] ?? " ";
  const behind = text[at + run.length] ?? " ";
  const opens = !isBlank(behind) && (!isMark(behind) || isBlank(before) || isMark(before));
  const closes = !isBlank(before) && (!isMark(before) || isBlank(behind) || isMark(behind));
  const isWithin = run.startsWith("_");
  return {
    kind: "delimiter",
    sign: run[0] ?? "",
    count: run.length,
    opens: opens && (!isWithin || !closes || isMark(before)),
    closes: closes && (!isWithin || !opens || isMark(behind)),
  };
}

const isBlank = (letter: string): boolean => /\s/u.test(letter);
const isMark = (letter: string): boolean => /[\p{P}\p{S}]/u.test(letter);
