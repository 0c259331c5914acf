import { endingOf } from "../../text/languages.ts";
import type { Entry } from "../../text/manifests/manifest.ts";
import type { EntryPoint } from "./analysis.ts";
import { folderOf } from "./folders.ts";
import type { PlacedManifest, Sight } from "./sight.ts";

/** More are a list of scripts and no help. */
const mostEntries = 100;

/** Where a reader of the code begins: what manifests name, then what languages begin with by habit. */
export function entryPointsOf(sight: Sight): EntryPoint[] {
  const found = new Map<string, EntryPoint>();
  const add = (entry: EntryPoint): void => {
    const key = `${entry.kind} ${entry.file} ${entry.name ?? ""}`;
    if (!found.has(key)) found.set(key, entry);
  };
  for (const placed of sight.speaking) {
    for (const entry of placed.said?.entries.slice(0, mostEntries) ?? []) {
      const file = sourceOf(entry, placed, sight);
      const name = entry.kind === "bin" ? entry.name : undefined;
      if (file !== undefined) add({ file, kind: entry.kind, ...(name !== undefined && { name }) });
    }
  }
  const known = new Set([...found.values()].map(({ file }) => file));
  for (const { path } of sight.own) {
    const isMain = habits.test(path) && sight.roleOf(folderOf(path)).tests === undefined;
    if (isMain && !known.has(path)) add({ file: path, kind: "main" });
  }
  return [...found.values()].slice(0, mostEntries);
}

const habits =
  /(^|\/)(cmd\/[^/]+\/main\.go|__main__\.py|manage\.py|src\/main\/(java|kotlin)\/.*Application\.(java|kt)|Program\.cs|Sources\/[^/]+\/main\.swift)$|^(main\.(go|py|rs|dart)|bin\/[^/.]+|exe\/[^/.]+|lib\/main\.dart|src\/main\.(c|cc|cpp|rs)|public\/index\.php|artisan)$/;

/** A file of the repository for what a manifest names, which is often only made by a build. */
function sourceOf(
  entry: Entry,
  { folder, kind }: PlacedManifest,
  { has }: Sight,
): string | undefined {
  const below = (path: string): string => (folder === "" ? path : `${folder}/${path}`);
  if (kind.ecosystem === "python") {
    const module = entry.target.split(":")[0]?.replaceAll(".", "/") ?? "";
    const places = [
      `src/${module}.py`,
      `${module}.py`,
      `src/${module}/__init__.py`,
      `${module}/__init__.py`,
    ];
    return places.map(below).find(has);
  }
  const target = entry.target.replace(/^(\.\/)+/, "");
  const named = below(target);
  if (has(named)) return named;
  const stem = target.replace(/\.([cm]?[jt]sx?|d\.[cm]?ts)$/, "");
  const inner = stem.includes("/") ? stem.slice(stem.indexOf("/") + 1) : stem;
  const folders = ["src", "source", "lib", ""];
  const guesses = folders.flatMap((start) =>
    codeEndings.flatMap((ending) =>
      [inner, stem].map((name) => below(`${start}${start && "/"}${name}.${ending}`)),
    ),
  );
  return endingOf(target) === "" || /^[cm]?[jt]sx?$/.test(endingOf(target))
    ? guesses.find(has)
    : undefined;
}

const codeEndings = ["ts", "tsx", "mts", "js", "mjs", "cjs"];
