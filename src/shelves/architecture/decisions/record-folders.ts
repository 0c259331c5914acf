import { type Dirent, realpathSync, statSync } from "node:fs";
import { join, posix } from "node:path";
import { Failure } from "../../../kernel/failure.ts";
import { type Boundary, containsPath } from "../../../kernel/paths/boundary.ts";
import { parseRecordName } from "../../../text/decisions/file-name.ts";
import type { DecisionRecord } from "../../../text/decisions/record.ts";
import { childPath } from "../../../text/strings/relative-path.ts";
import { folderEntries } from "../folder-entries.ts";

/** The record folders of a project. All paths are relative to its root, with forward slashes. */
export interface RecordFolders {
  /** Every Markdown file in these folders. */
  files: string[];
  /** The folders that contain records; `""` is the root. */
  folders: string[];
  /** Every folder that was listed; a watcher must watch them all. */
  visitedFolders: string[];
  /** The folder that the project configures for its records, whether or not it has any. */
  configuredFolder: string | undefined;
}

/** Reads a file at the root; undefined if it is missing or unreadable. */
type ReadSettingFile = (file: string) => string | undefined;

/** Parses one file as a record; undefined if it cannot be read. */
type ReadRecord = (file: string) => DecisionRecord | undefined;

/**
 * Finds the record folders by the first of these steps that yields any:
 *
 * 1. the folders that `.adr-dir` or log4brains' settings name,
 * 2. the root itself, if most of its files are records,
 * 3. conventional folders, also those of packages in a monorepo,
 * 4. any folder below the root in which most files are records.
 *
 * Subfolders of a record folder are searched too.
 */
export function findRecordFolders(
  root: string,
  boundary: Boundary,
  recordAt: ReadRecord,
  settingIn: ReadSettingFile,
): RecordFolders {
  const visited = new Set<string>();
  const list = (folder: string): FolderEntries => {
    visited.add(folder);
    return listEntries(boundary, root, folder);
  };
  const configured = configuredFolders(settingIn).filter(
    (folder) => isFolderInside(root, folder) && !boundary.isHidden(join(root, folder)),
  );
  const search = (
    starts: readonly string[],
    depth: number,
    isMatch: (files: string[]) => boolean,
  ) => foldersBelow(starts, depth, list, isMatch);
  const someRecord = (files: string[]) => files.some((file) => recordAt(file)?.kind === "adr");
  const mostlyRecords = (files: string[]) => areMostlyRecords(files, recordAt);
  const steps = [
    () => (configured.length > 0 ? search(configured, 3, someRecord) : []),
    () => (mostlyRecords(list("").files) ? search([""], 3, mostlyRecords) : []),
    () => search(findCommonRecordFolders(root, list), 3, someRecord),
    () => (configured.length > 0 ? [] : search([""], 6, mostlyRecords)),
  ];
  let matches: FolderFiles[] = [];
  for (const step of steps) {
    matches = step();
    if (matches.length > 0) break;
  }
  const files = matches.flatMap((folder) => folder.files);
  if (files.length > maxRecordFiles) throw tooManyFiles();
  return {
    files,
    folders: matches.map(({ folder }) => folder),
    visitedFolders: [...visited],
    configuredFolder: configured[0],
  };
}

/**
 * The record folders that a project configures, relative to its root: `.adr-dir` holds one path,
 * and log4brains' settings name a folder for the project and for each package.
 */
