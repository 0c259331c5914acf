import { createSha256 } from "../../../kernel/files/hashes.ts";
import type { Boundary } from "../../../kernel/paths/boundary.ts";
import { openTimeSlice } from "../../../kernel/processes/time-slice.ts";
import { decodeText } from "../../../text/formats/text-decoder.ts";
import { documentTitle } from "../../../text/markdown/headings.ts";
import { classifyDiataxis } from "../../../text/software/diataxis.ts";
import { isDocumentPage } from "../../../text/software/programming-languages.ts";
import { splitLines } from "../../../text/strings/lines.ts";
import { parentFolder } from "../../../text/strings/relative-path.ts";
import type { TaskContext } from "../progress.ts";
import type { RepositoryFile } from "../repo/file-inventory.ts";
import { readRepositoryBytes } from "../repo/file-text.ts";
import type { RepoModel } from "../repo/repo-model.ts";
import type { PageSummary } from "./analysis.ts";

/** The result of one pass over the contents of all files. */
export interface ContentScan {
  /** A digest of the content, independent of time and user. Absent if the scan is incomplete. */
  digest?: string;
  pages: PageSummary[];
  problems: { file: string; problem: string }[];
  /** The first unread file, if time ran out. */
  stoppedAt?: string;
}

/** Larger files are probably generated: only their names and sizes are used. */
const maxReadBytes = 1024 * 1024;

/** Further unreadable files are not reported. */
const maxProblems = 100;

/** The start of a page is enough to classify it. */
const maxGuessLines = 80;

/**
 * The digest of a quick analysis: names and sizes of all files, and the contents that were read.
 */
export function digestFileList(files: readonly RepositoryFile[], manifestDigest: string): string {
  const hash = createSha256();
  for (const { path, size } of files) hash.update(`${path}\0${size}\0`);
  return hash.update(manifestDigest).digest("hex");
}

export async function scanContents(
  { files, inventory: { root }, roleOf }: RepoModel,
  boundary: Boundary,
  { signal, progress }: TaskContext,
): Promise<ContentScan> {
  const hash = createSha256();
  const pages: PageSummary[] = [];
  const problems: ContentScan["problems"] = [];
  const timeSlice = openTimeSlice();
  progress(0, files.length, "Reading files");
  for (const [index, file] of files.entries()) {
    if (timeSlice.isOver()) {
      progress(index, files.length, "Reading files");
      await timeSlice.pass();
    }
    if (signal.aborted) return { pages, problems, stoppedAt: file.path };
    const { path, size } = file;
    hash.update(`${path}\0${size}\0`);
    if (file.isLink || size > maxReadBytes) continue;
    const read = readRepositoryBytes(boundary, root, path, maxReadBytes);
    if ("problem" in read) {
      if (problems.length < maxProblems) problems.push({ file: path, problem: read.problem });
      continue;
    }
    hash.update(read.bytes);
    if (!isDocumentPage(path) || isExcluded(path)) continue;
    pages.push(summarizePage(path, read.bytes));
  }
  return { digest: hash.digest("hex"), pages, problems };

  function isExcluded(path: string): boolean {
    const { vendored, sample, hidden, tests } = roleOf(parentFolder(path));
    return vendored || sample || hidden || tests !== undefined;
  }
}

function summarizePage(file: string, bytes: Buffer): PageSummary {
  const lines = splitLines(decodeText(bytes.subarray(0, maxGuessBytes)) ?? "").slice(
    0,
    maxGuessLines,
  );
  const { type, confidence, evidence } = classifyDiataxis(file, lines);
  return {
    file,
    title: documentTitle(lines, file),
    bytes: bytes.length,
    type,
    confidence,
    evidence: evidence
      .filter((item) => item.type === type)
      .slice(0, 3)
      .map(({ seen, line }) => `${seen.slice(0, 200)}${line === null ? "" : ` (line ${line})`}`),
  };
}

/** Enough bytes for `maxGuessLines` lines. */
const maxGuessBytes = 16 * 1024;
