import type { ManifestEntry } from "../../../text/manifests/manifest.ts";
import { extensionOf } from "../../../text/software/programming-languages.ts";
import { childPath, parentFolder } from "../../../text/strings/relative-path.ts";
import type { EntryPoint } from "../analysis/analysis.ts";
import type { LocatedManifest, RepoModel } from "../repo/repo-model.ts";

/** A longer list does not help a reader. */
const maxEntryPoints = 100;

/** Finds entry points: those that manifests declare, then conventional file names. */
export function findEntryPoints(model: RepoModel): EntryPoint[] {
  const entries = new Map<string, EntryPoint>();
  const add = (entry: EntryPoint): void => {
    const key = `${entry.kind} ${entry.file} ${entry.name ?? ""}`;
    if (!entries.has(key)) entries.set(key, entry);
  };
  for (const located of model.projectManifests) {
    for (const entry of located.manifest?.entries.slice(0, maxEntryPoints) ?? []) {
      const file = resolveEntryFile(entry, located, model);
      const name = entry.kind === "bin" ? entry.name : undefined;
      if (file !== undefined) add({ file, kind: entry.kind, ...(name !== undefined && { name }) });
    }
  }
  const known = new Set([...entries.values()].map(({ file }) => file));
  for (const { path } of model.ownFiles) {
    const isMain =
      conventionalEntryPoint.test(path) && model.roleOf(parentFolder(path)).tests === undefined;
    if (isMain && !known.has(path)) add({ file: path, kind: "main" });
  }
  return [...entries.values()].slice(0, maxEntryPoints);
}

const conventionalEntryPoint =
  /(^|\/)(cmd\/[^/]+\/main\.go|__main__\.py|manage\.py|src\/main\/(java|kotlin)\/.*Application\.(java|kt)|Program\.cs|Sources\/[^/]+\/main\.swift)$|^(main\.(go|py|rs|dart)|bin\/[^/.]+|exe\/[^/.]+|lib\/main\.dart|src\/main\.(c|cc|cpp|rs)|public\/index\.php|artisan)$/;

/** The source file of a manifest's entry, which often names a build output. */
function resolveEntryFile(
  entry: ManifestEntry,
  { folder, kind }: LocatedManifest,
  { has }: RepoModel,
): string | undefined {
  const inFolder = (path: string): string => childPath(folder, path);
  if (kind.ecosystem === "python") {
    const module = entry.target.split(":")[0]?.replaceAll(".", "/") ?? "";
    const candidates = [
      `src/${module}.py`,
      `${module}.py`,
      `src/${module}/__init__.py`,
      `${module}/__init__.py`,
    ];
    return candidates.map(inFolder).find(has);
  }
  const target = entry.target.replace(/^(\.\/)+/, "");
  const declared = inFolder(target);
  if (has(declared)) return declared;
  const stem = target.replace(/\.([cm]?[jt]sx?|d\.[cm]?ts)$/, "");
  const inner = stem.includes("/") ? stem.slice(stem.indexOf("/") + 1) : stem;
  const folders = ["src", "source", "lib", ""];
  const guesses = folders.flatMap((start) =>
    codeEndings.flatMap((ending) =>
      [inner, stem].map((name) => inFolder(`${start}${start && "/"}${name}.${ending}`)),
    ),
  );
  return extensionOf(target) === "" || /^[cm]?[jt]sx?$/.test(extensionOf(target))
    ? guesses.find(has)
    : undefined;
}

const codeEndings = ["ts", "tsx", "mts", "js", "mjs", "cjs"];
