import type { Boundary } from "../../../kernel/paths/boundary.ts";
import { decodeText } from "../../../text/formats/text-decoder.ts";
import { compareText } from "../../../text/strings/compare-text.ts";
import { parentFolder } from "../../../text/strings/relative-path.ts";
import type { TaskContext } from "../progress.ts";
import type { FileInventory, RepositoryFile } from "../repo/file-inventory.ts";
import { readRepositoryBytes } from "../repo/file-text.ts";
import { createFolderRoles } from "../repo/folder-roles.ts";
import type { LocatedSymbol } from "./code-symbol.ts";
import { grammarForPath } from "./grammars.ts";
import type { SymbolReader } from "./symbol-reader.ts";

/** The public symbols of a repository. */
export interface SymbolScan {
  /** Sorted by file and line. */
  symbols: LocatedSymbol[];
  /** Number of files read. */
  files: number;
  /** Files that could not be read, and why. */
  problems: { file: string; problem: string }[];
  /** The first unread file, if a timeout stopped the scan. */
  stopped_at?: string;
}

/** Longer files are probably generated. */
const maxFileBytes = 1_000_000;
/** Larger repositories are truncated. */
const maxFiles = 20_000;
const maxSymbols = 100_000;

/**
 * Reads the public symbols of a repository, without tests, samples and third-party code. Stops
 * early if the call is aborted and says where.
 */
export async function scanSymbols(
  { boundary, symbols: reader }: { boundary: Boundary; symbols: SymbolReader },
  inventory: FileInventory,
  call: TaskContext,
): Promise<SymbolScan> {
  const { root } = inventory;
  const symbols: LocatedSymbol[] = [];
  const problems: SymbolScan["problems"] = [];
  const files = codeFiles(inventory.files);
  // Resolves on abort, so that the result is not delayed by the current file.
  const aborted = new Promise<undefined>((resolve) =>
    call.signal.addEventListener("abort", () => resolve(undefined), { once: true }),
  );
  for (const [done, { path, size, grammar }] of files.entries()) {
    const stop = () => ({ symbols, files: done, problems, stopped_at: path });
    if (call.signal.aborted || done >= maxFiles || symbols.length >= maxSymbols) return stop();
    if (done % 100 === 0) call.progress(done, files.length, "Reading code");
    const read = size > maxFileBytes ? tooLarge : readCode(boundary, root, path);
    const outcome =
      "text" in read
        ? await Promise.race([reader.read({ grammar, text: read.text }), aborted])
        : read;
    if (!outcome) return stop();
    if ("problem" in outcome) problems.push({ file: path, problem: outcome.problem });
    else for (const symbol of outcome.symbols) symbols.push({ ...symbol, file: path });
  }
  return { symbols, files: files.length, problems };
}

/** Skips declaration files next to their sources, which would duplicate every symbol. */
function codeFiles(files: readonly RepositoryFile[]) {
  const roleOf = createFolderRoles();
  const candidates = files.flatMap((file) => {
    const grammar = file.isLink ? undefined : grammarForPath(file.path);
    if (!grammar || toolingFolder.test(file.path)) return [];
    const { vendored, sample, tests, hidden } = roleOf(parentFolder(file.path));
    return vendored || sample || tests !== undefined || hidden ? [] : [{ ...file, grammar }];
  });
  const paths = new Set(candidates.map(({ path }) => path));
  const hasCode = (path: string) => {
    const stem = path.replace(/\.d\.[cm]?ts$/, "");
    return stem !== path && codeEndings.some((ending) => paths.has(`${stem}.${ending}`));
  };
  return candidates
    .filter(({ path }) => !hasCode(path))
    .sort((a, b) => compareText(a.path, b.path));
}

/** Folders of internal tooling. */
const toolingFolder = /^(scripts?|bench|benchmarks?)\//;

const codeEndings = ["ts", "tsx", "js", "mjs", "cjs"];

const tooLarge = { problem: "it is larger than 1 MB" };

function readCode(
  boundary: Boundary,
  root: string,
  path: string,
): { text: string } | { problem: string } {
  const file = readRepositoryBytes(boundary, root, path, maxFileBytes);
  if ("problem" in file) return file;
  const text = decodeText(file.bytes);
  return text === undefined ? { problem: "it is not text" } : { text };
}
