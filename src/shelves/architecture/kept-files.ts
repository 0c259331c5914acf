import type { Dirent } from "node:fs";
import { join } from "node:path";
import { type Boundary, contains } from "../../kernel/boundary.ts";
import { Failure } from "../../kernel/failure.ts";
import { openFolderChanges } from "../../kernel/folder-changes.ts";
import { makeQueue } from "../../kernel/queue.ts";
import { isAsRead, lookAt, type Reading, readInto } from "../../kernel/seen-file.ts";

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

/** Nothing for a file that cannot be used. */
type Kept<Item> = Reading<Item | undefined>;

export function openKeptFiles<Item>(options: KeptFilesOptions<Item>): KeptFiles<Item> {
  const { root, boundary, concerns } = options;
  const changes = openFolderChanges(root, { concerns, version: boundary.privacyVersion });
  const turns = makeQueue();
  let kept = new Map<string, Kept<Item>>();
  let current: ReadonlyMap<string, Item> | undefined;
  let hasLinks = false;

  return {
    // One after the other: a look that waits must not be overtaken.
    now: () => turns.run("look", refreshed),
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
    const isSame = (path: string): boolean => before.get(path)?.form === kept.get(path)?.form;
    if (current && before.size === kept.size && files.every(isSame)) return current;
    current = new Map(
      [...kept].flatMap(([path, { form }]) => (form === undefined ? [] : [[path, form] as const])),
    );
    return current;
  }

  function look(path: string, before: Kept<Item> | undefined): Kept<Item> {
    const place = join(root, path);
    const seen = lookAt(place);
    if (!seen) return { ...unread, stamp: "absent", form: undefined };
    hasLinks ||= seen.hasOtherNames;
    if (before && isAsRead(seen, before)) return before;
    // What a file is read into tells when it was modified, so the bytes alone do not decide.
    const same = before?.stamp === seen.stamp ? before : undefined;
    const unusable = (error: unknown): undefined => {
      if (!(error instanceof Failure)) throw error;
      options.onUnusable(path, error.message);
    };
    try {
      const bytes = boundary.readFile(place, join(root, options.within), longestFile);
      return readInto(seen, bytes, same, () => {
        try {
          return options.read({ path, bytes, modified: seen.modified }, before?.form);
        } catch (error) {
          return unusable(error);
        }
      });
    } catch (error) {
      // It is told once, though nobody knows whether those would be the same bytes.
      return same?.digest === "" ? same : { ...seen, ...unread, form: unusable(error) };
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
      for (const entry of entriesOf(boundary, root, folder)) {
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
function entriesOf(boundary: Boundary, root: string, folder: string): Dirent[] {
  try {
    const real = boundary.admit(join(root, folder));
    return contains(root, real) ? boundary.entries(real) : [];
  } catch {
    return [];
  }
}

/** Of a file whose bytes nobody has. */
const unread = { isSettled: false, readAt: 0, digest: "" };
