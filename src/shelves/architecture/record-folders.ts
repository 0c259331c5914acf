import { type Dirent, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Boundary, contains } from "../../kernel/boundary.ts";
import { Failure } from "../../kernel/failure.ts";
import { readName } from "../../text/decisions/file-name.ts";
import type { DecisionRecord } from "../../text/decisions/record.ts";
import { namedFolders, type SettingIn } from "./named-folders.ts";

/** Where the records of a project lie. All paths are relative to its root, with forward slashes. */
export interface FoundFolders {
  /** Every text file of the folders that hold records. */
  files: string[];
  /** The folders themselves; `""` is the root. */
  folders: string[];
  /** Every folder whose entries were looked at, for whoever wants to hear of changes. */
  looked: string[];
  /** The folder that the project names for its records, whether or not there are any. */
  named: string | undefined;
}

/** Reads one file as a record; undefined for one that cannot be read. */
type RecordAt = (file: string) => DecisionRecord | undefined;

/**
 * Finds the folders of records, by the first of these that there is:
 *
 * 1. what `.adr-dir` or log4brains' settings name,
 * 2. the root itself, where it is a folder of records,
 * 3. the places where projects keep them, also those of packages in a monorepo,
 * 4. any folder below whose files are records for the greater part.
 *
 * Folders below one that was found are looked through as well.
 */
export function findFolders(
  root: string,
  boundary: Boundary,
  recordAt: RecordAt,
  settingIn: SettingIn,
): FoundFolders {
  const looked = new Set<string>();
  const look = (folder: string): Entries => {
    looked.add(folder);
    return entriesOf(boundary, root, folder);
  };
  const named = namedFolders(settingIn).filter(
    (folder) => isFolderInside(root, folder) && !boundary.hides(join(root, folder)),
  );
  const search = (starts: readonly string[], depth: number, isOne: (files: string[]) => boolean) =>
    foldersBelow(starts, depth, look, isOne);
  const someRecord = (files: string[]) => files.some((file) => recordAt(file)?.kind === "adr");
  const mostlyRecords = (files: string[]) => areRecords(files, recordAt);
  const steps = [
    () => (named.length > 0 ? search(named, 3, someRecord) : []),
    () => (mostlyRecords(look("").files) ? search([""], 3, mostlyRecords) : []),
    () => search(usualPlaces(root, look), 3, someRecord),
    () => (named.length > 0 ? [] : search([""], 6, mostlyRecords)),
  ];
  let found: Below[] = [];
  for (const step of steps) {
    found = step();
    if (found.length > 0) break;
  }
  const files = found.flatMap((folder) => folder.files);
  if (files.length > mostFiles) throw tooManyFiles();
  return {
    files,
    folders: found.map(({ folder }) => folder),
    looked: [...looked],
    named: named[0],
  };
}

const mostFiles = 5_000;
const mostFolders = 2_000;

interface Entries {
  /** Paths of the text files. */
  files: string[];
  /** Paths of the folders that may be entered. */
  folders: string[];
}

interface Below {
  folder: string;
  files: string[];
}

/** Level by level, so that a bound cuts what lies deepest. */
function foldersBelow(
  starts: readonly string[],
  depth: number,
  look: (folder: string) => Entries,
  isOne: (files: string[]) => boolean,
): Below[] {
  const found: Below[] = [];
  let level = [...new Set(starts)];
  let count = 0;
  for (let step = 0; step <= depth && level.length > 0; step++) {
    const next: string[] = [];
    for (const folder of level) {
      if (++count > mostFolders) return found;
      const { files, folders } = look(folder);
      if (files.length > 0 && isOne(files)) found.push({ folder, files });
      next.push(...folders);
    }
    level = next;
  }
  return found.sort((a, b) => (a.folder < b.folder ? -1 : 1));
}

/** So many files tell what a folder holds. */
const mostProbes = 6;

/** At least half of what is no page about the records must be one, with sections or a status. */
function areRecords(files: readonly string[], recordAt: RecordAt): boolean {
  const isNumbered = (file: string): boolean => {
    const { number, date } = readName(file);
    return number !== null || date !== null;
  };
  const numbered = files.filter(isNumbered);
  const others = files.filter(
    (file) => !isNumbered(file) && !/readme|index|template/i.test(readName(file).stem),
  );
  if (numbered.length === 0 || numbered.length < others.length) return false;
  const probed = numbered.slice(0, mostProbes).flatMap((file) => recordAt(file) ?? []);
  const isSure = ({ kind, format, statusRaw }: DecisionRecord) =>
    kind === "adr" && (format !== "other" || statusRaw !== null);
  return probed.some(isSure);
}

const isEntered = (name: string): boolean =>
  !name.startsWith(".") && !["node_modules", "vendor", "dist", "build", "target"].includes(name);

/** Links to folders are not followed; a link to a file is judged when it is read. */
function entriesOf(boundary: Boundary, root: string, folder: string): Entries {
  let entries: Dirent[];
  try {
    const real = boundary.admit(join(root, folder));
    entries = contains(root, real) ? boundary.entries(real) : [];
  } catch {
    return { files: [], folders: [] };
  }
  const pathOf = ({ name }: Dirent): string => (folder === "" ? name : `${folder}/${name}`);
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  return {
    files: entries
      .filter((entry) => !entry.isDirectory() && /^[^.].*\.(md|markdown)$/i.test(entry.name))
      .map(pathOf),
    folders: entries.filter((entry) => entry.isDirectory() && isEntered(entry.name)).map(pathOf),
  };
}

const recordFolders = [
  "adr",
  "adrs",
  "ADR",
  "decisions",
  "decision-records",
  "architecture-decisions",
  "architecture-decision-records",
];
const above = ["", "doc/", "docs/", "doc/architecture/", "docs/architecture/", "architecture/"];

const usual = [
  "mcp/resources/adr",
  ...above.flatMap((start) => recordFolders.map((name) => start + name)),
];

/** Where packages of one project lie beside each other. */
const packageFolders = ["packages", "apps", "services", "libs", "modules"];

/** A place that is spelled in other letters is found where the system does not tell them apart. */
function usualPlaces(root: string, look: (folder: string) => Entries): string[] {
  const inner = look("").folders.filter((name) => packageFolders.includes(name));
  const bases = ["", ...inner.flatMap((name) => look(name).folders.map((path) => `${path}/`))];
  const places: string[] = [];
  const seen = new Map<string, readonly string[]>();
  const childrenOf = (folder: string): readonly string[] => {
    const known = seen.get(folder) ?? look(folder).folders;
    seen.set(folder, known);
    return known;
  };
  for (const base of bases) {
    for (const place of usual) {
      const steps = `${base}${place}`.split("/");
      const isThere = steps.every((_, index) =>
        childrenOf(steps.slice(0, index).join("/")).includes(steps.slice(0, index + 1).join("/")),
      );
      if (isThere) places.push(steps.join("/"));
    }
  }
  return places.filter((place) => isFolderInside(root, place));
}

function isFolderInside(root: string, folder: string): boolean {
  try {
    const real = realpathSync.native(join(root, folder));
    return contains(root, real) && statSync(real).isDirectory();
  } catch {
    return false;
  }
}

const tooManyFiles = (): Failure =>
  new Failure("too-large", "too-many-records", `There are more than ${mostFiles} records.`, {
    hints: ["Give a folder further down by --root."],
  });
