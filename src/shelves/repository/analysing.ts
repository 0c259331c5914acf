import { join } from "node:path";
import type { Boundary } from "../../kernel/boundary.ts";
import { Failure, noPermission, reasonOf } from "../../kernel/failure.ts";
import { newHash } from "../../kernel/hashing.ts";
import { decode } from "../../text/decoding.ts";
import { endingOf, isPage } from "../../text/languages.ts";
import type { Analysis, Depth, ManifestFound, PublicSymbol } from "./analysis.ts";
import { contentsOf, digestOfNames } from "./contents.ts";
import { entryPointsOf } from "./entry-points.ts";
import { type Facts, factsFrom } from "./facts.ts";
import { folderOf } from "./folders.ts";
import { partOf, type Telling } from "./long-work.ts";
import { type PlacedManifest, type Sight, sightOf } from "./sight.ts";
import { surveyOf } from "./survey.ts";
import { symbolsOf } from "./symbols/offered.ts";
import type { SymbolReader } from "./symbols/reader.ts";

/** Manifests, licences and settings are short; anything longer of that name is none. */
const longestManifest = 512 * 1024;

/** What is kept of an analysis, however large the repository is. */
const mostPages = 20_000;
const mostSymbols = 20_000;
const mostProblems = 100;
const mostManifests = 1_000;
/** No ecosystem allows longer names. */
const longestName = 214;

/**
 * Looks at a repository as deep as it is asked. Nothing of it is run, no link is followed, and when
 * the time is over the answer says where it stopped.
 */
export async function analysisOf(
  state: { boundary: Boundary; symbols: SymbolReader },
  asked: { root: string; path: string; depth: Depth },
  call: Telling,
): Promise<Analysis> {
  const { boundary } = state;
  const { root, path, depth } = asked;
  const problems: Analysis["problems"] = [];
  const seen = newHash();
  const survey = await surveyOf(root, boundary, call);
  if (survey.unreadable.includes("")) {
    throw noPermission("The repository cannot be read");
  }
  for (const folder of survey.unreadable)
    problems.push({ file: folder, problem: "cannot be opened" });
  const sight = sightOf(survey, (file) => {
    const text = textOf(file);
    if (text !== undefined) seen.update(file).update(text);
    return text;
  });
  problems.push(...malformed(sight));
  const { facts, docs, projectType, ecosystem } = factsFrom(sight);
  // The survey was the first part: to look at the files, to read them, to parse the code.
  const parts = { parts: depth === "deep" ? 3 : 2, size: survey.files.length };
  const contents =
    depth === "quick"
      ? undefined
      : await contentsOf(sight, boundary, partOf(call, { part: 1, ...parts }));
  problems.push(...(contents?.problems ?? []));
  const offered =
    depth === "deep" && contents?.stoppedAt === undefined ? await offeredBy(sight) : undefined;
  const stoppedAt = survey.stoppedAt ?? contents?.stoppedAt ?? offered?.stoppedAt;
  const digest = contents?.digest ?? digestOfNames(survey.files, seen.digest("hex"));
  const existingDocs = documentsOf(sight);
  return {
    id: idOf(depth, digest, stoppedAt),
    timestamp: new Date().toISOString(),
    path,
    structure: {
      totalFiles: facts.files,
      totalDirectories: survey.folders.length,
      languages: countedBy(sight.files, ({ path: file }) => endingOf(file)),
      hasTests: facts.has_tests,
      hasCI: facts.has_ci,
      hasDocs: facts.has_docs_dir,
    },
    dependencies: { ecosystem, ...packagesOf(sight, ecosystem) },
    documentation: {
      hasReadme: facts.has_readme,
      hasContributing: facts.has_contributing,
      hasLicense: facts.has_license_file,
      existingDocs,
      estimatedComplexity:
        existingDocs.length <= 3 ? "simple" : existingDocs.length <= 10 ? "moderate" : "complex",
      ...(contents && { pagesByType: countedBy(contents.pages, ({ type }) => type) }),
    },
    recommendations: {
      primaryLanguage: facts.primary_language ?? "unknown",
      projectType,
      teamSize: teamSizeOf(facts),
    },
    depth,
    facts,
    manifests: sight.manifests.slice(0, mostManifests).map(shownManifest),
    entryPoints: entryPointsOf(sight),
    adrFolders: docs.adrFolders,
    ...(contents && { pages: contents.pages.slice(0, mostPages) }),
    ...(offered && { symbols: offered.symbols.slice(0, mostSymbols) }),
    problems: problems.slice(0, mostProblems),
    ...(stoppedAt !== undefined && { partial: true, stopped_at: stoppedAt }),
  };

  function textOf(file: string): string | undefined {
    try {
      return decode(boundary.readFile(join(root, file), root, longestManifest));
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      if (error.kind !== "not-found") problems.push({ file, problem: reasonOf(error) });
      return undefined;
    }
  }

  /** What the workspace leaves out is nothing that the project offers. */
  async function offeredBy({
    roleOf,
  }: Sight): Promise<{ symbols: PublicSymbol[]; stoppedAt?: string | undefined }> {
    const found = await symbolsOf(state, survey, partOf(call, { part: 2, ...parts }));
    problems.push(...found.problems);
    return {
      symbols: found.symbols
        .filter(({ file }) => !roleOf(folderOf(file)).sample)
        .map(({ name, kind, file, line }) => ({ symbol: name, kind, file, line })),
      stoppedAt: found.stopped_at,
    };
  }
}

