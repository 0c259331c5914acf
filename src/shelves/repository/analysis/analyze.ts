import { join } from "node:path";
import { Failure, failureReason, noPermission } from "../../../kernel/failure.ts";
import { createSha256 } from "../../../kernel/files/hashes.ts";
import type { Boundary } from "../../../kernel/paths/boundary.ts";
import { decodeText } from "../../../text/formats/text-decoder.ts";
import { extensionOf, isDocumentPage } from "../../../text/software/programming-languages.ts";
import { parentFolder } from "../../../text/strings/relative-path.ts";
import { findEntryPoints } from "../facts/entry-points.ts";
import { collectFacts, type RepositoryFacts } from "../facts/facts.ts";
import { subtask, type TaskContext } from "../progress.ts";
import { takeFileInventory } from "../repo/file-inventory.ts";
import { type LocatedManifest, type RepoModel, repoModelOf } from "../repo/repo-model.ts";
import type { SymbolReader } from "../symbols/symbol-reader.ts";
import { scanSymbols } from "../symbols/symbol-scan.ts";
import type { Analysis, AnalysisDepth, ManifestSummary, PublicSymbol } from "./analysis.ts";
import { digestFileList, scanContents } from "./content-scan.ts";

/** Manifests, licences and settings are short; longer files are ignored. */
const maxManifestBytes = 512 * 1024;

/** Limits for the stored analysis of a very large repository. */
const maxPages = 20_000;
const maxSymbols = 20_000;
const maxProblems = 100;
const maxManifests = 1_000;
/** No ecosystem allows longer package names. */
const maxNameLength = 214;

/**
 * Analyses a repository to the requested depth. Nothing in it is run and no link is followed; on a
 * timeout the result says where the analysis stopped.
 */
export async function analyze(
  state: { boundary: Boundary; symbols: SymbolReader },
  request: { root: string; path: string; depth: AnalysisDepth },
  call: TaskContext,
): Promise<Analysis> {
  const { boundary } = state;
  const { root, path, depth } = request;
  const problems: Analysis["problems"] = [];
  const manifestHash = createSha256();
  const inventory = await takeFileInventory(root, boundary, call);
  if (inventory.unreadable.includes("")) {
    throw noPermission("The repository cannot be read");
  }
  for (const folder of inventory.unreadable)
    problems.push({ file: folder, problem: "cannot be opened" });
  const model = repoModelOf(inventory, (file) => {
    const text = readManifest(file);
    if (text !== undefined) manifestHash.update(file).update(text);
    return text;
  });
  problems.push(...malformedManifestProblems(model));
  const { facts, docs, projectType, ecosystem } = collectFacts(model);
  // Taking the inventory was part 0 of the progress; then come reading and parsing the files.
  const parts = { parts: depth === "deep" ? 3 : 2, size: inventory.files.length };
  const contents =
    depth === "quick"
      ? undefined
      : await scanContents(model, boundary, subtask(call, { part: 1, ...parts }));
  problems.push(...(contents?.problems ?? []));
  const api =
    depth === "deep" && contents?.stoppedAt === undefined ? await publicSymbols(model) : undefined;
  const stoppedAt = inventory.stoppedAt ?? contents?.stoppedAt ?? api?.stoppedAt;
  const digest = contents?.digest ?? digestFileList(inventory.files, manifestHash.digest("hex"));
  const existingDocs = documentationPaths(model);
  return {
    id: analysisId(depth, digest, stoppedAt),
    timestamp: new Date().toISOString(),
    path,
    structure: {
      totalFiles: facts.files,
      totalDirectories: inventory.folders.length,
      languages: countBy(model.files, ({ path: file }) => extensionOf(file)),
      hasTests: facts.has_tests,
      hasCI: facts.has_ci,
      hasDocs: facts.has_docs_dir,
    },
    dependencies: { ecosystem, ...packageNames(model, ecosystem) },
    documentation: {
      hasReadme: facts.has_readme,
      hasContributing: facts.has_contributing,
      hasLicense: facts.has_license_file,
      existingDocs,
      estimatedComplexity:
        existingDocs.length <= 3 ? "simple" : existingDocs.length <= 10 ? "moderate" : "complex",
      ...(contents && { pagesByType: countBy(contents.pages, ({ type }) => type) }),
    },
    recommendations: {
      primaryLanguage: facts.primary_language ?? "unknown",
      projectType,
      teamSize: guessTeamSize(facts),
    },
    depth,
    facts,
    manifests: model.manifests.slice(0, maxManifests).map(summarizeManifest),
    entryPoints: findEntryPoints(model),
    adrFolders: docs.adrFolders,
    ...(contents && { pages: contents.pages.slice(0, maxPages) }),
    ...(api && { symbols: api.symbols.slice(0, maxSymbols) }),
    problems: problems.slice(0, maxProblems),
    ...(stoppedAt !== undefined && { partial: true, stopped_at: stoppedAt }),
  };

  function readManifest(file: string): string | undefined {
    try {
      return decodeText(boundary.readFile(join(root, file), root, maxManifestBytes));
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      if (error.kind !== "not-found") problems.push({ file, problem: failureReason(error) });
      return undefined;
    }
  }

  /** Symbols of samples are not part of the project's API. */
  async function publicSymbols({
    roleOf,
  }: RepoModel): Promise<{ symbols: PublicSymbol[]; stoppedAt?: string | undefined }> {
    const scan = await scanSymbols(state, inventory, subtask(call, { part: 2, ...parts }));
    problems.push(...scan.problems);
    return {
      symbols: scan.symbols
        .filter(({ file }) => !roleOf(parentFolder(file)).sample)
        .map(({ name, kind, file, line }) => ({ symbol: name, kind, file, line })),
      stoppedAt: scan.stopped_at,
    };
  }
}

