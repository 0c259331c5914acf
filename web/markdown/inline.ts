import { type LinkDefinitions, parseInline } from "../../src/text/markdown/inline.ts";
import { decodeHtmlEntities } from "../../src/text/markdown/unescape.ts";
import { type Delimiter, type InlineToken, resolveEmphasis } from "./emphasis.ts";
import type { InlineNode } from "./inline-node.ts";

/** Longer text is not prose, and is shown without formatting. */
const maxInlineLength = 20_000;

interface InlineMatch {
  start: number;
  end: number;
  part: () => InlineNode;
}

/** Parses inline text. HTML tags become text, and comments are dropped. */
export function toInlineNodes(
  text: string,
  definitions: LinkDefinitions = new Map(),
): InlineNode[] {
  if (text.length > maxInlineLength) return [{ kind: "text", text }];
  const matches = matchesIn(text, definitions);
  let next = 0;
  return parseRange(0, text.length);

  function parseRange(from: number, to: number): InlineNode[] {
    const tokens: InlineToken[] = [];
    let at = from;
    for (let match = matches[next]; match && match.start < to; match = matches[next]) {
      next++;
      if (match.start < at || match.end > to) continue;
      tokens.push(...tokensOf(text, at, match.start), match.part());
      at = match.end;
    }
    tokens.push(...tokensOf(text, at, to));
    return resolveEmphasis(tokens);
  }

  /** All matches in text order. A match inside a link is parsed by the link's own range. */
  function matchesIn(text: string, definitions: LinkDefinitions): InlineMatch[] {
    const { links, codeRanges, tags, hiddenRanges } = parseInline(text, definitions);
    const all: InlineMatch[] = tags.map(({ start, end }) => ({
      start,
      end,
      part: () => ({ kind: "text", text: text.slice(start, end) }),
    }));
    for (const [start, end] of hiddenRanges) {
      if (!text.startsWith("<!--", start) || end - start < 4) continue;
      all.push({ start, end, part: () => ({ kind: "text", text: "" }) });
    }
    for (const [start, end] of codeRanges) {
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
    for (const { kind, destination, at, end, textRange, written } of links) {
      if (destination === undefined) continue;
      const shown = text.slice(...textRange);
      all.push({
        start: at,
        end,
        part: () => {
          if (kind === "wiki") return { kind, destination, text: shown.trim(), written };
          if (kind === "image") return { kind: "picture", destination, text: shown };
          const inner: InlineNode[] =
            kind === "link" ? parseRange(...textRange) : [{ kind: "text", text: shown }];
          return { kind: "link", destination, inner };
        },
      });
    }
    return all.sort((a, b) => a.start - b.start);
  }
}

const inlineSyntax =
  /\\(?<escaped>[!-/:-@[-`{-~])|(?<hard> {2,}|\\)\n|\[\[#(?<id>[^[\]\n]{1,200})\]\]|\[\[(?<own>[\w.-]{1,200}): ?(?<of>_*\p{Lu}[\w.-]{0,200})\]\]|\[\^(?<label>[^\]\s]{1,200})\]|(?<run>\*+|_+|~~)/gu;

/** Splits the text between matches at escapes, breaks, references and delimiters. */
function* tokensOf(text: string, from: number, to: number): Generator<InlineToken> {
  const segment = text.slice(from, to);
  let at = 0;
  for (const match of segment.matchAll(inlineSyntax)) {
    if (match.index > at) yield plain(segment.slice(at, match.index));
    at = match.index + match[0].length;
    const { escaped, hard, id, own, label, run } = match.groups ?? {};
    if (escaped !== undefined) yield { kind: "text", text: escaped };
    else if (hard !== undefined) yield { kind: "break" };
    else if (id !== undefined) yield { kind: "object", id, text: id };
    else if (own !== undefined) yield { kind: "object", id: own, text: match[0].slice(2, -2) };
    else if (label !== undefined) yield { kind: "note", label };
    else if (run !== undefined) yield delimiter(text, from + match.index, run);
  }
  if (at < segment.length) yield plain(segment.slice(at));
}

const plain = (text: string): InlineNode => ({ kind: "text", text: decodeHtmlEntities(text) });

/** The CommonMark flanking rules: underscores, unlike asterisks, do not work inside a word. */
function delimiter(text: string, at: number, run: string): Delimiter {
  const before = text[at - 1] ?? " ";
  const after = text[at + run.length] ?? " ";
  const opens =
    !isBlank(after) && (!isPunctuation(after) || isBlank(before) || isPunctuation(before));
  const closes =
    !isBlank(before) && (!isPunctuation(before) || isBlank(after) || isPunctuation(after));
  const isUnderscore = run.startsWith("_");
  return {
    kind: "delimiter",
    sign: run.charAt(0),
    count: run.length,
    opens: opens && (!isUnderscore || !closes || isPunctuation(before)),
    closes: closes && (!isUnderscore || !opens || isPunctuation(after)),
  };
}

const isBlank = (char: string): boolean => /\s/u.test(char);
const isPunctuation = (char: string): boolean => /[\p{P}\p{S}]/u.test(char);
