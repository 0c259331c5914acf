/** A text as it may stand between the tags of XML or HTML, or in a quoted attribute. */
export const inMarkup = (text: string): string =>
  text
    .toWellFormed()
    // XML 1.0 has no way at all to write these.
    .replace(unwritable, "\ufffd")
    .replace(/[<>&"'\r]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** How many characters of a text XML cannot hold. */
export const unwritableIn = (text: string): number => text.match(unwritable)?.length ?? 0;

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it is for
const unwritable = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g;
