import { groupBy } from "../../../text/arrays/group-by.ts";
import type { Manifest } from "../../../text/manifests/manifest.ts";
import { globMatcher } from "../../../text/patterns/glob.ts";
import { baseNameOf, parentFolder } from "../../../text/strings/relative-path.ts";
import { type FolderRole, isDocsSiteFolder } from "./folder-roles.ts";
import { detectWorkspaceTools, type ManifestCandidate } from "./workspace-tools.ts";

/** The packages of a repository, as its workspace files declare them. */
export interface RepoWorkspace {
  isMonorepo: boolean;
  /** `lerna`, `yarn workspaces`; empty if packages are only siblings. */
  tools: string[];
  /** Package folders of a monorepo. */
  packages: string[];
  /** Folders of the declared members, without samples and tests. */
  members: string[];
  /** Folders that the workspace excludes. */
  excluded: string[];
}

interface WorkspaceInput {
  candidates: readonly ManifestCandidate[];
  has(path: string): boolean;
  plainRole(folder: string): FolderRole;
  readManifest(candidate: ManifestCandidate): Manifest | undefined;
}

export function detectWorkspace(input: WorkspaceInput): RepoWorkspace {
  const { candidates, plainRole, readManifest } = input;
  const roots = candidates.filter(({ folder }) => folder === "");
  const rootManifests = roots.flatMap((candidate) => {
    const manifest = readManifest(candidate);
    return manifest ? [{ candidate, manifest }] : [];
  });
  const members = new Set<string>();
  for (const { candidate, manifest } of rootManifests) {
    for (const folder of findMembers(candidate, manifest, input)) members.add(folder);
  }
  const tools = detectWorkspaceTools(rootManifests, input.has);
  if (members.size === 0 && tools.some(({ discoversProjects }) => discoversProjects)) {
    for (const folder of findProjectFolders(candidates, input)) members.add(folder);
  }
  const all = [...members].filter((folder) => folder !== "").sort();
  const excluded = rootManifests.flatMap(({ manifest }) => manifest.excluded.map(normalizeFolder));
  const isPublishedPackage = createPublishedPackageCheck(input);
  const isOwn = (folder: string): boolean => {
    const { vendored, sample, tests } = plainRole(folder);
    const isTests = tests !== undefined && !(tests === folder && isPublishedPackage(folder));
    return !vendored && !sample && !isTests;
  };
  const isReal = (folder: string): boolean => isOwn(folder) && !isDocsSiteFolder(folder);
  const ownMembers = all.filter(isOwn);
  const productCount = ownMembers.filter(isReal).length;
  const isPublished = rootManifests.some(
    ({ manifest, candidate }) =>
      manifest.isPackage &&
      !manifest.isPrivate &&
      ecosystemsWithRootPackage.has(candidate.kind.ecosystem),
  );
  const nonTestMembers = all.filter((folder) => plainRole(folder).tests === undefined).length;
  const isMonorepo =
    productCount >= 2 || (productCount === 1 && (isPublished || nonTestMembers >= 2));
  if (isMonorepo) {
    const names = [...new Set(tools.map(({ name }) => name))].sort();
    return { isMonorepo, tools: names, packages: ownMembers, members: ownMembers, excluded };
  }
  const siblings = all.length === 0 ? findSiblingPackages(input, isReal) : [];
  return {
    isMonorepo: siblings.length > 0,
    tools: [],
    packages: siblings,
    members: ownMembers,
    excluded,
  };
}

/** A published package whose name looks like tests is a test library. */
function createPublishedPackageCheck({
  candidates,
  readManifest,
}: WorkspaceInput): (folder: string) => boolean {
  const declaring = candidates.filter(
    ({ kind }) => kind.role === "package" && ecosystemsDeclaringAudience.has(kind.ecosystem),
  );
  const byFolder = new Map(declaring.map((candidate) => [candidate.folder, candidate]));
  return (folder) => {
    const found = byFolder.get(folder);
    const manifest = found && readManifest(found);
    return manifest?.description !== undefined && !manifest.isPrivate;
  };
}

/** Ecosystems whose manifests declare whether a package is private, and describe it. */
const ecosystemsDeclaringAudience = new Set(["javascript", "rust", "dart"]);

/** Ecosystems in which the workspace root may itself be a package. */
const ecosystemsWithRootPackage = new Set(["javascript", "rust", "go", "python", "dart"]);

