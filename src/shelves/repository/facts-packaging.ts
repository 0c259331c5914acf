import { groupedBy } from "../../text/grouped.ts";
import { lockedBy } from "../../text/manifests/kinds.ts";
import { folderOf, nameOf } from "./folders.ts";
import type { PlacedManifest, Sight } from "./sight.ts";

/** What brings the project's packages, by its lock files first, then by what its manifests say. */
export function packageManagers(sight: Sight): { managers: string[]; lockfiles: string[] } {
  const lockfiles = locksOf(sight);
  const locked = new Set(lockfiles.flatMap((file) => lockedBy(file) ?? []));
  const managers = new Set(locked);
  for (const [ecosystem, manifests] of groupedBy(sight.speaking, ({ kind }) => kind.ecosystem)) {
    const isAlone = sight.speaking.every(({ kind }) => kind.ecosystem === ecosystem);
    const meant = isAlone ? manifests : manifests.filter((placed) => !isForPages(placed));
    for (const manager of managersOf(ecosystem, meant, locked)) managers.add(manager);
  }
  return { managers: [...managers].sort(), lockfiles };
}

/** Those of the root; where it has none, those that lie beside its packages' manifests. */
function locksOf({ own, has, speaking }: Sight): string[] {
  const all = own.filter(({ path }) => lockedBy(path) !== undefined).map(({ path }) => path);
  const atRoot = all.filter((path) => folderOf(path) === "");
  if (atRoot.length > 0 || has("package.json")) return atRoot;
  const folders = new Set(speaking.map(({ folder }) => folder));
  return all.filter((path) => folders.has(folderOf(path)));
}

/** A list of nothing but what makes pages brings no packages of a project in another language. */
const isForPages = ({ file, said }: PlacedManifest): boolean =>
  nameOf(file) === "requirements.txt" &&
  said !== undefined &&
  said.dependencies.length > 0 &&
  said.dependencies.every((name) => pageMakers.test(name));

const pageMakers =
  /^(mkdocs|sphinx|myst|furo|pymdown|pygments|jinja2|markdown|mike|breathe|docutils|recommonmark|zensical|jupyter-book)(-|$)/;

function managersOf(
  ecosystem: string,
  manifests: readonly PlacedManifest[],
  locked: ReadonlySet<string>,
): string[] {
  const always = manifests.flatMap(({ kind }) => kind.manager ?? []);
  if (ecosystem === "javascript") return javascriptManagers(manifests, always, locked);
  if (ecosystem === "python") return pythonManagers(manifests, always, locked);
  // A gem that has a Gemfile beside it is brought by Bundler.
  return always.includes("bundler") ? always.filter((name) => name !== "rubygems") : always;
}

function javascriptManagers(
  manifests: readonly PlacedManifest[],
  always: string[],
  locked: ReadonlySet<string>,
): string[] {
  const named = manifests.flatMap(({ said }) => said?.packageManager ?? []);
  const found = [...named, ...always];
  const hasAny =
    found.length > 0 || ["npm", "yarn", "pnpm", "bun"].some((name) => locked.has(name));
  const hasPackage = manifests.some(({ file }) => nameOf(file) === "package.json");
  return hasAny || !hasPackage ? found : ["npm"];
}

/** Any other tool does pip's work; only where there is none, pip does. */
function pythonManagers(
  manifests: readonly PlacedManifest[],
  always: string[],
  locked: ReadonlySet<string>,
): string[] {
  const tools = new Set(manifests.flatMap(({ said }) => said?.tools ?? []));
  const backends = manifests.flatMap(({ said }) => said?.buildBackend ?? []);
  const found = [
    ...always,
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
  const isDone = others.some((name) => locked.has(name) || found.includes(name));
  // An environment of Conda is where it is made; what is in it may still be installed by pip.
  const isListed = manifests.some(({ kind }) => kind.manager !== "conda");
  return isDone || !isListed ? found : [...found, "pip"];
}
