import { readName } from "../../text/decisions/file-name.ts";
import { isPage, isProgram } from "../../text/languages.ts";
import { readToml, tomlText } from "../../text/manifests/toml.ts";
import { docsSystemOf } from "./facts-docs-system.ts";
import { folderOf, nameOf } from "./folders.ts";
import type { Sight } from "./sight.ts";

export interface DocsFound {
  /** Folders of documentation, with a slash at the end. */
  paths: string[];
  /** `sphinx`, `mdbook`; null where no generator is set up. */
  system: string | null;
  /** Folders of decision records. */
  adrFolders: string[];
}

export function docsOf(sight: Sight): DocsFound {
  const contents = contentsByFolder(sight);
  const found = docsSystemOf(sight);
  const told = found ? sourceOf(found.system, found.config, sight) : undefined;
  const named = [...contents.keys()].filter((folder) => isDocsFolder(folder, contents));
  const outermost = (named.length > 0 ? named : docsOfParts(contents)).filter(
    (folder, _, all) => !all.some((other) => folder.startsWith(`${other}/`)),
  );
  const paths = new Set<string>();
  // A generator's own folder within `docs` is what its authors call by that name.
  const around = outermost.find((folder) => surely.test(folder) && told?.startsWith(`${folder}/`));
  const source = around ?? told;
  if (source !== undefined && source !== "" && contents.has(source)) paths.add(`${source}/`);
  for (const folder of outermost.sort()) {
    if (![...paths].some((path) => path.startsWith(`${folder}/`))) paths.add(`${folder}/`);
  }
  if (paths.size === 0) for (const folder of mainlyPages(sight, contents)) paths.add(`${folder}/`);
  return { paths: [...paths], system: found?.system ?? null, adrFolders: adrFoldersOf(sight) };
}

interface Contents {
  pages: number;
  programs: number;
}

/** How many pages and programs lie in each folder and below it. */
function contentsByFolder({ own, roleOf }: Sight): Map<string, Contents> {
  const contents = new Map<string, Contents>();
  for (const { path } of own) {
    const [isText, isCode] = [isPage(path) || /\.(txt|html?|[1-9])$/.test(path), isProgram(path)];
    if ((!isText && !isCode) || roleOf(folderOf(path)).tests !== undefined) continue;
    for (let folder = folderOf(path); folder !== ""; folder = folderOf(folder)) {
      const known = contents.get(folder) ?? { pages: 0, programs: 0 };
      if (isText) known.pages++;
      else known.programs++;
      contents.set(folder, known);
    }
  }
  return contents;
}

/** Names that mean documentation at the top of a repository, or where packages lie. */
const surely = /^((packages|apps|libs)\/)?(docs|documentation)$/i;
/** Names that may mean it, when there is more to read than to run. */
const maybe =
  /^(doc|manual|manuals|guide|guides|handbook|wiki|((website|site|www|web|docs-site|documentation)\/(docs|content|src\/content\/docs)))$/i;

function isDocsFolder(folder: string, contents: ReadonlyMap<string, Contents>): boolean {
  const { pages, programs } = contents.get(folder) ?? { pages: 0, programs: 0 };
  if (surely.test(folder)) return pages > 0;
  return maybe.test(folder) && pages > programs;
}

/** Where the top has no folder of documentation, those of its parts: `llvm/docs`, `clang/docs`. */
const docsOfParts = (contents: ReadonlyMap<string, Contents>): string[] =>
  [...contents]
    .filter(([folder, { pages, programs }]) => /^[^/]+\/docs$/i.test(folder) && pages > programs)
    .map(([folder]) => folder)
    .slice(0, mostFolders);

/** Where a generator says that its pages lie. */
function sourceOf(system: string, config: string, { read, has }: Sight): string | undefined {
  const folder = folderOf(config);
  const below = (name: string): string =>
    [folder, name.replace(/^\.\//, "").replace(/(?<!\/)\/+$/, "")].filter(Boolean).join("/");
  if (system === "mdbook") {
    return below(tomlText(readToml(read(config) ?? ""), "book", "src") ?? "src");
  }
  if (system === "mkdocs") {
    return below(
      /^docs_dir:[ \t]*["']?([^"'#\r\n]+)/m.exec(read(config) ?? "")?.[1]?.trim() ?? "docs",
    );
  }
  if (system === "hugo") return below("content");
  if (system === "docusaurus") return below("docs");
  if (system === "vitepress" || system === "vuepress") return folderOf(folder);
  if (system === "starlight") return below("src/content/docs");
  // A catalogue of DocC is a part of the sources that it documents.
  if (system === "docc") return undefined;
  // `docs/source/conf.py` is of the documentation in `docs`.
  if (system === "sphinx") return nameOf(folder) === "source" ? folderOf(folder) : folder;
  return has(`${folder}/index.md`) ? folder : undefined;
}

/** In a repository of pages, the folders at the top in which most of them lie. */
function mainlyPages({ own }: Sight, contents: ReadonlyMap<string, Contents>): string[] {
  const pages = own.filter(({ path }) => isPage(path)).length;
  const programs = own.filter(({ path }) => isProgram(path)).length;
  if (pages < 10 || pages < programs) return [];
  return [...contents]
    .filter(
      ([folder, held]) =>
        !folder.includes("/") && held.pages * 2 > pages && held.pages > held.programs,
    )
    .map(([folder]) => folder);
}

const adrName =
  /^(adrs?|decisions|decision-records|architecture-decisions?|architecture-decision-records|madr)$/i;

/** Named as such, and with a record in them; fixtures of a tool for records are none. */
function adrFoldersOf({ own, roleOf }: Sight): string[] {
  const folders = new Set<string>();
  for (const { path } of own) {
    const folder = folderOf(path);
    if (!/\.(md|markdown)$/i.test(path) || !adrName.test(nameOf(folder))) continue;
    if (roleOf(folder).tests !== undefined) continue;
    const { number, date } = readName(path);
    if (number !== null || date !== null) folders.add(folder);
  }
  return [...folders].sort().slice(0, mostFolders);
}

const mostFolders = 100;
