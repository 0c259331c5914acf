/**
 * The text of a page: in the encoding that a byte order mark or the page itself names, else as
 * UTF-8, else as what old pages were written in.
 */
export function decodeHtml(bytes: Uint8Array): string | undefined {
  const encoding = markOf(bytes) ?? declaredIn(bytes);
  if (!encoding?.startsWith("utf-16") && bytes.includes(0)) return undefined;
  if (encoding) return new TextDecoder(encoding).decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

function markOf([a, b]: Uint8Array): string | undefined {
  if (a === 0xff && b === 0xfe) return "utf-16le";
  if (a === 0xfe && b === 0xff) return "utf-16be";
  return a === 0xef && b === 0xbb ? "utf-8" : undefined;
}

/** Browsers, too, look for it in the first kilobyte only; a few pages begin with a long comment. */
function declaredIn(bytes: Uint8Array): string | undefined {
  const start = new TextDecoder("latin1").decode(bytes.subarray(0, 4096));
  const [, name = ""] =
    /<meta\b[^>]{0,200}?charset\s{0,9}=\s{0,9}["']?([\w-]{1,40})/i.exec(start) ??
    /^\s{0,99}<\?xml[^>]{0,200}?encoding\s{0,9}=\s{0,9}["']([\w-]{1,40})/.exec(start) ??
    [];
  try {
    const { encoding } = new TextDecoder(name);
    // Whoever can read these words has not read UTF-16.
    return encoding.startsWith("utf-16") ? "utf-8" : encoding;
  } catch {
    return undefined;
  }
}
