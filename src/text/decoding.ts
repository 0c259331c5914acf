/**
 * The text of a file's bytes: UTF-8, or UTF-16 where a byte order mark says so. A text in which no
 * letter beyond ASCII is UTF-8 was written by an older program, mostly in Windows-1252; in any other
 * a broken byte becomes U+FFFD rather than costing the whole document. `undefined` means that it is
 * no text.
 */
export function decode(bytes: Uint8Array): string | undefined {
  const [a, b] = bytes;
  if (a === 0xff && b === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (a === 0xfe && b === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  if (bytes.includes(0)) return undefined;
  const text = new TextDecoder("utf-8").decode(bytes);
  const isOlder = text.includes("\ufffd") && !/[^\0-\x7f\ufffd]/.test(text);
  return isOlder ? new TextDecoder("windows-1252").decode(bytes) : text;
}

/**
 * The same for whoever must have every letter as it was written: `undefined` also where a single
 * byte cannot be read.
 */
export function decodeExactly(bytes: Uint8Array): string | undefined {
  const [a, b] = bytes;
  const isWide = (a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff);
  const encoding = !isWide ? "utf-8" : a === 0xff ? "utf-16le" : "utf-16be";
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  }
}
