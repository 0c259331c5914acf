import { countBelow } from "../../../text/ascending.ts";

/** The words of an HTML text, with line ends where its blocks end. */
export interface HtmlText {
  text: string;
  /** The place of a stretch that is counted in bytes of UTF-8 over the words alone. */
  place(start: number, end: number): { start: number; end: number };
}

const blocks =
  /^\/?(p|div|h[1-6]|ul|ol|li|table|tr|blockquote|pre|section|article|header|footer|hr|br)$/i;

/**
 * Reads simple HTML, as Taguette stores documents: tags, words, and the entities of XML, spaces
 * that do not break, and numbers.
 *
 *     <p>Hé</p><p>you</p>      words by byte   H0 é1-2 y3 o4 u5
 *     Hé⏎you                   text            H0 é1 ⏎2 y3 o4 u5
 */
export function readHtml(html: string): HtmlText {
  const pieces: Piece[] = [];
  const parts: string[] = [];
  let [byte, unit] = [0, 0];
  const put = (words: string): void => {
    parts.push(words);
    unit += words.length;
  };
  for (const [, tag, words = ""] of html.matchAll(/<([^>]*)>?|([^<]+)/g)) {
    if (tag === undefined) {
      const decoded = decodeEntities(words);
      // White space between blocks counts, and would be a second line end.
      const isBetween = decoded.trim() === "" && (unit === 0 || parts.at(-1)?.endsWith("\n"));
      for (const part of decoded.match(shortParts) ?? []) {
        pieces.push({ byte, unit, words: isBetween ? "" : part });
        byte += Buffer.byteLength(part);
        if (!isBetween) put(part);
      }
    } else if (blocks.test(/^\/?\w+/.exec(tag)?.[0] ?? "") && !parts.at(-1)?.endsWith("\n")) {
      if (unit > 0) put("\n");
    }
  }
  const unitIn = (piece: Piece | undefined, wanted: number): number => {
    if (!piece) return 0;
    const bytes = Buffer.from(piece.words).subarray(0, Math.max(wanted - piece.byte, 0));
    return piece.unit + bytes.toString("utf8").length;
  };
  return {
    text: parts.join(""),
    // What ends with a block ends before our line end, and what begins with one behind it.
    place: (start, end) => ({
      start: unitIn(lastBelow(pieces, start + 1), start),
      end: unitIn(lastBelow(pieces, end), end),
    }),
  };
}

/** A place is counted from the start of its piece, so that a long text has many of them. */
const shortParts = /.{1,4096}/gsu;

interface Piece {
  byte: number;
  unit: number;
  words: string;
}

/** The last piece that begins before a byte. */
const lastBelow = (pieces: readonly Piece[], byte: number): Piece | undefined =>
  pieces[countBelow(pieces, (piece) => piece.byte < byte) - 1];

const entities: Record<string, string> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00A0",
};

const decodeEntities = (words: string): string =>
  words.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w{1,8}));/gi, (whole, ten, sixteen, name) => {
    if (name !== undefined) return entities[String(name).toLowerCase()] ?? whole;
    const point = ten === undefined ? Number.parseInt(sixteen, 16) : Number(ten);
    return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point).toWellFormed() : whole;
  });
