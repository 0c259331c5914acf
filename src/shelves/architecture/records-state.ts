import { join } from "node:path";
import type { Boundary } from "../../kernel/boundary.ts";
import { Failure, invalid } from "../../kernel/failure.ts";
import { openFolderChanges } from "../../kernel/folder-changes.ts";
import type { House } from "../../kernel/house.ts";
import { makeQueue } from "../../kernel/queue.ts";
import { isAsRead, lookAt, type Reading, readInto } from "../../kernel/seen-file.ts";
import { decode } from "../../text/decoding.ts";
import { findFolders } from "./record-folders.ts";
import { makeRecordSet, type PlacedRecord, placedRecord, type RecordSet } from "./record-set.ts";

/** The decision records below the root, kept in memory and read again where files changed. */
export interface Records {
  /** The records as their files are now. */
  now(): Promise<RecordSet>;
}

/** A longer file is no record of a decision. */
export const longestRecord = 2 * 1024 * 1024;

/** Settings of a project are short; anything else of that name is not read. */
const longestSetting = 100_000;

/** With more folders than this it is cheaper to look than to listen. */
const mostWatched = 300;

/** Whether a change of a file of this name can change what is found. */
const concernsRecords = (name: string): boolean =>
  /\.(md|markdown)$/i.test(name) || /^\.?(adr-dir|log4brains\.yml)$/.test(name);

export function openRecords({ settings, boundary }: House): Records {
  const root = boundary.enter(settings.root);
  const changes = openFolderChanges(root, {
    concerns: concernsRecords,
    version: boundary.privacyVersion,
  });
  const turns = makeQueue();
  let known = new Map<string, Reading<PlacedRecord> | undefined>();
  let current: RecordSet | undefined;
  let hasLinks = false;
  return {
    // One after the other: a look that waits must not be overtaken.
    now: () => turns.run("look", refreshed),
  };

  async function refreshed(): Promise<RecordSet> {
    const changed = await changes.since();
    // Nobody tells what is written to a file by another of its names.
    if (changed === "nothing" && current && !hasLinks) return current;
    // Until it has gone well: what fails half-way is done again as a whole.
    current = undefined;
    const { set, looked } = lookedAt();
    const isWatched = looked.length <= mostWatched;
    changes.cover(isWatched ? looked : []);
    if (isWatched) current = set;
    return set;
  }

  function lookedAt(): { set: RecordSet; looked: readonly string[] } {
    const seen: typeof known = new Map();
    hasLinks = false;
    const recordAt = (file: string): PlacedRecord | undefined => {
      if (!seen.has(file)) seen.set(file, read(file, known.get(file)));
      return seen.get(file)?.form;
    };
    const { files, looked, ...place } = findFolders(root, boundary, recordAt, settingIn);
    const records = files.flatMap((file) => recordAt(file) ?? []);
    const unreadable = files.filter((file) => !recordAt(file));
    known = seen;
    return { set: makeRecordSet({ root, ...place, records, unreadable }), looked };
  }

  /** What cannot be read now, leads outside or is no text is as good as no record. */
  function read(
    file: string,
    before: Reading<PlacedRecord> | undefined,
  ): Reading<PlacedRecord> | undefined {
    const seen = lookAt(join(root, file));
    if (!seen) return undefined;
    hasLinks ||= seen.hasOtherNames;
    if (isAsRead(seen, before)) return before;
    try {
      return readInto(seen, recordBytes(boundary, root, file), before, (bytes) => {
        const text = textIn(bytes);
        if (text === undefined) throw invalid("It is no text.");
        return placedRecord(file, text);
      });
    } catch (error) {
      if (error instanceof Failure) return undefined;
      throw error;
    }
  }

  function settingIn(file: string): string | undefined {
    try {
      return textIn(boundary.readFile(join(root, file), root, longestSetting));
    } catch (error) {
      if (error instanceof Failure) return undefined;
      throw error;
    }
  }
}

/** What a record says, for reading: its bytes may be written in another way than ours. */
export const recordText = (boundary: Boundary, root: string, file: string): string | undefined =>
  textIn(recordBytes(boundary, root, file));

const recordBytes = (boundary: Boundary, root: string, file: string): Buffer =>
  boundary.readFile(join(root, file), root, longestRecord);

const textIn = (bytes: Buffer): string | undefined => decode(bytes)?.replace(/^\uFEFF/, "");
