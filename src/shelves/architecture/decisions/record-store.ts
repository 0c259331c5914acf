import { join } from "node:path";
import { Failure, invalid } from "../../../kernel/failure.ts";
import {
  type CachedParse,
  isUnchanged,
  observeFile,
  parseIfChanged,
} from "../../../kernel/files/parsed-file-cache.ts";
import type { Boundary } from "../../../kernel/paths/boundary.ts";
import { createSerialQueue } from "../../../kernel/processes/serial-queue.ts";
import type { Runtime } from "../../../kernel/runtime/runtime.ts";
import { openFolderChangeTracker } from "../../../kernel/watching/folder-changes.ts";
import { decodeText } from "../../../text/formats/text-decoder.ts";
import { findRecordFolders } from "./record-folders.ts";
import {
  createRecordSet,
  type PlacedRecord,
  parsePlacedRecord,
  type RecordSet,
} from "./record-set.ts";

/** The decision records below the root, cached and re-read when files change. */
export interface RecordStore {
  /** The current records. */
  read(): Promise<RecordSet>;
}

/** Longer files are not records. */
export const maxRecordBytes = 2 * 1024 * 1024;

/** Longer setting files are ignored. */
const maxSettingBytes = 100_000;

/** With more folders than this, scanning is cheaper than watching. */
const maxWatchedFolders = 300;

/** Whether a change of a file with this name can change the records. */
const affectsRecords = (name: string): boolean =>
  /\.(md|markdown)$/i.test(name) || /^\.?(adr-dir|log4brains\.yml)$/.test(name);

export function openRecordStore({
  settings,
  boundary,
}: Pick<Runtime, "boundary" | "settings">): RecordStore {
  const root = boundary.resolvePath(settings.root);
  const changes = openFolderChangeTracker(root, {
    isRelevant: affectsRecords,
    version: boundary.privacyVersion,
  });
  const queue = createSerialQueue();
  let cached = new Map<string, CachedParse<PlacedRecord> | undefined>();
  let current: RecordSet | undefined;
  let hasLinks = false;
  return {
    // Serialized, so that an older scan cannot overwrite the result of a newer one.
    read: () => queue.run("scan", refresh),
  };

  async function refresh(): Promise<RecordSet> {
    const changed = await changes.takeChanges();
    // Writes through another hard link of a file are not reported.
    if (changed === "nothing" && current && !hasLinks) return current;
    // Cleared until the scan succeeds, so that a failed scan is repeated completely.
    current = undefined;
    const { set, scannedFolders } = scan();
    const isWatched = scannedFolders.length <= maxWatchedFolders;
    changes.setFolders(isWatched ? scannedFolders : []);
    if (isWatched) current = set;
    return set;
  }

  function scan(): { set: RecordSet; scannedFolders: readonly string[] } {
    const parsed: typeof cached = new Map();
    hasLinks = false;
    const recordAt = (file: string): PlacedRecord | undefined => {
      if (!parsed.has(file)) parsed.set(file, readRecord(file, cached.get(file)));
      return parsed.get(file)?.parsed;
    };
    const { files, visitedFolders, ...location } = findRecordFolders(
      root,
      boundary,
      recordAt,
      readSettingFile,
    );
    const records = files.flatMap((file) => recordAt(file) ?? []);
    const unreadable = files.filter((file) => !recordAt(file));
    cached = parsed;
    return {
      set: createRecordSet({ root, ...location, records, unreadable }),
      scannedFolders: visitedFolders,
    };
  }

  /** Undefined for a file that is unreadable, outside the boundary or not text. */
  function readRecord(
    file: string,
    previous: CachedParse<PlacedRecord> | undefined,
  ): CachedParse<PlacedRecord> | undefined {
    const observed = observeFile(join(root, file));
    if (!observed) return undefined;
    hasLinks ||= observed.hasOtherNames;
    if (isUnchanged(observed, previous)) return previous;
    try {
      return parseIfChanged(observed, readRecordBytes(boundary, root, file), previous, (bytes) => {
        const text = decodeRecordFile(bytes);
        if (text === undefined) throw invalid("The file is not text.");
        return parsePlacedRecord(file, text);
      });
    } catch (error) {
      if (error instanceof Failure) return undefined;
      throw error;
    }
  }

  function readSettingFile(file: string): string | undefined {
    try {
      return decodeRecordFile(boundary.readFile(join(root, file), root, maxSettingBytes));
    } catch (error) {
      if (error instanceof Failure) return undefined;
      throw error;
    }
  }
}

/** The text of a record for display, decoded from its detected encoding. */
export const readRecordText = (
  boundary: Boundary,
  root: string,
  file: string,
): string | undefined => decodeRecordFile(readRecordBytes(boundary, root, file));

const readRecordBytes = (boundary: Boundary, root: string, file: string): Buffer =>
  boundary.readFile(join(root, file), root, maxRecordBytes);

const decodeRecordFile = (bytes: Buffer): string | undefined =>
  decodeText(bytes)?.replace(/^\uFEFF/, "");
