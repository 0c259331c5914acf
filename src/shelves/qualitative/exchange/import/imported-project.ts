import { basename, dirname, join } from "node:path";
import type { Writable } from "node:stream";
import type { Call } from "../../../../kernel/call.ts";
import { Failure } from "../../../../kernel/failure.ts";
import { type SafeDirectory, withDirectory } from "../../../../kernel/files/safe-directory.ts";
import { createThroughStaging } from "../../../../kernel/files/staged-file.ts";
import { temporaryName } from "../../../../kernel/files/temporary-name.ts";
import type { Boundary } from "../../../../kernel/paths/boundary.ts";
import { coderNameOf, qualcoderDate, unnamedCoder } from "../../project/coder.ts";
import { createProjectFolder, type NewProjectFolder } from "../../project/project-location.ts";
import { createProjectFile } from "../../project/qualcoder-file.ts";
import { createQualcoderTables, migrateOwnTables } from "../../qda/storage-project.ts";
import { mediaFoldersByType } from "../../sources/media-path.ts";
import type { Content, SourceContent } from "../content.ts";
import type { LossReport } from "../losses.ts";
import { createUniqueNamer } from "../unique-names.ts";
import { projectNotImported } from "./import-errors.ts";
import { normalizeContent } from "./normalize-content.ts";
import { writeContent } from "./write-content.ts";

/** The content of another program's file. */
export interface ExchangeFile {
  content: Content;
  losses: LossReport;
  /** Writes a file of a source. */
  save(location: string, file: Writable): Promise<void>;
}

/**
 * Creates a project from imported content. It is built in a staging folder and then renamed, so
 * that an interruption leaves no partial project. Returns the path.
 */
export async function createImportedProject(
  boundary: Boundary,
  path: string,
  imported: ExchangeFile,
  call: Call,
): Promise<string> {
  if (!basename(path).endsWith(".qda")) {
    throw projectNotImported("INVALID_PATH", "The name of a project's folder must end with .qda.");
  }
  const newProject = createProjectFolder(boundary, join(dirname(path), temporaryName(".qda")));
  const { parentFolder } = newProject;
  const target = basename(path);
  try {
    assertNameFree(parentFolder, target);
    await writeImportedProject(newProject, imported, call);
    call.signal.throwIfAborted();
    newProject.folder.verify();
    assertNameFree(parentFolder, target);
    parentFolder.rename(basename(newProject.path), target);
    parentFolder.sync();
    return join(parentFolder.path, target);
  } catch (error) {
    newProject.remove();
    throw toImportFailure(error);
  } finally {
    newProject.close();
  }
}

/** Translates file system errors, such as an existing folder or a full disk. */
function toImportFailure(error: unknown): unknown {
  const { code = "", syscall } = error as NodeJS.ErrnoException;
  if (error instanceof Failure || syscall === undefined) return error;
  return syscall === "rename" && ["ENOTEMPTY", "EEXIST", "ENOTDIR"].includes(code)
    ? nameTaken()
    : projectNotImported("NOT_WRITTEN", `The project cannot be written there (${code}).`);
}

function assertNameFree(parent: SafeDirectory, target: string): void {
  if (parent.stat(target)) throw nameTaken();
}

const nameTaken = (): Failure =>
  projectNotImported(
    "ALREADY_EXISTS",
    "A file or folder with this name already exists.",
    "conflict",
  );

async function writeImportedProject(
  location: NewProjectFolder,
  imported: ExchangeFile,
  call: Call,
): Promise<void> {
  const { content, losses, save } = imported;
  const coder = content.coder ?? unnamedCoder;
  const people = content.coders.map(({ name }) => name);
  const coders = { codername: coder, agents: [], allNames: () => people };
  normalizeContent(content, coderNameOf(call, coders), losses);
  const files = namedFiles(content.sources);
  for (const [{ file }, { folder, name }] of files) {
    const part = file?.location;
    if (part === undefined) continue;
    await withDirectory(location.folder.openFolder(folder), (media) =>
      save(part, media.stream(name, 0o600)),
    );
  }
  const date = qualcoderDate();
  createThroughStaging(location.folder, "data.qda", (staged) => {
    const db = createProjectFile(staged);
    try {
      createQualcoderTables(db, { date, coder, name: content.name || undefined });
      migrateOwnTables(db);
      writeContent(db, content, {
        coder,
        date,
        mediapathOf: (source) => files.get(source)?.mediapath ?? null,
      });
    } finally {
      db.close();
    }
  });
}

interface NamedFile {
  folder: string;
  name: string;
  mediapath: string;
}

/**
 * File names that are valid on every file system, and unique when compared case-insensitively and
 * after Unicode normalization.
 */
function namedFiles(sources: readonly SourceContent[]): Map<SourceContent, NamedFile> {
  const unique = createUniqueNamer();
  const files = new Map<SourceContent, NamedFile>();
  for (const source of sources) {
    if (!source.file) continue;
    const { folder, word } = mediaFoldersByType[source.kind];
    const { stem, ending } = safeFileName(source.file.name, source.kind === "pdf" ? ".pdf" : "");
    const wanted = `${folder}/${stem}${ending}`.normalize("NFC").toLowerCase();
    const number = unique(wanted).slice(wanted.length);
    const name = `${stem}${number}${ending}`;
    files.set(source, { folder, name, mediapath: `/${word}/${name}` });
  }
  return files;
}

const maxStemBytes = 100;

function safeFileName(name: string, wantedEnding: string): { stem: string; ending: string } {
  const extension = /\.\w{1,10}$/.exec(name)?.[0] ?? "";
  const ending =
    wantedEnding !== "" && extension.toLowerCase() !== wantedEnding ? wantedEnding : extension;
  const stem = name
    .slice(0, name.length - (ending === extension ? ending.length : 0))
    .replace(/[\p{Cc}\p{Cf}<>:"/\\|?*]/gu, "_")
    .replace(/^[. ]+|[. ]+$/g, "");
  const bytes = Buffer.from(stem)
    .subarray(0, maxStemBytes)
    .toString("utf8")
    .replace(/\uFFFD+$/, "");
  const isDevice = /^(con|prn|aux|nul|com\d|lpt\d)$/i.test(bytes);
  return { stem: bytes === "" || isDevice ? `file_${bytes}` : bytes, ending };
}
