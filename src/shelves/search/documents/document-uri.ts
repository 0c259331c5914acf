const qmdScheme = "qmd://";

/** Percent-encodes each segment separately, so slashes are kept. */
export const documentUri = (file: string): string =>
  qmdScheme + file.split("/").map(encodeURIComponent).join("/");

/** The `collection/path` of a URI, decoded exactly once; undefined if it is not a `qmd://` URI. */
export function parseDocumentUri(uri: string): string | undefined {
  if (!uri.startsWith(qmdScheme)) return undefined;
  try {
    return decodeURIComponent(uri.slice(qmdScheme.length)).replace(/^\/+/, "");
  } catch {
    return undefined;
  }
}
