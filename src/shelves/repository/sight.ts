import { type ManifestKind, manifestKind } from "../../text/manifests/kinds.ts";
import type { Manifest } from "../../text/manifests/manifest.ts";
import { type FolderRole, folderOf, folderRoles, isTestsName, nameOf } from "./folders.ts";
import type { Survey, SurveyedFile } from "./survey.ts";
import { type Workspace, workspaceOf } from "./workspace.ts";
import type { Candidate } from "./workspace-tools.ts";

/** A manifest where it lies, and what it is to the project. */
export interface PlacedManifest extends Candidate {
  /** Undefined where the file could not be read, or is of a kind that is known by its name only. */
  said: Manifest | undefined;
  /** True where it was read and could not be understood. */
  isBroken: boolean;
  place: "root" | "member" | "other";
}

/** A repository as the questions about it see it: names, roles of folders, and manifests that were read. */
export interface Sight {
  survey: Survey;
  files: readonly SurveyedFile[];
  /** Files of the project itself: no samples, nothing of others, nothing in hidden folders. */
  own: readonly SurveyedFile[];
  /** Paths at the top, one folder below it, and in hidden folders: where tools look for their own. */
  near: readonly string[];
  has(path: string): boolean;
  roleOf(folder: string): FolderRole;
  workspace: Workspace;
  manifests: readonly PlacedManifest[];
  /** Those that speak for the project: of the root and the members, or of all where neither is there. */
  speaking: readonly PlacedManifest[];
  /** Manifests of tests that are packages of their own; projects that they try are none. */
  trying: readonly PlacedManifest[];
  /** The text of a file, or nothing where there is none that can be read. */
  read(path: string): string | undefined;
}

/** Members and others beyond these, in files and in letters, are counted and not read. */
const mostRead = 400;
const mostLetters = 16 * 1024 * 1024;

/** The folder that a manifest speaks for; lists in `requirements/` speak for the one above. */
const homeOf = (path: string, { ecosystem }: ManifestKind): string =>
  ecosystem === "python" ? folderOf(path).replace(/(^|\/)requirements$/, "") : folderOf(path);

export function sightOf(survey: Survey, read: (path: string) => string | undefined): Sight {
  const { files } = survey;
  const paths = new Set(files.map(({ path }) => path));
  const plainRole = folderRoles();
  const candidates = files.flatMap(({ path, isLink }) => {
    const kind = isLink ? undefined : manifestKind(path);
    return kind ? [{ file: path, folder: homeOf(path, kind), kind }] : [];
  });
  const remembered = new Map<string, Pick<PlacedManifest, "said" | "isBroken">>();
  let letters = 0;
  const understood = ({ file, kind }: Candidate): Pick<PlacedManifest, "said" | "isBroken"> => {
    const known = remembered.get(file);
    const isRead = remembered.size < mostRead && letters < mostLetters;
    if (known || !kind.read || !isRead) return known ?? { said: undefined, isBroken: false };
    const text = read(file);
    letters += text?.length ?? 0;
    const said = text === undefined ? undefined : kind.read(text);
    const found = { said, isBroken: text !== undefined && said === undefined };
    remembered.set(file, found);
    return found;
  };
  const workspace = workspaceOf({
    candidates,
    has: (path) => paths.has(path),
    plainRole,
    readManifest: (candidate) => understood(candidate).said,
  });
  const roleOf = folderRoles(workspace);
  const isOwn = (folder: string): boolean => {
    const { vendored, sample, hidden } = roleOf(folder);
    return !vendored && !sample && !hidden;
  };
  const members = new Set(workspace.members);
  const manifests = candidates.flatMap((candidate): PlacedManifest[] => {
    const { folder } = candidate;
    const place = folder === "" ? "root" : members.has(folder) ? "member" : "other";
    const isMeant = place !== "other" || (isOwn(folder) && roleOf(folder).tests === undefined);
    return isMeant ? [{ ...candidate, place, ...understood(candidate) }] : [];
  });
  const trying = candidates.flatMap((candidate): PlacedManifest[] => {
    const { folder } = candidate;
    const isOfTests = folder === roleOf(folder).tests || isTestsName(nameOf(folder));
    if (folder === "" || members.has(folder) || !isOwn(folder) || !isOfTests) return [];
    return [{ ...candidate, place: "other", ...understood(candidate) }];
  });
  const isPackage = ({ kind }: PlacedManifest): boolean => kind.role !== "build";
  const firm = manifests.filter(({ place }) => place !== "other");
  return {
    survey,
    files,
    own: files.filter(({ path, isLink }) => !isLink && isOwn(folderOf(path))),
    near: files
      .map(({ path }) => path)
      .filter((path) => path.indexOf("/") === path.lastIndexOf("/") || path.startsWith(".")),
    has: (path) => paths.has(path),
    roleOf,
    workspace,
    manifests,
    speaking: firm.some(isPackage) ? firm : manifests,
    trying,
    read,
  };
}
