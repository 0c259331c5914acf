import { tryParseJson } from "../../text/formats/json-value.ts";
import type { Root } from "../documents/documents.ts";
import { readRevision } from "../documents/revision.ts";
import { all, get, run, type Steps, transaction } from "../storage/steps.ts";
import type { Store } from "../storage/store.ts";
import { countIfUnchanged, type RootListing, serializeListing } from "./root-listing.ts";

/** A file without a document, and the reason. */
export interface SkippedFile {
  path: string;
  reason: string;
}

/** The completely scanned roots, with the listing of those whose files were all unchanged. */
export interface ScanState {
  /** The roots whose initial scan is incomplete or used another definition. */
  unscanned(roots: readonly Root[]): Steps<Root[]>;
  /** The roots that must be scanned now if no process watches them. */
  dueForScan(roots: readonly Root[]): Steps<Root[]>;
  /** The same as `findUnchanged` without a walk, and the number of files. */
  compareWithoutWalk(
    store: Store,
    root: Root,
    conditions: string,
  ): Promise<{ skipped: SkippedFile[]; files: number } | undefined>;
  /** The recorded result for a root, if its listing and the index are unchanged. */
  findUnchanged(root: Root, listing: WalkedListing): Steps<{ skipped: SkippedFile[] } | undefined>;
  /**
   * Records a complete scan; with `unchanged` if nothing changed: every file was known or has no
   * document.
   */
  recordScan(
    root: Root,
    unchanged?: WalkedListing & { skipped: readonly SkippedFile[] },
  ): Steps<void>;
  /** Records when a root was scanned and how long the walk took. */
  recordDuration(root: Root, ms: number, files: number): Steps<void>;
  /** Forces the next scan to compare all files. */
  invalidateListings(): Steps<void>;
  forget(root: string): Steps<void>;
  rename(from: string, to: string): Steps<void>;
}

/** A listing with the conditions of the walk other than the root itself, such as private files. */
export interface WalkedListing extends RootListing {
  conditions: string;
}

/** Roots that are scanned faster or have fewer files are scanned for every call. */
const minRecordedMs = 1_000;
const minRecordedFiles = 1_000;

/** Larger roots are scanned again after this multiple of the time that their scan took. */
const rescanFactor = 10;

export function openScanState(
  isConfigured: (root: string) => boolean,
  now: () => number = Date.now,
): ScanState {
  const timingOf = (root: Root): Steps<ScanTiming | undefined> =>
    get(
      "SELECT compared, took FROM whole_roots WHERE root = ? AND definition = ?",
      root.name,
      definitionOf(root),
    );
  function* headerOf(conditions: string): Steps<string> {
    return `${yield* readRevision()} ${conditions}\n`;
  }
  function* serialize(listing: WalkedListing): Steps<string> {
    return (yield* headerOf(listing.conditions)) + serializeListing(listing);
  }
  const findRecorded = (root: Root): Steps<{ listing: string; skipped: string } | undefined> =>
    get(
      `SELECT listing, skipped FROM whole_roots
        WHERE root = ? AND definition = ? AND listing IS NOT NULL AND remembered <= ?`,
      root.name,
      definitionOf(root),
      // If the clock was set back, equal file times do not prove that a file is unchanged.
      now(),
    );
  return {
    *unscanned(roots) {
      const rows = yield* all<{ root: string; definition: string }>(
        "SELECT root, definition FROM whole_roots",
      );
      const read = new Map(rows.map(({ root, definition }) => [root, definition]));
      return roots.filter((root) => read.get(root.name) !== definitionOf(root));
    },
    *dueForScan(roots) {
      const due: Root[] = [];
      for (const root of roots) {
        const { compared = 0, took = 0 } = (yield* timingOf(root)) ?? {};
        // Negative if the clock was set back.
        const since = now() - compared;
        if (since < 0 || since > took * rescanFactor) due.push(root);
      }
      return due;
    },
    *recordDuration(root, ms, files) {
      if (ms < minRecordedMs || files < minRecordedFiles) return;
      const update = "UPDATE whole_roots SET compared = ?, took = ? WHERE root = ?";
      yield* run(update, now(), ms, root.name);
    },
    async compareWithoutWalk(store, root, conditions) {
      const recorded = await store.run(findRecorded(root));
      const header = await store.run(headerOf(conditions));
      if (!recorded?.listing.startsWith(header)) return undefined;
      const files = await countIfUnchanged(root.path, recorded.listing.slice(header.length));
      const skipped = tryParseJson(recorded.skipped);
      return files !== undefined && Array.isArray(skipped) ? { skipped, files } : undefined;
    },
    *findUnchanged(root, listing) {
      const recorded = yield* findRecorded(root);
      const isSame = recorded !== undefined && recorded.listing === (yield* serialize(listing));
      const skipped = isSame ? tryParseJson(recorded.skipped) : undefined;
      return Array.isArray(skipped) ? { skipped } : undefined;
    },
    *recordScan(root, unchanged) {
      if (!unchanged && (yield* timingOf(root))) return;
      yield* transaction(function* () {
        if (!isConfigured(root.name)) return;
        yield* run(
          `INSERT INTO whole_roots (root, definition, listing, skipped, remembered)
           VALUES (?, ?, ?, ?, ?)
           ON CONFLICT (root) DO UPDATE SET definition = excluded.definition,
             listing = excluded.listing, skipped = excluded.skipped,
             remembered = excluded.remembered`,
          root.name,
          definitionOf(root),
          unchanged ? yield* serialize(unchanged) : null,
          unchanged ? JSON.stringify(unchanged.skipped) : null,
          now(),
        );
      });
    },
    *invalidateListings() {
      yield* run("UPDATE whole_roots SET listing = NULL, compared = 0, took = 0");
    },
    forget,
    *rename(from, to) {
      yield* forget(to);
      yield* run("UPDATE whole_roots SET root = ? WHERE root = ?", to, from);
    },
  };
}

function* forget(root: string): Steps<void> {
  yield* run("DELETE FROM whole_roots WHERE root = ?", root);
}

/** When a slow root was last scanned, and how long it took. */
interface ScanTiming {
  compared: number;
  took: number;
}

/** The settings that determine the files of a root. */
const definitionOf = ({ path, pattern, ignore = [] }: Root): string =>
  JSON.stringify([path, pattern, ignore]);
