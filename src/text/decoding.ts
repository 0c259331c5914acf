/**
 * The text of a file's bytes: UTF-8, or UTF-16 where a byte order mark says so. A broken byte
 * becomes U+FFFD rather than costing the whole document; `undefined` means that it is no text.
 */
export function decode(bytes: Uint8Array): string | undefined {
  const [a, b] = bytes;
  if (a === 0xff && b === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (a === 0xfe && b === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  if (bytes.includes(0)) return undefined;
  return new TextDecoder("utf-8").decode(bytes);
}