function configuredFolders(readSetting: ReadSettingFile): string[] {
  const adrDir = readSetting(".adr-dir")?.split(/\r?\n/, 1)[0]?.trim();
  const settings = readSetting(".log4brains.yml") ?? readSetting("log4brains.yml");
  const folders = [...(settings ?? "").matchAll(/^[ \t-]*adrFolder:[ \t]*["']?([^"'#\r\n]+)/gm)];
  return [adrDir ?? "", ...folders.map(([, folder = ""]) => folder.trim())]
    .filter((folder) => folder !== "" && !folder.includes("\0"))
    .map((folder) => posix.normalize(folder.replaceAll("\\", "/")).replace(/\/$/, ""))
    .filter((folder) => !folder.startsWith("..") && !posix.isAbsolute(folder))
    .map((folder) => (folder === "." ? "" : folder));
}

const maxRecordFiles = 5_000;
const maxFolders = 2_000;

interface FolderEntries {
  /** Paths of the text files. */
  files: string[];
  /** Paths of the folders that may be entered. */
  folders: string[];
}

interface FolderFiles {
  folder: string;
  files: string[];
}

/** Breadth-first, so that the limit cuts off the deepest folders. */
function foldersBelow(
  starts: readonly string[],
  depth: number,
  list: (folder: string) => FolderEntries,
  isMatch: (files: string[]) => boolean,
): FolderFiles[] {
  const found: FolderFiles[] = [];
  let level = [...new Set(starts)];
  let count = 0;
  for (let step = 0; step <= depth && level.length > 0; step++) {
    const nextLevel: string[] = [];
    for (const folder of level) {
      if (++count > maxFolders) return found;
      const { files, folders } = list(folder);
      if (files.length > 0 && isMatch(files)) found.push({ folder, files });
      nextLevel.push(...folders);
    }
    level = nextLevel;
  }
  return found.sort((a, b) => (a.folder < b.folder ? -1 : 1));
}

/** The number of files that are parsed to classify a folder. */
const maxProbes = 6;

/**
 * At least half of the files that are not index pages must have a numbered or dated name, and one
 * of those must have a known format or a status.
 */
function areMostlyRecords(files: readonly string[], recordAt: ReadRecord): boolean {
  const isNumbered = (file: string): boolean => {
    const { number, date } = parseRecordName(file);
    return number !== null || date !== null;
  };
  const numbered = files.filter(isNumbered);
  const others = files.filter(
    (file) => !isNumbered(file) && !/readme|index|template/i.test(parseRecordName(file).stem),
  );
  if (numbered.length === 0 || numbered.length < others.length) return false;
  const probed = numbered.slice(0, maxProbes).flatMap((file) => recordAt(file) ?? []);
  const isRecord = ({ kind, format, statusRaw }: DecisionRecord) =>
    kind === "adr" && (format !== "other" || statusRaw !== null);
  return probed.some(isRecord);
}

const isEntered = (name: string): boolean =>
  !name.startsWith(".") && !["node_modules", "vendor", "dist", "build", "target"].includes(name);

/** Links to folders are not followed. */
function listEntries(boundary: Boundary, root: string, folder: string): FolderEntries {
  const entries = folderEntries(boundary, root, folder);
  const pathOf = ({ name }: Dirent): string => childPath(folder, name);
  return {
    files: entries
      .filter((entry) => !entry.isDirectory() && /^[^.].*\.(md|markdown)$/i.test(entry.name))
      .map(pathOf),
    folders: entries.filter((entry) => entry.isDirectory() && isEntered(entry.name)).map(pathOf),
  };
}

const recordFolderNames = [
  "adr",
  "adrs",
  "ADR",
  "decisions",
  "decision-records",
  "architecture-decisions",
  "architecture-decision-records",
];
const parentFolders = [
  "",
  "doc/",
  "docs/",
  "doc/architecture/",
  "docs/architecture/",
  "architecture/",
];

const commonRecordFolders = [
  "mcp/resources/adr",
  ...parentFolders.flatMap((start) => recordFolderNames.map((name) => start + name)),
];

/** Folders that contain the packages of a monorepo. */
const packageFolders = ["packages", "apps", "services", "libs", "modules"];

/**
 * Paths are matched against the listed names: on a case-insensitive file system a check for
 * existence would find a folder under two spellings.
 */
function findCommonRecordFolders(root: string, list: (folder: string) => FolderEntries): string[] {
  const packageRoots = list("").folders.filter((name) => packageFolders.includes(name));
  const bases = [
    "",
    ...packageRoots.flatMap((name) => list(name).folders.map((path) => `${path}/`)),
  ];
  const existing: string[] = [];
  const children = new Map<string, readonly string[]>();
  const childrenOf = (folder: string): readonly string[] => {
    const names = children.get(folder) ?? list(folder).folders;
    children.set(folder, names);
    return names;
  };
  for (const base of bases) {
    for (const candidate of commonRecordFolders) {
      const steps = `${base}${candidate}`.split("/");
      const exists = steps.every((_, index) =>
        childrenOf(steps.slice(0, index).join("/")).includes(steps.slice(0, index + 1).join("/")),
      );
      if (exists) existing.push(steps.join("/"));
    }
  }
  return existing.filter((candidate) => isFolderInside(root, candidate));
}

function isFolderInside(root: string, folder: string): boolean {
  try {
    const real = realpathSync.native(join(root, folder));
    return containsPath(root, real) && statSync(real).isDirectory();
  } catch {
    return false;
  }
}

const tooManyFiles = (): Failure =>
  new Failure("too-large", "too-many-records", `There are more than ${maxRecordFiles} records.`, {
    hints: ["Choose a folder further down with --root."],
  });
