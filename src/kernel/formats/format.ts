/** How a file is turned into text, as its name promises. */
export type Format = "text" | "org" | "notebook" | ConvertedFormat;

/** Formats whose libraries are large and whose files may be hostile; a process of its own reads them. */
export type ConvertedFormat = "html" | "docx" | "pdf" | "odt" | "epub" | "rtf";

/**
 * As Markdown under its title, for whoever searches it; or the words that the file shows and nothing
 * else, for whoever quotes them.
 */
export type Manner = "markdown" | "words";

const formats = new Map<string, Format>([
  ["org", "org"],
  ["ipynb", "notebook"],
  ["html", "html"],
  ["htm", "html"],
  ["xhtml", "html"],
  ["docx", "docx"],
  ["pdf", "pdf"],
  ["odt", "odt"],
  ["epub", "epub"],
  ["rtf", "rtf"],
]);

export function formatOf(path: string): Format {
  const dot = path.lastIndexOf(".");
  if (dot < 0) return "text";
  const extension = path.slice(dot + 1);
  // Most files are Markdown, and there may be many thousands of them.
  return extension === "md" ? "text" : (formats.get(extension.toLowerCase()) ?? "text");
}
