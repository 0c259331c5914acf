import { createHash } from "node:crypto";
import { type Dirent, lstatSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Boundary } from "../../kernel/boundary.ts";
import { Failure } from "../../kernel/failure.ts";
import { openFolderChanges } from "../../kernel/folder-changes.ts";

/** Files of some folders, each kept in the form that it was read into. */
export interface KeptFiles<Item> {
  /** By paths from the root, in their order. The same map as before where nothing changed. */
  now(): Promise<ReadonlyMap<string, Item>>;
  close(): void;
}

export interface KeptFilesOptions<Item> {
  root: string;
  boundary: Boundary;
  /** Nothing outside of this folder is read; relative to the root, and perhaps not there. */
  within: string;
  /** The folders below it that are looked through, deeply or not. */
  folders: readonly string[];
  deep: boolean;
  /** Whether a file of this name is meant. */
  concerns: (name: string) => boolean;
  /** Undefined for what cannot be used. `before` is what the file was read into last. */
  read(file: FoundFile, before: Item | undefined): Item | undefined;
  /** Told once for each state of a file that cannot be used. */
  onUnusable(path: string, reason: string): void;
}

interface FoundFile {
  path: string;
  bytes: Buffer;
  modified: Date;
}

/** More is no handbook, and every answer would take too long. */
const mostFiles = 10_000;
const mostFolders = 5_000;
const longestFile = 4 * 1024 * 1024;

/** In milliseconds: two writes within it can leave the same stamp. */
const coarsestClock = 2_000;

interface Kept<Item> {
  stamp: string;
  /** Whether it was older than the clock of a file system is coarse when it was read. */
  isSettled: boolean;
  /** Of its bytes; empty where they could not be read. */
  digest: string;
  item: Item | undefined;
}

export function openKeptFiles<Item>(options: KeptFilesOptions<Item>): KeptFiles<Item> {
  const { root, boundary, concerns } = options;
  const changes = openFolderChanges(root, concerns);
  let kept = new Map<string, Kept<Item>>();
  let current: ReadonlyMap<string, Item> | undefined;
  let hasLinks = false;
  let last: Promise<unknown> = Promise.resolve();

  return {
    // One after the other: a look that waits must not be overtaken.
    now() {
      const items = last.then(refreshed, refreshed);
      last = items;
      return items;
    },
    close: () => changes.close(),
  };

  async function refreshed(): Promise<ReadonlyMap<string, Item>> {
    const changed = await changes.since();
    // Nobody tells what is written to a file by another of its names.
    if (changed === "nothing" && current && !hasLinks) return current;
    const { files, folders } = walked();
    changes.cover(folders);
    const before = kept;
    kept = new Map();
    hasLinks = false;
    for (const path of files) kept.set(path, look(path, before.get(path)));
    const isSame = (path: string): boolean => before.get(path)?.item === kept.get(path)?.item;
    if (current && before.size === kept.size && files.every(isSame)) return current;
    current = new Map(
      [...kept].flatMap(([path, { item }]) => (item === undefined ? [] : [[path, item] as const])),
    );
    return current;
  }

  function look(path: string, before: Kept<Item> | undefined): Kept<Item> {
    const place = join(root, path);
    const stat = statSync(place, { bigint: true, throwIfNoEntry: false });
    if (!stat?.isFile()) return { stamp: "absent", isSettled: false, digest: "", item: undefined };
    hasLinks ||= stat.nlink > 1n || lstatSync(place).isSymbolicLink();
    const stamp = `${stat.ino} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs}`;
    if (before?.stamp === stamp && before.isSettled) return before;
    const isSettled = Date.now() - Number(stat.ctimeMs) > coarsestClock;
    let digest = "";
    try {
      const bytes = boundary.readFile(place, join(root, options.within), longestFile);
      digest = createHash("sha1").update(bytes).digest("base64");
      if (before?.stamp === stamp && before.digest === digest) return { ...before, isSettled };
      const item = options.read({ path, bytes, modified: stat.mtime }, before?.item);
      return { stamp, isSettled, digest, item };
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const isTold = before?.stamp === stamp && before.digest === digest;
      if (!isTold) options.onUnusable(path, error.message);
      return { stamp, isSettled, digest, item: undefined };
    }
  }

  /** Folders that are not there yet are heard of by the one above them. */
  function walked(): { files: string[]; folders: string[] } {
    const steps = options.within.split("/");
    const folders = new Set(["", ...steps.map((_, index) => steps.slice(0, index + 1).join("/"))]);
    const files: string[] = [];
    const open = [...options.folders];
    for (let folder = open.shift(); folder !== undefined; folder = open.shift()) {
      if (files.length > mostFiles || folders.size > mostFolders) break;
      folders.add(folder);
      for (const entry of entriesOf(join(root, folder))) {
        const path = `${folder}/${entry.name}`;
        if (entry.name.startsWith(".")) continue;
        if (entry.isDirectory()) {
          if (options.deep) open.push(path);
        } else if (concerns(entry.name)) files.push(path);
      }
    }
    return { files: files.sort().slice(0, mostFiles), folders: [...folders] };
  }
}

/** Links to folders are not followed; a link to a file is judged when it is read. */
function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
