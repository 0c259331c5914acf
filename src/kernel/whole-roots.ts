import { parsedJson } from "../text/json-value.ts";
import type { Database } from "./database.ts";
import type { Root } from "./documents.ts";
import { currentRevision } from "./revision.ts";
import type { FoundFile } from "./walk.ts";

/** A file that is there but holds no document, with the reason. */
export interface Skipped {
  path: string;
  reason: string;
}

/** What a walk through a root came to. */
export interface Look {
  found: readonly FoundFile[];
  /** What could not be looked at, with the reason. Its documents are kept as they are. */
  unreadable: ReadonlyMap<string, string>;
}

/** Which roots were read to their end, and how their folders looked when nothing was left to read. */
export interface WholeRoots {
  /** Those of the roots that were never read to their end, or not as they are defined now. */
  unread(roots: readonly Root[]): Root[];
  /** Those that are to be compared with their folders again, when nobody watches them. */
  due(roots: readonly Root[]): Root[];
  /** What is known of a root that looks as it did then, where the index is as it was then too. */
  known(root: Root, look: Look): { skipped: Skipped[] } | undefined;
  /** `whole` only where nothing had changed: every file was known, or is no document. */
  remember(root: Root, whole?: Look & { skipped: readonly Skipped[] }): void;
  /** That a root was compared just now, and how long it took to find its files. */
  note(root: Root, ms: number, files: number): void;
  /** Whatever the folders look like, they are compared file by file. */
  compareAgain(): void;
  forget(root: string): void;
  rename(from: string, to: string): void;
}

/** Nobody minds to wait so long, nor for so few files: such a root is compared for every call. */
const quickMs = 250;
const fewFiles = 1_000;

/** Another one is compared again after so many times as long as it took. */
const patience = 10;

export function openWholeRoots(
  db: Database,
  isConfigured: (root: string) => boolean,
  now: () => number = Date.now,
): WholeRoots {
  const entryOf = (root: Root): Entry | undefined =>
    db.get(
      "SELECT compared, took FROM whole_roots WHERE root = ? AND definition = ?",
      root.name,
      definitionOf(root),
    );
  /** The index and all that it was compared with. No path holds two slashes side by side. */
  const listingOf = ({ found, unreadable }: Look): string => {
    let listing = `${currentRevision(db)}//`;
    for (const path of unreadable.keys()) listing += `${path}//?//`;
    for (const { path, size, modified, changed } of found) {
      listing += `${path}//${size}/${modified}/${changed}//`;
    }
    return listing;
  };
  return {
    unread(roots) {
      const rows = db.all<{ root: string; definition: string }>(
        "SELECT root, definition FROM whole_roots",
      );
      const read = new Map(rows.map(({ root, definition }) => [root, definition]));
      return roots.filter((root) => read.get(root.name) !== definitionOf(root));
    },
    due: (roots) =>
      roots.filter((root) => {
        const { compared = 0, took = 0 } = entryOf(root) ?? {};
        // Where the clock has gone back nobody knows how long ago it was.
        const since = now() - compared;
        return since < 0 || since > took * patience;
      }),
    note(root, ms, files) {
      if (ms < quickMs || files < fewFiles) return;
      db.run("UPDATE whole_roots SET compared = ?, took = ? WHERE root = ?", now(), ms, root.name);
    },
    known(root, look) {
      const whole = db.get<{ listing: string; skipped: string }>(
        `SELECT listing, skipped FROM whole_roots
          WHERE root = ? AND definition = ? AND listing IS NOT NULL AND remembered <= ?`,
        root.name,
        definitionOf(root),
        // After the clock has gone back, equal times of files prove nothing.
        now(),
      );
      const isSame = whole !== undefined && whole.listing === listingOf(look);
      const skipped = isSame ? parsedJson(whole.skipped) : undefined;
      return Array.isArray(skipped) ? { skipped } : undefined;
    },
    remember(root, whole) {
      if (!whole && entryOf(root)) return;
      db.transaction(() => {
        if (!isConfigured(root.name)) return;
        db.run(
          `INSERT INTO whole_roots (root, definition, listing, skipped, remembered)
           VALUES (?, ?, ?, ?, ?)
           ON CONFLICT (root) DO UPDATE SET definition = excluded.definition,
             listing = excluded.listing, skipped = excluded.skipped,
             remembered = excluded.remembered`,
          root.name,
          definitionOf(root),
          whole ? listingOf(whole) : null,
          whole ? JSON.stringify(whole.skipped) : null,
          now(),
        );
      });
    },
    compareAgain() {
      db.run("UPDATE whole_roots SET listing = NULL, compared = 0, took = 0");
    },
    forget(root) {
      db.run("DELETE FROM whole_roots WHERE root = ?", root);
    },
    rename(from, to) {
      db.run("UPDATE OR REPLACE whole_roots SET root = ? WHERE root = ?", to, from);
    },
  };
}

/** When a root was last compared with its folder, if that takes long, and how long it took. */
interface Entry {
  compared: number;
  took: number;
}

/** All that decides which files belong to a root. */
const definitionOf = ({ path, pattern, ignore = [] }: Root): string =>
  JSON.stringify([path, pattern, ignore]);
