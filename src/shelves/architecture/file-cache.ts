import { join } from "node:path";
import { Failure } from "../../kernel/failure.ts";
import {
  type CachedParse,
  isUnchanged,
  observeFile,
  parseIfChanged,
} from "../../kernel/files/parsed-file-cache.ts";
import type { Boundary } from "../../kernel/paths/boundary.ts";
import { createSerialQueue } from "../../kernel/processes/serial-queue.ts";
import { openFolderChangeTracker } from "../../kernel/watching/folder-changes.ts";
import { folderEntries } from "./folder-entries.ts";

/** A cache of parsed files. */
export interface FileCache<Item> {
  /** Parsed files sorted by path relative to the root. Returns the same map if nothing changed. */
  read(): Promise<ReadonlyMap<string, Item>>;
  close(): void;
}

export interface FileCacheOptions<Item> {
  root: string;
  boundary: Boundary;
  /** No file outside this folder is read. Relative to the root; it may not exist. */
  baseFolder: string;
  /** The folders below it that are scanned. */
  folders: readonly string[];
  isRecursive: boolean;
  /** Whether a file with this name is included. */
  isRelevant: (name: string) => boolean;
  /** Undefined for an unusable file. `before` is the previous result for this file. */
  parse(file: FoundFile, before: Item | undefined): Item | undefined;
  /** Called once for each version of an unusable file. */
  onUnusable(path: string, reason: string): void;
}

interface FoundFile {
  path: string;
  bytes: Buffer;
  modified: Date;
}

/** Bounds the time of a scan. */
const maxFiles = 10_000;
const maxFolders = 5_000;
const maxFileBytes = 4 * 1024 * 1024;

/** `parsed` is undefined for an unusable file. */
type CachedFile<Item> = CachedParse<Item | undefined>;

export function openFileCache<Item>(options: FileCacheOptions<Item>): FileCache<Item> {
  const { root, boundary, isRelevant } = options;
  const changes = openFolderChangeTracker(root, { isRelevant, version: boundary.privacyVersion });
  const queue = createSerialQueue();
  let cached = new Map<string, CachedFile<Item>>();
  let current: ReadonlyMap<string, Item> | undefined;
  let hasLinks = false;

  return {
    // Serialized, so that an older scan cannot overwrite the result of a newer one.
    read: () => queue.run("scan", refresh),
    close: () => changes.close(),
  };

  async function refresh(): Promise<ReadonlyMap<string, Item>> {
    const changed = await changes.takeChanges();
    // Writes through another hard link of a file are not reported.
    if (changed === "nothing" && current && !hasLinks) return current;
    const { files, folders } = walkFolders();
    changes.setFolders(folders);
    const before = cached;
    cached = new Map();
    hasLinks = false;
    for (const path of files) cached.set(path, readFile(path, before.get(path)));
    const isSame = (path: string): boolean => before.get(path)?.parsed === cached.get(path)?.parsed;
    if (current && before.size === cached.size && files.every(isSame)) return current;
    current = new Map(
      [...cached].flatMap(([path, { parsed }]) =>
        parsed === undefined ? [] : [[path, parsed] as const],
      ),
    );
    return current;
  }

  function readFile(path: string, before: CachedFile<Item> | undefined): CachedFile<Item> {
    const absolutePath = join(root, path);
    const observed = observeFile(absolutePath);
    if (!observed) return { ...unreadFile, stamp: "absent", parsed: undefined };
    hasLinks ||= observed.hasOtherNames;
    if (before && isUnchanged(observed, before)) return before;
    // The parsed item contains the modification time, so equal bytes alone do not suffice.
    const previous = before?.stamp === observed.stamp ? before : undefined;
    const reportUnusable = (error: unknown): undefined => {
      if (!(error instanceof Failure)) throw error;
      options.onUnusable(path, error.message);
    };
    try {
      const bytes = boundary.readFile(absolutePath, join(root, options.baseFolder), maxFileBytes);
      return parseIfChanged(observed, bytes, previous, () => {
        try {
          return options.parse({ path, bytes, modified: observed.modified }, before?.parsed);
        } catch (error) {
          return reportUnusable(error);
        }
      });
    } catch (error) {
      // Reported once, although the bytes cannot be compared.
      return previous?.digest === ""
        ? previous
        : { ...observed, ...unreadFile, parsed: reportUnusable(error) };
    }
  }

  /** Lists the files. The base folder's ancestors are watched too, to notice when it is created. */
  function walkFolders(): { files: string[]; folders: string[] } {
    const steps = options.baseFolder.split("/");
    const folders = new Set(["", ...steps.map((_, index) => steps.slice(0, index + 1).join("/"))]);
    const files: string[] = [];
    const pending = [...options.folders];
    for (let folder = pending.shift(); folder !== undefined; folder = pending.shift()) {
      if (files.length > maxFiles || folders.size > maxFolders) break;
      folders.add(folder);
      for (const entry of folderEntries(boundary, root, folder)) {
        const path = `${folder}/${entry.name}`;
        if (entry.name.startsWith(".")) continue;
        if (entry.isDirectory()) {
          if (options.isRecursive) pending.push(path);
        } else if (isRelevant(entry.name)) files.push(path);
      }
    }
    return { files: files.sort().slice(0, maxFiles), folders: [...folders] };
  }
}

/** The cache state of a file that could not be read. */
const unreadFile = { isSettled: false, readAt: 0, digest: "" };
