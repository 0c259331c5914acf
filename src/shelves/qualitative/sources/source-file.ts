import { basename, dirname, extname, isAbsolute } from "node:path";
import { Failure, type FailureKind } from "../../../kernel/failure.ts";
import type { DocumentReader } from "../../../kernel/formats/document-reader.ts";
import type { Boundary } from "../../../kernel/paths/boundary.ts";
import { statOrUndefined } from "../../../kernel/paths/file-stat.ts";
import { subtitlesToTranscript } from "../../../text/transcripts/subtitles.ts";
import type { SourceType } from "./media-path.ts";

/** File extensions by source type. */
const extensionsByType: Record<SourceType, string> = {
  text: "txt md docx odt rtf epub html htm xhtml srt vtt csv",
  pdf: "pdf",
  audio: "mp3 wav m4a ogg flac aac wma",
  video: "mp4 mov avi mkv wmv webm m4v",
  image: "jpg jpeg png gif bmp tif tiff webp heic heif",
};

/** A file to import. */
export interface SourceFile {
  /** The real path. */
  path: string;
  /** The base name as given. */
  name: string;
  type: SourceType;
  size: number;
}

export function findSourceFile(boundary: Boundary, requestedPath: string): SourceFile {
  if (!isAbsolute(requestedPath))
    throw sourceNotImported("RELATIVE_PATH", "file_path must be an absolute path");
  const path = enterImportPath(boundary, requestedPath);
  const stat = statOrUndefined(path);
  if (!stat?.isFile()) throw sourceNotImported("NOT_A_FILE", "file_path is not a file");
  const name = basename(requestedPath);
  return { path, name, type: sourceTypeByExtension(name), size: stat.size };
}

function enterImportPath(boundary: Boundary, path: string): string {
  try {
    return boundary.resolvePath(path);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.code === "in-project") throw fileInProject();
    if (error.kind === "forbidden") throw error;
    throw sourceNotImported("FILE_NOT_FOUND", error.message, { kind: "not-found" });
  }
}

/** A file inside a project may belong to a private source. */
const fileInProject = (): Failure =>
  sourceNotImported("OF_A_PROJECT", "Only a person can import a file from a project's folder", {
    kind: "forbidden",
  });

function sourceTypeByExtension(name: string): SourceType {
  const ending = extname(name).slice(1).toLowerCase();
  for (const [type, known] of Object.entries(extensionsByType)) {
    // `Object.entries` loses the type of the keys.
    if (ending !== "" && known.split(" ").includes(ending)) return type as SourceType;
  }
  const known = Object.values(extensionsByType)
    .join(" ")
    .replaceAll(/\b(?=\w)/g, ".");
  throw sourceNotImported(
    "UNSUPPORTED_TYPE",
    `Unsupported file type '${ending}'. Supported: ${known}`,
    {
      hints: ending === "doc" ? ["Save it as .docx first."] : [],
    },
  );
}

/**
 * The text of a file; null for pictures and recordings. Line ends become `\n`, as in QualCoder's
 * own imports, whose editor counts one character per line end; the file itself is stored unchanged.
 */
export async function extractSourceText(
  { boundary, reader }: { boundary: Boundary; reader: DocumentReader },
  { path, name, type }: SourceFile,
): Promise<string | null> {
  if (type !== "text" && type !== "pdf") return null;
  const bytes = readSourceBytes(() => boundary.readFile(path, dirname(path)));
  const read = await reader.readPlainText(bytes, name).catch((error: unknown) => {
    throw unreadableSourceFile(name, error);
  });
  const text = read.replaceAll(/\r\n?/g, "\n");
  const transcript = /\.(srt|vtt)$/i.test(name) ? subtitlesToTranscript(text) : text;
  if (transcript === undefined) {
    throw sourceNotImported(
      "EXTRACTION_FAILED",
      `'${name}' cannot be read: it contains no subtitle times`,
    );
  }
  if (transcript.trim() === "")
    throw sourceNotImported("EMPTY_CONTENT", `'${name}' contains no text`);
  return transcript;
}

function unreadableSourceFile(name: string, error: unknown): unknown {
  if (!(error instanceof Failure)) return error;
  const isFile = error.kind === "invalid";
  return sourceNotImported(
    isFile ? "EXTRACTION_FAILED" : "NO_CONVERTER",
    `'${name}' cannot be read: ${error.message}`,
    {
      kind: error.kind,
      hints: /UTF-8/.test(error.message) ? ["Save it as UTF-8 and try again."] : [],
    },
  );
}

/** Reports a file that is too large as a failed import. */
function readSourceBytes(read: () => Buffer): Buffer {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Failure) || error.kind !== "too-large") throw error;
    throw sourceNotImported("TOO_LARGE", error.message, { kind: "too-large" });
  }
}

export const importErrorCode = "SOURCE_NOT_IMPORTED";

export const sourceNotImported = (
  reason: string,
  message: string,
  { kind = "invalid", hints = [] }: { kind?: FailureKind; hints?: readonly string[] } = {},
): Failure => new Failure(kind, `${importErrorCode}/${reason}`, message, { hints });
