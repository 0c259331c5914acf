/** The maximum path length of all supported systems. */
const maxPathBytes = 4096;

/**
 * Why a path is rejected before it is used, as the end of a sentence. Names that Windows interprets
 * in two ways are rejected there, because a check and an open could interpret them differently.
 */
export function findPathProblem(given: string, platform = process.platform): string | undefined {
  if (given.trim() === "") return "it is empty";
  if (given.includes("\0")) return "it contains a NUL character";
  if (Buffer.byteLength(given) > maxPathBytes) return `it is longer than ${maxPathBytes} bytes`;
  return platform === "win32" ? findWindowsProblem(given) : undefined;
}

function findWindowsProblem(given: string): string | undefined {
  if (/^[\\/]{2}[.?][\\/]/.test(given)) return "device paths are not supported";
  const segments = given.replace(/^[a-z]:/i, "").split(/[\\/]/);
  for (const name of segments) {
    if (name.includes(":")) return "a colon denotes a stream or a drive";
    if (name !== "." && name !== ".." && /[. ]$/.test(name)) {
      return "a name ends with a dot or a space";
    }
    if (/^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?$/i.test(name)) {
      return `'${name}' is a device name`;
    }
  }
  return undefined;
}
