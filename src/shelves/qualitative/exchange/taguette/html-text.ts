import { countBelow } from "../../../../text/arrays/binary-search.ts";

/** The text of an HTML document, with a line end after each block. */
export interface HtmlText {
  text: string;
  /** Converts a range in UTF-8 bytes of the text without line ends to a range of the text. */
  toTextRange(start: number, end: number): { start: number; end: number };
}

const blockTags =
  /^\/?(p|div|h[1-6]|ul|ol|li|table|tr|blockquote|pre|section|article|header|footer|hr|br)$/i;

/**
 * Parses simple HTML as Taguette stores it: tags, text, and character references (those of XML,
 * `&nbsp;` and numeric ones).
 *
 *     <p>Hé</p><p>you</p>      text by byte    H0 é1-2 y3 o4 u5
 *     Hé⏎you                   text            H0 é1 ⏎2 y3 o4 u5
 */
export function parseSimpleHtml(html: string): HtmlText {
  const pieces: TextPiece[] = [];
  const parts: string[] = [];
  let [byte, unit] = [0, 0];
  const append = (text: string): void => {
    parts.push(text);
    unit += text.length;
  };
  for (const [, tag, source = ""] of html.matchAll(/<([^>]*)>?|([^<]+)/g)) {
    if (tag === undefined) {
      const decoded = decodeEntities(source);
      // White space between blocks counts in Taguette's offsets, but is not part of the text.
      const isBetween = decoded.trim() === "" && (unit === 0 || parts.at(-1)?.endsWith("\n"));
      for (const part of decoded.match(partPattern) ?? []) {
        pieces.push({ byte, unit, text: isBetween ? "" : part });
        byte += Buffer.byteLength(part);
        if (!isBetween) append(part);
      }
    } else if (blockTags.test(/^\/?\w+/.exec(tag)?.[0] ?? "") && !parts.at(-1)?.endsWith("\n")) {
      if (unit > 0) append("\n");
    }
  }
  const unitAtByte = (piece: TextPiece | undefined, byte: number): number => {
    if (!piece) return 0;
    const bytes = Buffer.from(piece.text).subarray(0, Math.max(byte - piece.byte, 0));
    return piece.unit + bytes.toString("utf8").length;
  };
  return {
    text: parts.join(""),
    // A range that ends with a block ends before the added line end; one that starts with a block
    // starts after it.
    toTextRange: (start, end) => ({
      start: unitAtByte(lastPieceBefore(pieces, start + 1), start),
      end: unitAtByte(lastPieceBefore(pieces, end), end),
    }),
  };
}

/** Long texts are split, because offsets are counted from the start of a piece. */
const partPattern = /.{1,4096}/gsu;

interface TextPiece {
  byte: number;
  unit: number;
  text: string;
}

/** Binary search. */
const lastPieceBefore = (pieces: readonly TextPiece[], byte: number): TextPiece | undefined =>
  pieces[countBelow(pieces, (piece) => piece.byte < byte) - 1];

const entities: Record<string, string> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00A0",
};

const decodeEntities = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w{1,8}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return entities[String(name).toLowerCase()] ?? whole;
    const point = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point).toWellFormed() : whole;
  });
