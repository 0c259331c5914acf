import { parseRecordName } from "../../../text/decisions/file-name.ts";
import { parseToml, tomlString } from "../../../text/manifests/toml.ts";
import { isDocumentPage, isProgramFile } from "../../../text/software/programming-languages.ts";
import { baseNameOf, parentFolder } from "../../../text/strings/relative-path.ts";
import type { RepoModel } from "../repo/repo-model.ts";
import { detectDocsSystem } from "./docs-system.ts";

export interface DocsInfo {
  /** Documentation folders, with a trailing slash. */
  paths: string[];
  /** `sphinx`, `mdbook`; null if no generator is set up. */
  system: string | null;
  /** Folders of decision records. */
  adrFolders: string[];
}

export function findDocs(model: RepoModel): DocsInfo {
  const contents = countByFolder(model);
  const detected = detectDocsSystem(model);
  const generatorFolder = detected
    ? generatorPagesFolder(detected.system, detected.config, model)
    : undefined;
  const candidates = [...contents.keys()].filter((folder) => isDocsFolder(folder, contents));
  const outermost = (candidates.length > 0 ? candidates : nestedDocsFolders(contents)).filter(
    (folder, _, all) => !all.some((other) => folder.startsWith(`${other}/`)),
  );
  const paths = new Set<string>();
  // If a generator's folder is within `docs`, `docs` is the documentation folder.
  const enclosing = outermost.find(
    (folder) => docsFolderName.test(folder) && generatorFolder?.startsWith(`${folder}/`),
  );
  const source = enclosing ?? generatorFolder;
  if (source !== undefined && source !== "" && contents.has(source)) paths.add(`${source}/`);
  for (const folder of outermost.sort()) {
    if (![...paths].some((path) => path.startsWith(`${folder}/`))) paths.add(`${folder}/`);
  }
  if (paths.size === 0)
    for (const folder of mostlyPagesFolders(model, contents)) paths.add(`${folder}/`);
  return { paths: [...paths], system: detected?.system ?? null, adrFolders: findAdrFolders(model) };
}

interface FolderCounts {
  pages: number;
  programs: number;
}

/** The number of pages and programs in each folder and its subfolders. */
function countByFolder({ ownFiles, roleOf }: RepoModel): Map<string, FolderCounts> {
  const contents = new Map<string, FolderCounts>();
  for (const { path } of ownFiles) {
    const [isText, isCode] = [
      isDocumentPage(path) || /\.(txt|html?|[1-9])$/.test(path),
      isProgramFile(path),
    ];
    if ((!isText && !isCode) || roleOf(parentFolder(path)).tests !== undefined) continue;
    for (let folder = parentFolder(path); folder !== ""; folder = parentFolder(folder)) {
      const counts = contents.get(folder) ?? { pages: 0, programs: 0 };
      if (isText) counts.pages++;
      else counts.programs++;
      contents.set(folder, counts);
    }
  }
  return contents;
}

/** Names of documentation folders in the root or next to packages. */
const docsFolderName = /^((packages|apps|libs)\/)?(docs|documentation)$/i;
/** Names that count only if the folder has more pages than programs. */
const possibleDocsFolderName =
  /^(doc|manual|manuals|guide|guides|handbook|wiki|((website|site|www|web|docs-site|documentation)\/(docs|content|src\/content\/docs)))$/i;

function isDocsFolder(folder: string, contents: ReadonlyMap<string, FolderCounts>): boolean {
  const { pages, programs } = contents.get(folder) ?? { pages: 0, programs: 0 };
  if (docsFolderName.test(folder)) return pages > 0;
  return possibleDocsFolderName.test(folder) && pages > programs;
}

/** Documentation folders of parts, used if the root has none: `llvm/docs`, `clang/docs`. */
const nestedDocsFolders = (contents: ReadonlyMap<string, FolderCounts>): string[] =>
  [...contents]
    .filter(([folder, { pages, programs }]) => /^[^/]+\/docs$/i.test(folder) && pages > programs)
    .map(([folder]) => folder)
    .slice(0, maxFolders);

/** The folder of pages that a generator is configured for. */
function generatorPagesFolder(
  system: string,
  config: string,
  { readText, has }: RepoModel,
): string | undefined {
  const folder = parentFolder(config);
  const inFolder = (name: string): string =>
    [folder, name.replace(/^\.\//, "").replace(/(?<!\/)\/+$/, "")].filter(Boolean).join("/");
  if (system === "mdbook") {
    return inFolder(tomlString(parseToml(readText(config) ?? ""), "book", "src") ?? "src");
  }
  if (system === "mkdocs") {
    return inFolder(
      /^docs_dir:[ \t]*["']?([^"'#\r\n]+)/m.exec(readText(config) ?? "")?.[1]?.trim() ?? "docs",
    );
  }
  if (system === "hugo") return inFolder("content");
  if (system === "docusaurus") return inFolder("docs");
  if (system === "vitepress" || system === "vuepress") return parentFolder(folder);
  if (system === "starlight") return inFolder("src/content/docs");
  // A DocC catalogue is part of the sources that it documents.
  if (system === "docc") return undefined;
  // `docs/source/conf.py` configures the documentation in `docs`.
  if (system === "sphinx") return baseNameOf(folder) === "source" ? parentFolder(folder) : folder;
  return has(`${folder}/index.md`) ? folder : undefined;
}

/** In a repository of mostly pages, the top-level folders that contain most of them. */
function mostlyPagesFolders(
  { ownFiles }: RepoModel,
  contents: ReadonlyMap<string, FolderCounts>,
): string[] {
  const pages = ownFiles.filter(({ path }) => isDocumentPage(path)).length;
  const programs = ownFiles.filter(({ path }) => isProgramFile(path)).length;
  if (pages < 10 || pages < programs) return [];
  return [...contents]
    .filter(
      ([folder, counts]) =>
        !folder.includes("/") && counts.pages * 2 > pages && counts.pages > counts.programs,
    )
    .map(([folder]) => folder);
}

const adrFolderName =
  /^(adrs?|decisions|decision-records|architecture-decisions?|architecture-decision-records|madr)$/i;

/** Folders with a conventional name and at least one record, except test fixtures. */
function findAdrFolders({ ownFiles, roleOf }: RepoModel): string[] {
  const folders = new Set<string>();
  for (const { path } of ownFiles) {
    const folder = parentFolder(path);
    if (!/\.(md|markdown)$/i.test(path) || !adrFolderName.test(baseNameOf(folder))) continue;
    if (roleOf(folder).tests !== undefined) continue;
    const { number, date } = parseRecordName(path);
    if (number !== null || date !== null) folders.add(folder);
  }
  return [...folders].sort().slice(0, maxFolders);
}

const maxFolders = 100;
