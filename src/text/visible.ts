/**
 * A name as it may stand in a line: without characters that end the line, turn it around or are
 * not seen at all, since a document's title and a file's name are somebody else's words. The two
 * joiners stay, because scripts and emoji need them.
 */
export const visible = (name: string): string =>
  name
    .replace(/[\p{Cc}\u2028\u2029]+/gu, " ")
    .replace(
      /[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu,
      "",
    )
    .trim();
