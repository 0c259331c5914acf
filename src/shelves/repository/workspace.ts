import { globMatcher } from "../../text/glob.ts";
import { groupedBy } from "../../text/grouped.ts";
import type { Manifest } from "../../text/manifests/manifest.ts";
import { type FolderRole, folderOf, nameOf } from "./folders.ts";
import { type Candidate, workspaceTools } from "./workspace-tools.ts";

/** Packages that one repository holds together, as its own files declare. */
export interface Workspace {
  isMonorepo: boolean;
  /** `lerna`, `yarn workspaces`; none where packages only lie beside each other. */
  tools: string[];
  /** Folders of the packages of a monorepo. */
  packages: string[];
  /** Folders of the declared members, a monorepo or not, without samples and tests. */
  members: string[];
  /** Folders that a workspace says are not of it. */
  excluded: string[];
}

interface Given {
  candidates: readonly Candidate[];
  has(path: string): boolean;
  plainRole(folder: string): FolderRole;
  readManifest(candidate: Candidate): Manifest | undefined;
}

export function workspaceOf(given: Given): Workspace {
  const { candidates, plainRole, readManifest } = given;
  const roots = candidates.filter(({ folder }) => folder === "");
  const said = roots.flatMap((candidate) => {
    const manifest = readManifest(candidate);
    return manifest ? [{ candidate, manifest }] : [];
  });
  const members = new Set<string>();
  for (const { candidate, manifest } of said) {
    for (const folder of membersOf(candidate, manifest, given)) members.add(folder);
  }
  const tools = workspaceTools(said, given.has);
  if (members.size === 0 && tools.some(({ owns }) => owns)) {
    for (const folder of projectFolders(candidates, given)) members.add(folder);
  }
  const all = [...members].filter((folder) => folder !== "").sort();
  const excluded = said.flatMap(({ manifest }) => manifest.excluded.map(plainFolder));
  const isOffered = offeredAmong(given);
  const isOwn = (folder: string): boolean => {
    const { vendored, sample, tests } = plainRole(folder);
    const isTests = tests !== undefined && !(tests === folder && isOffered(folder));
    return !vendored && !sample && !isTests;
  };
  const isReal = (folder: string): boolean => isOwn(folder) && !isSite(folder);
  const own = all.filter(isOwn);
  const real = own.filter(isReal).length;
  const isPublished = said.some(
    ({ manifest, candidate }) =>
      manifest.isPackage && !manifest.isPrivate && holdsItself.has(candidate.kind.ecosystem),
  );
  const untried = all.filter((folder) => plainRole(folder).tests === undefined).length;
  const isMonorepo = real >= 2 || (real === 1 && (isPublished || untried >= 2));
  if (isMonorepo) {
    const names = [...new Set(tools.map(({ name }) => name))].sort();
    return { isMonorepo, tools: names, packages: own, members: own, excluded };
  }
  const beside = all.length === 0 ? packagesBeside(given, isReal) : [];
  return { isMonorepo: beside.length > 0, tools: [], packages: beside, members: own, excluded };
}

/** A package that is named after tests and offered to others is what they test with. */
function offeredAmong({ candidates, readManifest }: Given): (folder: string) => boolean {
  const telling = candidates.filter(
    ({ kind }) => kind.role === "package" && sayWhoFor.has(kind.ecosystem),
  );
  const byFolder = new Map(telling.map((candidate) => [candidate.folder, candidate]));
  return (folder) => {
    const found = byFolder.get(folder);
    const said = found && readManifest(found);
    return said?.description !== undefined && !said.isPrivate;
  };
}

/** Ecosystems in which a manifest says that it is for nobody else, and what it is to others. */
const sayWhoFor = new Set(["javascript", "rust", "dart"]);

/** Ecosystems in which the root of a workspace may be a package itself. */
const holdsItself = new Set(["javascript", "rust", "go", "python", "dart"]);

/** A site about the project is no second product. */
const isSite = (folder: string): boolean =>
  /^(docs?|documentation|website|site|www|docs-site)$/i.test(nameOf(folder));

