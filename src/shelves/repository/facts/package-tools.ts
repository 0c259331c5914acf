import { groupBy } from "../../../text/arrays/group-by.ts";
import { lockFileManager } from "../../../text/manifests/manifest-kinds.ts";
import { baseNameOf, parentFolder } from "../../../text/strings/relative-path.ts";
import type { LocatedManifest, RepoModel } from "../repo/repo-model.ts";

/** The package managers of a project, by its lock files first, then by its manifests. */
export function detectPackageManagers(model: RepoModel): {
  managers: string[];
  lockfiles: string[];
} {
  const lockfiles = findLockfiles(model);
  const locked = new Set(lockfiles.flatMap((file) => lockFileManager(file) ?? []));
  const managers = new Set(locked);
  for (const [ecosystem, manifests] of groupBy(
    model.projectManifests,
    ({ kind }) => kind.ecosystem,
  )) {
    const isAlone = model.projectManifests.every(({ kind }) => kind.ecosystem === ecosystem);
    const relevant = isAlone
      ? manifests
      : manifests.filter((located) => !isDocsRequirements(located));
    for (const manager of ecosystemManagers(ecosystem, relevant, locked)) managers.add(manager);
  }
  return { managers: [...managers].sort(), lockfiles };
}

/** Lock files of the root, or else those next to the packages' manifests. */
function findLockfiles({ ownFiles, has, projectManifests }: RepoModel): string[] {
  const all = ownFiles
    .filter(({ path }) => lockFileManager(path) !== undefined)
    .map(({ path }) => path);
  const atRoot = all.filter((path) => parentFolder(path) === "");
  if (atRoot.length > 0 || has("package.json")) return atRoot;
  const folders = new Set(projectManifests.map(({ folder }) => folder));
  return all.filter((path) => folders.has(parentFolder(path)));
}

/** A requirements file with documentation tools only says nothing about the project. */
const isDocsRequirements = ({ file, manifest }: LocatedManifest): boolean =>
  baseNameOf(file) === "requirements.txt" &&
  manifest !== undefined &&
  manifest.dependencies.length > 0 &&
  manifest.dependencies.every((name) => docsToolPackage.test(name));

const docsToolPackage =
  /^(mkdocs|sphinx|myst|furo|pymdown|pygments|jinja2|markdown|mike|breathe|docutils|recommonmark|zensical|jupyter-book)(-|$)/;

function ecosystemManagers(
  ecosystem: string,
  manifests: readonly LocatedManifest[],
  locked: ReadonlySet<string>,
): string[] {
  const fixedManagers = manifests.flatMap(({ kind }) => kind.manager ?? []);
  if (ecosystem === "javascript") return javascriptManagers(manifests, fixedManagers, locked);
  if (ecosystem === "python") return pythonManagers(manifests, fixedManagers, locked);
  // A gem with a Gemfile is installed by Bundler.
  return fixedManagers.includes("bundler")
    ? fixedManagers.filter((name) => name !== "rubygems")
    : fixedManagers;
}

function javascriptManagers(
  manifests: readonly LocatedManifest[],
  fixedManagers: string[],
  locked: ReadonlySet<string>,
): string[] {
  const named = manifests.flatMap(({ manifest }) => manifest?.packageManager ?? []);
  const managers = [...named, ...fixedManagers];
  const hasAny =
    managers.length > 0 || ["npm", "yarn", "pnpm", "bun"].some((name) => locked.has(name));
  const hasPackage = manifests.some(({ file }) => baseNameOf(file) === "package.json");
  return hasAny || !hasPackage ? managers : ["npm"];
}

/** pip is assumed only if no other tool is used. */
function pythonManagers(
  manifests: readonly LocatedManifest[],
  fixedManagers: string[],
  locked: ReadonlySet<string>,
): string[] {
  const tools = new Set(manifests.flatMap(({ manifest }) => manifest?.tools ?? []));
  const backends = manifests.flatMap(({ manifest }) => manifest?.buildBackend ?? []);
  const found = [
    ...fixedManagers,
    ...(tools.has("uv") ? ["uv"] : []),
    ...(tools.has("rye") ? ["rye"] : []),
    ...(tools.has("pixi") ? ["pixi"] : []),
    ...(tools.has("poetry") &&
    !locked.has("uv") &&
    backends.every((name) => name.startsWith("poetry"))
      ? ["poetry"]
      : []),
  ];
  const others = ["uv", "poetry", "pdm", "pipenv", "pixi", "rye"];
  const hasOther = others.some((name) => locked.has(name) || found.includes(name));
  // A Conda environment describes where the project runs; its packages may still be installed by
  // pip.
  const hasPipManifest = manifests.some(({ kind }) => kind.manager !== "conda");
  return hasOther || !hasPipManifest ? found : [...found, "pip"];
}
