import { basename, dirname, extname, isAbsolute } from "node:path";
import type { Boundary } from "../../kernel/boundary.ts";
import { Failure, type FailureKind } from "../../kernel/failure.ts";
import type { Reader } from "../../kernel/formats/reader.ts";
import { statOf } from "../../kernel/path-kind.ts";
import { subtitlesToText } from "../../text/subtitles.ts";
import type { SourceType } from "./mediapath.ts";

/** What can be imported, by the ending of a file's name. */
const endings: Record<SourceType, string> = {
  text: "txt md docx odt rtf epub html htm xhtml srt vtt csv",
  pdf: "pdf",
  audio: "mp3 wav m4a ogg flac aac wma",
  video: "mp4 mov avi mkv wmv webm m4v",
  image: "jpg jpeg png gif bmp tif tiff webp heic heif",
};

/** A file that somebody wants to have as a source. */
export interface ImportFile {
  /** Where it really lies. */
  path: string;
  /** As it was named. */
  name: string;
  type: SourceType;
  size: number;
}

export function findImport(boundary: Boundary, given: string): ImportFile {
  if (!isAbsolute(given)) throw notImported("RELATIVE_PATH", "file_path must be an absolute path");
  const path = entered(boundary, given);
  const stat = statOf(path);
  if (!stat?.isFile()) throw notImported("NOT_A_FILE", "file_path names no file");
  const name = basename(given);
  return { path, name, type: typeByEnding(name), size: stat.size };
}

function entered(boundary: Boundary, given: string): string {
  try {
    return boundary.enter(given);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.code === "in-project") throw ofAProject();
    if (error.kind === "forbidden") throw error;
    throw notImported("FILE_NOT_FOUND", error.message, { kind: "not-found" });
  }
}

/** A file that lies in a project may be that of a private source, or its text. */
const ofAProject = (): Failure =>
  notImported("OF_A_PROJECT", "Only a person imports a file that lies in a project", {
    kind: "forbidden",
  });

function typeByEnding(name: string): SourceType {
  const ending = extname(name).slice(1).toLowerCase();
  for (const [type, known] of Object.entries(endings)) {
    // The keys of this object are types, which its entries do not say.
    if (ending !== "" && known.split(" ").includes(ending)) return type as SourceType;
  }
  const known = Object.values(endings)
    .join(" ")
    .replaceAll(/\b(?=\w)/g, ".");
  throw notImported("UNSUPPORTED_TYPE", `Unsupported file type '${ending}'. Known are ${known}`, {
    hints: ending === "doc" ? ["Save it as .docx first."] : [],
  });
}

/**
 * The words of a file; null for what has none by its nature. Lines end in `\n` as in QualCoder's own
 * imports, whose window counts one letter for each end; the file itself is kept as it is.
 */
export async function textOfImport(
  { boundary, reader }: { boundary: Boundary; reader: Reader },
  { path, name, type }: ImportFile,
): Promise<string | null> {
  if (type !== "text" && type !== "pdf") return null;
  const bytes = readInWords(() => boundary.readFile(path, dirname(path)));
  const read = await reader.readWords(bytes, name).catch((error: unknown) => {
    throw unreadableImport(name, error);
  });
  const text = read.replaceAll(/\r\n?/g, "\n");
  const words = /\.(srt|vtt)$/i.test(name) ? subtitlesToText(text) : text;
  if (words === undefined) {
    throw notImported(
      "EXTRACTION_FAILED",
      `'${name}' cannot be read: it holds no times of subtitles`,
    );
  }
  if (words.trim() === "") throw notImported("EMPTY_CONTENT", `'${name}' holds no text`);
  return words;
}

function unreadableImport(name: string, error: unknown): unknown {
  if (!(error instanceof Failure)) return error;
  const isFile = error.kind === "invalid";
  return notImported(
    isFile ? "EXTRACTION_FAILED" : "NO_CONVERTER",
    `'${name}' cannot be read: ${error.message}`,
    {
      kind: error.kind,
      hints: /UTF-8/.test(error.message) ? ["Save it as UTF-8, and try again."] : [],
    },
  );
}

/** What is too large is told as an import that was not made. */
function readInWords(read: () => Buffer): Buffer {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Failure) || error.kind !== "too-large") throw error;
    throw notImported("TOO_LARGE", error.message, { kind: "too-large" });
  }
}

export const importTask = "SOURCE_NOT_IMPORTED";

export const notImported = (
  reason: string,
  message: string,
  { kind = "invalid", hints = [] }: { kind?: FailureKind; hints?: readonly string[] } = {},
): Failure => new Failure(kind, `${importTask}/${reason}`, message, { hints });
