import { join } from "node:path";
import type { Boundary } from "../../kernel/boundary.ts";
import { Failure, reasonOf } from "../../kernel/failure.ts";
import { newHash } from "../../kernel/hashing.ts";
import { decode } from "../../text/decoding.ts";
import { diataxisOf } from "../../text/diataxis.ts";
import { titleOf } from "../../text/headings.ts";
import { isPage } from "../../text/languages.ts";
import { linesOf } from "../../text/lines.ts";
import type { PageFound } from "./analysis.ts";
import { folderOf } from "./folders.ts";
import type { Telling } from "./long-work.ts";
import type { Sight } from "./sight.ts";
import type { SurveyedFile } from "./survey.ts";
import { openTurn } from "./turn.ts";

/** What one walk through the contents of all files gives. */
export interface Contents {
  /** The same for the same content, whoever looks and whenever; only of content that was read whole. */
  digest?: string;
  pages: PageFound[];
  problems: { file: string; problem: string }[];
  /** The first file that was not read, where the time was over. */
  stoppedAt?: string;
}

/** Larger files are known by their names and sizes: nobody writes them by hand. */
const largestRead = 1024 * 1024;

/** Where so many files cannot be read, no further one needs to be named. */
const mostProblems = 100;

/** A page shows what it is in its first part. */
const mostLines = 80;

/** The digest of names and sizes, and of what was read: all that a quick look knows. */
export function digestOfNames(files: readonly SurveyedFile[], read: string): string {
  const hash = newHash();
  for (const { path, size } of files) hash.update(`${path}\0${size}\0`);
  return hash.update(read).digest("hex");
}

export async function contentsOf(
  { files, survey: { root }, roleOf }: Sight,
  boundary: Boundary,
  { signal, progress }: Telling,
): Promise<Contents> {
  const hash = newHash();
  const pages: PageFound[] = [];
  const problems: Contents["problems"] = [];
  const turn = openTurn();
  progress(0, files.length, "Reading files");
  for (const [index, file] of files.entries()) {
    if (turn.isOver()) {
      progress(index, files.length, "Reading files");
      await turn.pass();
    }
    if (signal.aborted) return { pages, problems, stoppedAt: file.path };
    const { path, size } = file;
    hash.update(`${path}\0${size}\0`);
    if (file.isLink || size > largestRead) continue;
    const read = bytesOf(boundary, root, path);
    if ("problem" in read) {
      if (problems.length < mostProblems) problems.push({ file: path, problem: read.problem });
      continue;
    }
    hash.update(read.bytes);
    if (!isPage(path) || isAside(path)) continue;
    pages.push(pageOf(path, read.bytes));
  }
  return { digest: hash.digest("hex"), pages, problems };

  function isAside(path: string): boolean {
    const { vendored, sample, hidden, tests } = roleOf(folderOf(path));
    return vendored || sample || hidden || tests !== undefined;
  }
}

function bytesOf(
  boundary: Boundary,
  root: string,
  path: string,
): { bytes: Buffer } | { problem: string } {
  try {
    return { bytes: boundary.readFile(join(root, path), root, largestRead) };
  } catch (error) {
    if (error instanceof Failure) return { problem: reasonOf(error) };
    throw error;
  }
}

function pageOf(file: string, bytes: Buffer): PageFound {
  const lines = linesOf(decode(bytes.subarray(0, longestStart)) ?? "").slice(0, mostLines);
  const { type, confidence, evidence } = diataxisOf(file, lines);
  return {
    file,
    title: titleOf(lines, file),
    bytes: bytes.length,
    type,
    confidence,
    evidence: evidence
      .filter((sign) => sign.type === type)
      .slice(0, 3)
      .map(({ seen, line }) => `${seen.slice(0, 200)}${line === null ? "" : ` (line ${line})`}`),
  };
}

/** So many bytes hold the lines that are looked at. */
const longestStart = 16 * 1024;
