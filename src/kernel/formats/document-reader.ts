import { orgToMarkdown } from "../../text/formats/org-mode.ts";
import { decodeText, decodeTextStrictly } from "../../text/formats/text-decoder.ts";
import { type ConverterOptions, type ConversionJob as Job, openConverter } from "./converter.ts";
import { readNotebook } from "./converters/notebook.ts";
import { unreadableFile } from "./file-errors.ts";
import { formatOf, type OutputStyle } from "./format.ts";

/** Reads the text of files of all formats, with Markdown headings if the format has headings. */
export interface DocumentReader {
  /**
   * The text, if reading it is about as fast as decoding; `undefined` for a file that `read` must
   * convert. Throws like `read`.
   */
  readSync(bytes: Uint8Array, path: string): string | undefined;
  /** The text of a file; the extension of its path decides the format. Throws a `Failure`. */
  read(bytes: Uint8Array, path: string): Promise<string>;
  /** The same without Markdown and titles. Text files are returned unchanged. */
  readPlainText(bytes: Uint8Array, path: string): Promise<string>;
  /** Whether the text differs from the content of the file, so that the caller must store it. */
  needsConversion(path: string): boolean;
  close(): Promise<void>;
}

/** Parsing a larger notebook synchronously would block other callers for too long. */
const maxSyncNotebookBytes = 2_000_000;

export function openDocumentReader(options: ConverterOptions = {}): DocumentReader {
  const converter = openConverter(options);
  const convert = (bytes: Uint8Array, path: string, format: Job["format"], style: OutputStyle) =>
    converter.convert({ format, style, name: baseName(path), bytes });
  return {
    readSync,
    async read(bytes, path) {
      const format = formatOf(path);
      if (format === "text" || format === "org") return decodePlainText(bytes, format);
      return readSync(bytes, path) ?? convert(bytes, path, format, "markdown");
    },
    async readPlainText(bytes, path) {
      const format = formatOf(path);
      if (format !== "text" && format !== "org") return convert(bytes, path, format, "words");
      const text = decodeTextStrictly(bytes);
      if (text === undefined) throw unreadableFile("it is not text in UTF-8");
      return text;
    },
    needsConversion: (path) => formatOf(path) !== "text",
    close: () => converter.close(),
  };
}

function readSync(bytes: Uint8Array, path: string): string | undefined {
  const format = formatOf(path);
  if (format === "text" || format === "org") return decodePlainText(bytes, format);
  if (format !== "notebook" || bytes.length > maxSyncNotebookBytes) return undefined;
  return readNotebook(bytes);
}

function decodePlainText(bytes: Uint8Array, format: "text" | "org"): string {
  const text = decodeText(bytes);
  if (text === undefined) throw unreadableFile("it is not text");
  return format === "org" ? orgToMarkdown(text) : text;
}

/** The file name of a path, without its extension. */
const baseName = (path: string): string =>
  path.slice(path.lastIndexOf("/") + 1).replace(/\.[^.]+$/, "");