/** The member folders of a root manifest that contain a manifest of the same ecosystem. */
function findMembers(root: ManifestCandidate, manifest: Manifest, input: WorkspaceInput): string[] {
  if (manifest.members.length === 0) return [];
  const candidateFolders = new Set(
    input.candidates
      .filter(({ kind }) => kind.ecosystem === root.kind.ecosystem && kind.role === "package")
      .map(({ folder }) => folder),
  );
  const included = manifest.members
    .filter((pattern) => !pattern.startsWith("!"))
    .map(normalizeFolder);
  const excludedPatterns = manifest.members.filter((pattern) => pattern.startsWith("!"));
  const isExcluded = matcherOf([
    ...excludedPatterns.map((pattern) => normalizeFolder(pattern.slice(1))),
    ...manifest.excluded,
  ]);
  const isIncluded = matcherOf(included);
  const found = [...candidateFolders].filter((folder) => isIncluded(folder) && !isExcluded(folder));
  const all = root.kind.manager === "maven" ? withMavenModules(found, input) : found;
  return all.filter((folder) => !input.plainRole(folder).vendored);
}

/** Bounds the expansion of Maven modules. */
const maxModules = 200;

/**
 * Maven modules may have submodules. The loop also visits entries added to the set while iterating.
 */
function withMavenModules(
  folders: readonly string[],
  { candidates, readManifest }: WorkspaceInput,
): string[] {
  const poms = new Map(candidates.map((candidate) => [candidate.file, candidate]));
  const found = new Set(folders);
  for (const folder of found) {
    const pom = poms.get(`${folder}/pom.xml`);
    const modules = pom ? (readManifest(pom)?.members ?? []).slice(0, maxModules) : [];
    for (const path of modules.map((name) => `${folder}/${normalizeFolder(name)}`)) {
      if (poms.has(`${path}/pom.xml`)) found.add(path);
    }
  }
  return [...found];
}

/** Matches any of the patterns; patterns with too many alternatives match nothing. */
function matcherOf(patterns: readonly string[]): (folder: string) => boolean {
  const plain = new Set(patterns);
  const matchers = patterns
    .filter((pattern) => /[*?[{]/.test(pattern))
    .slice(0, 200)
    .flatMap((pattern) => {
      try {
        return [globMatcher(pattern)];
      } catch (error) {
        if (error instanceof RangeError) return [];
        throw error;
      }
    });
  return (folder) => plain.has(folder) || matchers.some((matches) => matches(folder));
}

/** `./packages/a/` becomes `packages/a`; the root is the empty string. */
function normalizeFolder(pattern: string): string {
  const plain = pattern
    .replaceAll("\\", "/")
    .replace(/^(\.\/)+/, "")
    .replace(/(?<!\/)\/+$/, "");
  return plain === "." ? "" : plain;
}

/** Nx and similar tools include every project if the root has no list. */
const findProjectFolders = (
  candidates: readonly ManifestCandidate[],
  { plainRole, has }: WorkspaceInput,
): string[] =>
  candidates
    .filter(
      ({ file, folder, kind }) =>
        folder !== "" &&
        (kind.role === "package" || baseNameOf(file) === "project.json") &&
        isOwnCode(plainRole(folder)),
    )
    .map(({ folder }) => folder)
    .filter(
      (folder) =>
        has(`${folder}/project.json`) ||
        has(`${folder}/package.json`) ||
        has(`${folder}/pubspec.yaml`),
    );

const isOwnCode = ({ vendored, sample, tests, hidden }: FolderRole): boolean =>
  !vendored && !sample && !hidden && tests === undefined;

/** Conventional names of folders that contain packages. */
const packageFolderName =
  /^(packages|apps|libs|services|modules|crates|projects|components|plugins)$/i;

/**
 * If the root is not a package and declares no members, sibling packages make up the repository. If
 * the root has a manifest for tools only, only folders with conventional names count.
 */
function findSiblingPackages(
  { candidates, plainRole, readManifest }: WorkspaceInput,
  isReal: (folder: string) => boolean,
): string[] {
  const packages = candidates.filter(({ kind }) => kind.role === "package");
  const roots = packages.filter(({ folder }) => folder === "").map(readManifest);
  if (roots.some((root) => !root || (root.isPackage && !root.isPrivate))) return [];
  const folders = new Set(
    packages
      .map(({ folder }) => folder)
      .filter(
        (folder) => isReal(folder) && !plainRole(folder).hidden && folder.split("/").length <= 3,
      ),
  );
  // A nested package is part of the outer one.
  const outermost = [...folders].filter((folder) => !hasAncestorIn(folder, folders));
  const inPackageFolders = outermost.filter(
    (folder) => roots.length === 0 || packageFolderName.test(parentFolder(folder)),
  );
  return [...groupBy(inPackageFolders, parentFolder).values()]
    .filter((group) => group.length >= 2)
    .flat()
    .sort();
}

function hasAncestorIn(folder: string, folders: ReadonlySet<string>): boolean {
  for (let ancestor = parentFolder(folder); ancestor !== ""; ancestor = parentFolder(ancestor)) {
    if (folders.has(ancestor)) return true;
  }
  return false;
}
