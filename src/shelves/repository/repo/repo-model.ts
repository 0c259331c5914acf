import type { Manifest } from "../../../text/manifests/manifest.ts";
import { type ManifestKind, manifestKindOf } from "../../../text/manifests/manifest-kinds.ts";
import { baseNameOf, parentFolder } from "../../../text/strings/relative-path.ts";
import type { FileInventory, RepositoryFile } from "./file-inventory.ts";
import { createFolderRoles, type FolderRole, isTestFolderName } from "./folder-roles.ts";
import { detectWorkspace, type RepoWorkspace } from "./workspace.ts";
import type { ManifestCandidate } from "./workspace-tools.ts";

/** A manifest with its folder and its relation to the project. */
export interface LocatedManifest extends ManifestCandidate {
  /** Undefined if the file could not be read, or only its name is meaningful. */
  manifest: Manifest | undefined;
  /** True if it was read but could not be parsed. */
  isMalformed: boolean;
  scope: "root" | "member" | "other";
}

/** A repository prepared for analysis: file names, roles of folders, and parsed manifests. */
export interface RepoModel {
  inventory: FileInventory;
  files: readonly RepositoryFile[];
  /** Files of the project itself, without samples, third-party code and hidden folders. */
  ownFiles: readonly RepositoryFile[];
  /**
   * Paths in the root, one level below it, and in hidden folders, where tools look for
   * configuration.
   */
  shallowPaths: readonly string[];
  has(path: string): boolean;
  roleOf(folder: string): FolderRole;
  workspace: RepoWorkspace;
  manifests: readonly LocatedManifest[];
  /** Manifests of the root and the members, or all manifests if these have no packages. */
  projectManifests: readonly LocatedManifest[];
  /** Manifests of test packages, but not of fixture projects. */
  testManifests: readonly LocatedManifest[];
  /** The text of a file; undefined if it cannot be read. */
  readText(path: string): string | undefined;
}

/** Manifests beyond these limits are counted but not read. */
const maxManifestsRead = 400;
const maxManifestChars = 16 * 1024 * 1024;

/** The folder that a manifest describes; lists in `requirements/` describe its parent. */
const manifestFolder = (path: string, { ecosystem }: ManifestKind): string =>
  ecosystem === "python"
    ? parentFolder(path).replace(/(^|\/)requirements$/, "")
    : parentFolder(path);

export function repoModelOf(
  inventory: FileInventory,
  readText: (path: string) => string | undefined,
): RepoModel {
  const { files } = inventory;
  const paths = new Set(files.map(({ path }) => path));
  const plainRole = createFolderRoles();
  const candidates = files.flatMap(({ path, isLink }) => {
    const kind = isLink ? undefined : manifestKindOf(path);
    return kind ? [{ file: path, folder: manifestFolder(path, kind), kind }] : [];
  });
  const cache = new Map<string, Pick<LocatedManifest, "manifest" | "isMalformed">>();
  let chars = 0;
  const readOnce = ({
    file,
    kind,
  }: ManifestCandidate): Pick<LocatedManifest, "manifest" | "isMalformed"> => {
    const cached = cache.get(file);
    const hasCapacity = cache.size < maxManifestsRead && chars < maxManifestChars;
    if (cached || !kind.read || !hasCapacity)
      return cached ?? { manifest: undefined, isMalformed: false };
    const text = readText(file);
    chars += text?.length ?? 0;
    const manifest = text === undefined ? undefined : kind.read(text);
    const found = { manifest, isMalformed: text !== undefined && manifest === undefined };
    cache.set(file, found);
    return found;
  };
  const workspace = detectWorkspace({
    candidates,
    has: (path) => paths.has(path),
    plainRole,
    readManifest: (candidate) => readOnce(candidate).manifest,
  });
  const roleOf = createFolderRoles(workspace);
  const isOwn = (folder: string): boolean => {
    const { vendored, sample, hidden } = roleOf(folder);
    return !vendored && !sample && !hidden;
  };
  const members = new Set(workspace.members);
  const manifests = candidates.flatMap((candidate): LocatedManifest[] => {
    const { folder } = candidate;
    const scope = folder === "" ? "root" : members.has(folder) ? "member" : "other";
    const isRelevant = scope !== "other" || (isOwn(folder) && roleOf(folder).tests === undefined);
    return isRelevant ? [{ ...candidate, scope, ...readOnce(candidate) }] : [];
  });
  const testManifests = candidates.flatMap((candidate): LocatedManifest[] => {
    const { folder } = candidate;
    const isTestPackage = folder === roleOf(folder).tests || isTestFolderName(baseNameOf(folder));
    if (folder === "" || members.has(folder) || !isOwn(folder) || !isTestPackage) return [];
    return [{ ...candidate, scope: "other", ...readOnce(candidate) }];
  });
  const isPackage = ({ kind }: LocatedManifest): boolean => kind.role !== "build";
  const rootAndMembers = manifests.filter(({ scope }) => scope !== "other");
  return {
    inventory,
    files,
    ownFiles: files.filter(({ path, isLink }) => !isLink && isOwn(parentFolder(path))),
    shallowPaths: files
      .map(({ path }) => path)
      .filter((path) => path.indexOf("/") === path.lastIndexOf("/") || path.startsWith(".")),
    has: (path) => paths.has(path),
    roleOf,
    workspace,
    manifests,
    projectManifests: rootAndMembers.some(isPackage) ? rootAndMembers : manifests,
    testManifests,
    readText,
  };
}
