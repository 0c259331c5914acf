/**
 * Makes an untrusted name, such as a title or a file name, safe to print on one line: removes
 * control characters, bidirectional controls and invisible characters. The zero-width joiner and
 * non-joiner are preserved, because some scripts and emoji need them.
 */
export const toPrintable = (name: string): string =>
  name
    .replace(/[\p{Cc}\u2028\u2029]+/gu, " ")
    .replace(
      /[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu,
      "",
    )
    .trim();
