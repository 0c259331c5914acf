import { decode, decodeExactly } from "../../text/decoding.ts";
import { orgToMarkdown } from "../../text/org.ts";
import { type ConverterOptions, type ConversionJob as Job, openConverter } from "./converter.ts";
import { formatOf, type Manner } from "./format.ts";
import { readNotebook } from "./notebook.ts";
import { unreadable } from "./unreadable.ts";

/** What a file says, as text with Markdown headings where its format has headings. */
export interface Reader {
  /**
   * The text at once, where that takes no longer than decoding it; `undefined` for a file that
   * `read` must convert. Throws as `read` does.
   */
  readNow(bytes: Uint8Array, path: string): string | undefined;
  /** The text of a file by its name; a `Failure` says the reason in a few words. */
  read(bytes: Uint8Array, path: string): Promise<string>;
  /** The same without marks of Markdown and titles, letter by letter where it is plain text. */
  readWords(bytes: Uint8Array, path: string): Promise<string>;
  /** Whether the text differs from what the file holds, so that the caller must keep it. */
  converts(path: string): boolean;
  close(): Promise<void>;
}

/** Parsing a larger notebook would hold up everybody else who waits for this process. */
const largestNotebook = 2_000_000;

export function openReader(options: ConverterOptions = {}): Reader {
  const converter = openConverter(options);
  const convert = (bytes: Uint8Array, path: string, format: Job["format"], manner: Manner) =>
    converter.convert({ format, manner, name: nameOf(path), bytes });
  return {
    readNow,
    async read(bytes, path) {
      const format = formatOf(path);
      if (format === "text" || format === "org") return plainText(bytes, format);
      return readNow(bytes, path) ?? convert(bytes, path, format, "markdown");
    },
    async readWords(bytes, path) {
      const format = formatOf(path);
      if (format !== "text" && format !== "org") return convert(bytes, path, format, "words");
      const text = decodeExactly(bytes);
      if (text === undefined) throw unreadable("it is not text in UTF-8");
      return text;
    },
    converts: (path) => formatOf(path) !== "text",
    close: () => converter.close(),
  };
}

function readNow(bytes: Uint8Array, path: string): string | undefined {
  const format = formatOf(path);
  if (format === "text" || format === "org") return plainText(bytes, format);
  if (format !== "notebook" || bytes.length > largestNotebook) return undefined;
  return readNotebook(bytes);
}

function plainText(bytes: Uint8Array, format: "text" | "org"): string {
  const text = decode(bytes);
  if (text === undefined) throw unreadable("it is not text");
  return format === "org" ? orgToMarkdown(text) : text;
}

/** The last name of a path, without its extension. */
const nameOf = (path: string): string =>
  path.slice(path.lastIndexOf("/") + 1).replace(/\.[^.]+$/, "");
