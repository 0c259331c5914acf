/** The format of a file, by its extension. */
export type Format = "text" | "org" | "notebook" | ConvertedFormat;

/** Formats whose libraries are large and parse untrusted input; converted in a child process. */
export type ConvertedFormat = "html" | "docx" | "pdf" | "odt" | "epub" | "rtf";

/** `markdown`: with a title, for search. `words`: only the visible text, for exact quotes. */
export type OutputStyle = "markdown" | "words";

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
  // A shortcut: most files are Markdown, and this is called for each of many thousands.
  return extension === "md" ? "text" : (formats.get(extension.toLowerCase()) ?? "text");
}
