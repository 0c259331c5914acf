import { join } from "node:path";
import type { Boundary } from "../../../kernel/boundary.ts";
import { Failure, reasonOf } from "../../../kernel/failure.ts";
import { byLetters } from "../../../text/by-letters.ts";
import { decode } from "../../../text/decoding.ts";
import { folderOf, folderRoles } from "../folders.ts";
import type { Telling } from "../long-work.ts";
import type { Survey, SurveyedFile } from "../survey.ts";
import { grammarOf } from "./grammars.ts";
import type { SymbolReader } from "./reader.ts";
import type { PlacedSymbol } from "./symbol.ts";

/** What a repository offers to others. */
export interface OfferedSymbols {
  /** In the order of their files, and of their lines. */
  symbols: PlacedSymbol[];
  /** How many files were read. */
  files: number;
  /** Files that could not be read, and why. */
  problems: { file: string; problem: string }[];
  /** The first file that was not looked at, where the time was over. */
  stopped_at?: string;
}

/** Nobody writes longer ones by hand. */
const largestFile = 1_000_000;
/** Of a repository larger than this a part is told. */
const mostFiles = 20_000;
const mostSymbols = 100_000;

/**
 * The public symbols of a repository. Tests, samples and the code of others offer none. It ends
 * early where the call does, and says where.
 */
export async function symbolsOf(
  { boundary, symbols: reader }: { boundary: Boundary; symbols: SymbolReader },
  survey: Survey,
  call: Telling,
): Promise<OfferedSymbols> {
  const { root } = survey;
  const symbols: PlacedSymbol[] = [];
  const problems: OfferedSymbols["problems"] = [];
  const files = codeFiles(survey.files);
  // Nobody waits for a file once the time is over, since then the answer is due.
  const over = new Promise<undefined>((resolve) =>
    call.signal.addEventListener("abort", () => resolve(undefined), { once: true }),
  );
  for (const [done, { path, size, grammar }] of files.entries()) {
    const stop = () => ({ symbols, files: done, problems, stopped_at: path });
    if (call.signal.aborted || done >= mostFiles || symbols.length >= mostSymbols) return stop();
    if (done % 100 === 0) call.progress(done, files.length, "Reading code");
    const read = size > largestFile ? tooLarge : textOf(boundary, root, path);
    const outcome =
      "text" in read ? await Promise.race([reader.read({ grammar, text: read.text }), over]) : read;
    if (!outcome) return stop();
    if ("problem" in outcome) problems.push({ file: path, problem: outcome.problem });
    else for (const symbol of outcome.symbols) symbols.push({ ...symbol, file: path });
  }
  return { symbols, files: files.length, problems };
}

/** Declarations beside the code that they were made from would tell everything twice. */
function codeFiles(files: readonly SurveyedFile[]) {
  const roleOf = folderRoles();
  const found = files.flatMap((file) => {
    const grammar = file.isLink ? undefined : grammarOf(file.path);
    if (!grammar || ownTools.test(file.path)) return [];
    const { vendored, sample, tests, hidden } = roleOf(folderOf(file.path));
    return vendored || sample || tests !== undefined || hidden ? [] : [{ ...file, grammar }];
  });
  const paths = new Set(found.map(({ path }) => path));
  const hasCode = (path: string) => {
    const stem = path.replace(/\.d\.[cm]?ts$/, "");
    return stem !== path && codeEndings.some((ending) => paths.has(`${stem}.${ending}`));
  };
  return found.filter(({ path }) => !hasCode(path)).sort((a, b) => byLetters(a.path, b.path));
}

/** What a project keeps for its own makers. */
const ownTools = /^(scripts?|bench|benchmarks?)\//;

const codeEndings = ["ts", "tsx", "js", "mjs", "cjs"];

const tooLarge = { problem: "it is larger than 1 MB" };

function textOf(
  boundary: Boundary,
  root: string,
  path: string,
): { text: string } | { problem: string } {
  try {
    const text = decode(boundary.readFile(join(root, path), root, largestFile));
    return text === undefined ? { problem: "it is not text" } : { text };
  } catch (error) {
    if (error instanceof Failure) return { problem: reasonOf(error) };
    throw error;
  }
}
