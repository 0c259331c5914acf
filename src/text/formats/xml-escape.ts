/** Escapes text for XML or HTML content and quoted attributes. */
export const escapeXml = (text: string): string =>
  text
    .toWellFormed()
    // XML 1.0 cannot represent these, not even as character references.
    .replace(invalidXmlChars, "\ufffd")
    .replace(/[<>&"'\r]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** The number of characters that XML cannot represent. */
export const countInvalidXmlChars = (text: string): number =>
  text.match(invalidXmlChars)?.length ?? 0;

// biome-ignore lint/suspicious/noControlCharactersInRegex: it matches control characters on purpose
const invalidXmlChars = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g;