/** Folders that a root's manifest names, where a manifest of the same ecosystem lies. */
function membersOf(root: Candidate, manifest: Manifest, given: Given): string[] {
  if (manifest.members.length === 0) return [];
  const places = new Set(
    given.candidates
      .filter(({ kind }) => kind.ecosystem === root.kind.ecosystem && kind.role === "package")
      .map(({ folder }) => folder),
  );
  const taken = manifest.members.filter((pattern) => !pattern.startsWith("!")).map(plainFolder);
  const left = manifest.members.filter((pattern) => pattern.startsWith("!"));
  const isLeft = matcherOf([
    ...left.map((pattern) => plainFolder(pattern.slice(1))),
    ...manifest.excluded,
  ]);
  const isTaken = matcherOf(taken);
  const found = [...places].filter((folder) => isTaken(folder) && !isLeft(folder));
  const all = root.kind.manager === "maven" ? withModules(found, given) : found;
  return all.filter((folder) => !given.plainRole(folder).vendored);
}

/** More modules than this are none that anybody keeps in one place. */
const mostModules = 200;

/** A module of Maven may hold modules of its own. A set that grows is walked to its end. */
function withModules(folders: readonly string[], { candidates, readManifest }: Given): string[] {
  const poms = new Map(candidates.map((candidate) => [candidate.file, candidate]));
  const found = new Set(folders);
  for (const folder of found) {
    const pom = poms.get(`${folder}/pom.xml`);
    const modules = pom ? (readManifest(pom)?.members ?? []).slice(0, mostModules) : [];
    for (const path of modules.map((name) => `${folder}/${plainFolder(name)}`)) {
      if (poms.has(`${path}/pom.xml`)) found.add(path);
    }
  }
  return [...found];
}

/** Any of the patterns; one that is too wide to be honest fits nothing. */
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
  return (folder) => plain.has(folder) || matchers.some((fits) => fits(folder));
}

/** `./packages/a/` is `packages/a`; the root itself is the empty name. */
function plainFolder(pattern: string): string {
  const plain = pattern
    .replaceAll("\\", "/")
    .replace(/^(\.\/)+/, "")
    .replace(/(?<!\/)\/+$/, "");
  return plain === "." ? "" : plain;
}

/** Without a list in the root, Nx and its like take every project below. */
const projectFolders = (candidates: readonly Candidate[], { plainRole, has }: Given): string[] =>
  candidates
    .filter(
      ({ file, folder, kind }) =>
        folder !== "" &&
        (kind.role === "package" || nameOf(file) === "project.json") &&
        isPlain(plainRole(folder)),
    )
    .map(({ folder }) => folder)
    .filter(
      (folder) =>
        has(`${folder}/project.json`) ||
        has(`${folder}/package.json`) ||
        has(`${folder}/pubspec.yaml`),
    );

const isPlain = ({ vendored, sample, tests, hidden }: FolderRole): boolean =>
  !vendored && !sample && !hidden && tests === undefined;

/** Where packages of one project are kept. */
const shelvesOfPackages =
  /^(packages|apps|libs|services|modules|crates|projects|components|plugins)$/i;

/**
 * Where the root is no package and declares nothing, packages that lie beside each other are what
 * the repository is made of. A manifest of the root that is for tools only leaves it at the folders
 * that are named for packages.
 */
function packagesBeside(
  { candidates, plainRole, readManifest }: Given,
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
  // A package within a package is a part of it.
  const outermost = [...folders].filter((folder) => !hasAbove(folder, folders));
  const placed = outermost.filter(
    (folder) => roots.length === 0 || shelvesOfPackages.test(folderOf(folder)),
  );
  return [...groupedBy(placed, folderOf).values()]
    .filter((group) => group.length >= 2)
    .flat()
    .sort();
}

function hasAbove(folder: string, all: ReadonlySet<string>): boolean {
  for (let above = folderOf(folder); above !== ""; above = folderOf(above)) {
    if (all.has(above)) return true;
  }
  return false;
}
