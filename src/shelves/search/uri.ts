const scheme = "qmd://";

/** Each segment is encoded by itself, so slashes stay slashes. */
export const uriOf = (file: string): string =>
  scheme + file.split("/").map(encodeURIComponent).join("/");

/** The `collection/path` of a URI as it was sent, decoded exactly once; `undefined` for no such URI. */
export function fileOf(uri: string): string | undefined {
  if (!uri.startsWith(scheme)) return undefined;
  try {
    return decodeURIComponent(uri.slice(scheme.length)).replace(/^\/+/, "");
  } catch {
    return undefined;
  }
}
