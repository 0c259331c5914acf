/** The longest path that any of our systems opens. */
const longest = 4096;

/**
 * What makes a path unfit to be tried at all, as the end of a sentence. Names that Windows reads
 * in two ways are refused there, since a check and the opening might read them differently.
 */
export function pathProblem(given: string, platform = process.platform): string | undefined {
  if (given.trim() === "") return "it is empty";
  if (given.includes("\0")) return "it holds a NUL character";
  if (Buffer.byteLength(given) > longest) return `it is longer than ${longest} bytes`;
  return platform === "win32" ? windowsProblem(given) : undefined;
}

function windowsProblem(given: string): string | undefined {
  if (/^[\\/]{2}[.?][\\/]/.test(given)) return "device paths are not taken";
  const segments = given.replace(/^[a-z]:/i, "").split(/[\\/]/);
  for (const name of segments) {
    if (name.includes(":")) return "a colon names a stream or another drive";
    if (name !== "." && name !== ".." && /[. ]$/.test(name)) {
      return "a name ends with a dot or a space";
    }
    if (/^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?$/i.test(name)) {
      return `'${name}' is the name of a device`;
    }
  }
  return undefined;
}
