import { basename, dirname, join } from "node:path";
import type { Writable } from "node:stream";
import type { Boundary } from "../../../kernel/boundary.ts";
import type { Call } from "../../../kernel/call.ts";
import { Failure } from "../../../kernel/failure.ts";
import { inDirectory, type SafeDirectory } from "../../../kernel/safe-directory.ts";
import { makeStaged } from "../../../kernel/staged-file.ts";
import { temporaryName } from "../../../kernel/temporary-name.ts";
import { createFile } from "../classic-file.ts";
import { coderOf, dateNow, unnamedCoder } from "../coder.ts";
import { mediaHomes } from "../mediapath.ts";
import { makePlace, type NewPlace } from "../place.ts";
import { createClassic, takeOwnSteps } from "../qda/storage-project.ts";
import type { Content, SourceContent } from "./content.ts";
import { fillProject } from "./filling.ts";
import type { Losses } from "./losses.ts";
import { notImported } from "./refusal.ts";
import { settle } from "./settling.ts";
import { uniqueNames } from "./unique-names.ts";

/** What was read of another program's file. */
export interface Found {
  content: Content;
  losses: Losses;
  /** Writes a file of a source. */
  save(place: string, file: Writable): Promise<void>;
}

/**
 * Makes a project of what was found. It is made beside its place and put there whole, so that
 * there is all of it or nothing, whatever happens meanwhile. Gives its path.
 */
export async function makeImported(
  boundary: Boundary,
  path: string,
  found: Found,
  call: Call,
): Promise<string> {
  if (!basename(path).endsWith(".qda")) {
    throw notImported("INVALID_PATH", "A project's folder must be named like 'Interviews.qda'.");
  }
  const place = makePlace(boundary, join(dirname(path), temporaryName(".qda")));
  const { above } = place;
  const target = basename(path);
  try {
    refuseTaken(above, target);
    await fillPlace(place, found, call);
    call.signal.throwIfAborted();
    place.folder.verify();
    refuseTaken(above, target);
    above.rename(basename(place.path), target);
    above.sync();
    return join(above.path, target);
  } catch (error) {
    place.remove();
    throw asRefusal(error);
  } finally {
    place.close();
  }
}

/** Somebody may have made the same folder meanwhile, and a disk may be full. */
function asRefusal(error: unknown): unknown {
  const { code = "", syscall } = error as NodeJS.ErrnoException;
  if (error instanceof Failure || syscall === undefined) return error;
  return syscall === "rename" && ["ENOTEMPTY", "EEXIST", "ENOTDIR"].includes(code)
    ? taken()
    : notImported("NOT_WRITTEN", `The project cannot be written there (${code}).`);
}

function refuseTaken(above: SafeDirectory, target: string): void {
  if (above.stat(target)) throw taken();
}

const taken = (): Failure =>
  notImported("ALREADY_EXISTS", "There is something of this name already.", "conflict");

async function fillPlace(place: NewPlace, found: Found, call: Call): Promise<void> {
  const { content, losses, save } = found;
  const coder = content.coder ?? unnamedCoder;
  const people = content.coders.map(({ name }) => name);
  const known = { codername: coder, agents: [], everybody: () => people };
  settle(content, coderOf(call, known), losses);
  const files = namedFiles(content.sources);
  for (const [{ file }, { folder, name }] of files) {
    const part = file?.place;
    if (part === undefined) continue;
    await inDirectory(place.folder.enter(folder), (media) => save(part, media.stream(name, 0o600)));
  }
  const date = dateNow();
  makeStaged(place.folder, "data.qda", (staged) => {
    const db = createFile(staged);
    try {
      createClassic(db, { date, coder, name: content.name || undefined });
      takeOwnSteps(db);
      fillProject(db, content, {
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

/** Names that every file system takes, each once: some tell neither case nor forms of letters apart. */
function namedFiles(sources: readonly SourceContent[]): Map<SourceContent, NamedFile> {
  const unique = uniqueNames();
  const files = new Map<SourceContent, NamedFile>();
  for (const source of sources) {
    if (!source.file) continue;
    const { folder, word } = mediaHomes[source.kind];
    const { stem, ending } = safeName(source.file.name, source.kind === "pdf" ? ".pdf" : "");
    const wanted = `${folder}/${stem}${ending}`.normalize("NFC").toLowerCase();
    const number = unique(wanted).slice(wanted.length);
    const name = `${stem}${number}${ending}`;
    files.set(source, { folder, name, mediapath: `/${word}/${name}` });
  }
  return files;
}

const longestStem = 100;

function safeName(given: string, wantedEnding: string): { stem: string; ending: string } {
  const found = /\.\w{1,10}$/.exec(given)?.[0] ?? "";
  const ending = wantedEnding !== "" && found.toLowerCase() !== wantedEnding ? wantedEnding : found;
  const stem = given
    .slice(0, given.length - (ending === found ? ending.length : 0))
    .replace(/[\p{Cc}\p{Cf}<>:"/\\|?*]/gu, "_")
    .replace(/^[. ]+|[. ]+$/g, "");
  const bytes = Buffer.from(stem)
    .subarray(0, longestStem)
    .toString("utf8")
    .replace(/\uFFFD+$/, "");
  const isDevice = /^(con|prn|aux|nul|com\d|lpt\d)$/i.test(bytes);
  return { stem: bytes === "" || isDevice ? `file_${bytes}` : bytes, ending };
}