/** The id depends on the depth, and on whether the analysis is partial. */
function analysisId(depth: AnalysisDepth, digest: string, stoppedAt: string | undefined): string {
  const part = stoppedAt === undefined ? "" : "_partial";
  return `analysis_${depth}_${digest.slice(0, 20)}${part}`;
}

const malformedManifestProblems = ({ manifests }: RepoModel): Analysis["problems"] =>
  manifests
    .filter(({ isMalformed, scope }) => isMalformed && scope !== "other")
    .map(({ file }) => ({ file, problem: "cannot be understood" }));

function countBy<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
): Record<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
  const sorted = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  return Object.fromEntries(sorted.filter(([key]) => key !== "").slice(0, maxKeys));
}

/** A repository may contain arbitrarily many different extensions. */
const maxKeys = 100;

/** Pages of the project itself, in any folder. */
const documentationPaths = ({ ownFiles, roleOf }: RepoModel): string[] =>
  ownFiles
    .filter(({ path }) => isDocumentPage(path) && roleOf(parentFolder(path)).tests === undefined)
    .map(({ path }) => path)
    .slice(0, maxPages);

function packageNames({ projectManifests }: RepoModel, ecosystem: string) {
  const manifests = projectManifests.flatMap(({ kind, manifest }) =>
    manifest && kind.ecosystem === ecosystem ? [manifest] : [],
  );
  const unique = (names: string[]): string[] =>
    [...new Set(names)].filter((name) => name.length <= maxNameLength).sort();
  return {
    packages: unique(manifests.flatMap(({ dependencies }) => dependencies)),
    devPackages: unique(manifests.flatMap(({ devDependencies }) => devDependencies)),
  };
}

function guessTeamSize({ files, has_ci, has_contributing }: RepositoryFacts) {
  if (files > 100 || (has_ci && has_contributing)) return "large";
  if (files > 50) return "medium";
  return files > 20 ? "small" : "solo";
}

function summarizeManifest({ file, kind, manifest }: LocatedManifest): ManifestSummary {
  const { name, version, description } = manifest ?? {};
  return {
    file,
    ecosystem: kind.ecosystem,
    ...(name !== undefined && { name: name.slice(0, maxNameLength) }),
    ...(version !== undefined && { version: version.slice(0, maxNameLength) }),
    ...(description !== undefined && { description: description.slice(0, 2 * maxNameLength) }),
    dependencies: manifest?.dependencies.length ?? 0,
    devDependencies: manifest?.devDependencies.length ?? 0,
  };
}
