/**
 * Decodes a file: UTF-16 with a byte order mark, otherwise UTF-8. If no non-ASCII character is
 * valid UTF-8, the file is decoded as Windows-1252. Otherwise invalid bytes become U+FFFD.
 * Undefined for binary data.
 */
export function decodeText(bytes: Uint8Array): string | undefined {
  const [a, b] = bytes;
  if (a === 0xff && b === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (a === 0xfe && b === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  if (bytes.includes(0)) return undefined;
  const text = utf8.decode(bytes);
  const isLegacy = text.includes("\ufffd") && !/[^\0-\x7f\ufffd]/.test(text);
  return isLegacy ? new TextDecoder("windows-1252").decode(bytes) : text;
}

/** Creating a decoder takes as long as decoding a small file. */
const utf8 = new TextDecoder("utf-8");

/** Decodes without loss: undefined if any byte is invalid. For files that are written back. */
export function decodeTextStrictly(bytes: Uint8Array): string | undefined {
  const [a, b] = bytes;
  const isUtf16 = (a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff);
  const encoding = !isUtf16 ? "utf-8" : a === 0xff ? "utf-16le" : "utf-16be";
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  }
}