/** The same content seen to another depth is another analysis, and so is a part of it. */
function idOf(depth: Depth, digest: string, stoppedAt: string | undefined): string {
  const part = stoppedAt === undefined ? "" : "_partial";
  return `analysis_${depth}_${digest.slice(0, 20)}${part}`;
}

const malformed = ({ manifests }: Sight): Analysis["problems"] =>
  manifests
    .filter(({ isBroken, place }) => isBroken && place !== "other")
    .map(({ file }) => ({ file, problem: "cannot be understood" }));

function countedBy<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
): Record<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
  const sorted = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  return Object.fromEntries(sorted.filter(([key]) => key !== "").slice(0, mostKeys));
}

/** Endings of files can be made up, as many as there are files. */
const mostKeys = 100;

/** Pages of the project itself, whatever folder they lie in. */
const documentsOf = ({ own, roleOf }: Sight): string[] =>
  own
    .filter(({ path }) => isPage(path) && roleOf(folderOf(path)).tests === undefined)
    .map(({ path }) => path)
    .slice(0, mostPages);

function packagesOf({ speaking }: Sight, ecosystem: string) {
  const manifests = speaking.flatMap(({ kind, said }) =>
    said && kind.ecosystem === ecosystem ? [said] : [],
  );
  const unique = (names: string[]): string[] =>
    [...new Set(names)].filter((name) => name.length <= longestName).sort();
  return {
    packages: unique(manifests.flatMap(({ dependencies }) => dependencies)),
    devPackages: unique(manifests.flatMap(({ devDependencies }) => devDependencies)),
  };
}

function teamSizeOf({ files, has_ci, has_contributing }: Facts) {
  if (files > 100 || (has_ci && has_contributing)) return "large";
  if (files > 50) return "medium";
  return files > 20 ? "small" : "solo";
}

function shownManifest({ file, kind, said }: PlacedManifest): ManifestFound {
  const { name, version, description } = said ?? {};
  return {
    file,
    ecosystem: kind.ecosystem,
    ...(name !== undefined && { name: name.slice(0, longestName) }),
    ...(version !== undefined && { version: version.slice(0, longestName) }),
    ...(description !== undefined && { description: description.slice(0, 2 * longestName) }),
    dependencies: said?.dependencies.length ?? 0,
    devDependencies: said?.devDependencies.length ?? 0,
  };
}
