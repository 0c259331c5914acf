import type { Database } from "./database.ts";
import { type DocumentRows, keyOf, type ReadFile, type Row } from "./document-rows.ts";
import type { Document } from "./documents.ts";
import { type Absorber, type Diff, handOver } from "./handover.ts";
import type { Log } from "./log.ts";
import { type Arrival, pairMoves, rememberDeparted } from "./moves.ts";
import type { Notice, Notices } from "./notices.ts";
import { advanceRevision } from "./revision.ts";

/** Where rows are written, and shelves and clients are told of it, in one transaction each. */
export interface Recorder {
  /** What was read, and rows whose files were not there; tells what became of them. */
  record(files: readonly ReadFile[], missing: readonly Row[]): Counts;
  /** Drops rows, whatever became of their files; no notice names them where that is private. */
  drop(rows: readonly Row[], options?: { isPrivate?: boolean }): void;
}

export interface Counts {
  added: number;
  changed: number;
  removed: number;
  moved: number;
}

export interface RecorderParts {
  db: Database;
  rows: DocumentRows;
  notices: Notices;
  log: Log;
  /** Asked before each write: another process may have removed or renamed a root meanwhile. */
  isConfigured(root: string): boolean;
  /** The file of a row: gone, read because it may have changed, or nothing where it has not. */
  lookAgain(row: Row): ReadFile | "gone" | undefined;
  /** A file that was read: gone, as it was then, read again, or nothing where that takes its time. */
  confirm(file: ReadFile): ReadFile | "gone" | undefined;
  /** Who takes in changes, in this order. */
  absorbers: readonly Absorber[];
}

/** So many copies of a content are looked at beyond those that arrive, to find one that is gone. */
const otherCopies = 32;

export function openRecorder(parts: RecorderParts): Recorder {
  const { db, rows, notices, log, isConfigured, lookAgain, confirm, absorbers } = parts;
  const departed = rememberDeparted();
  return {
    record: (files, missing) =>
      db.transaction(() => {
        rows.beginRecording();
        const arrivals = arrivalsAmong(files);
        const moves = pairMoves(arrivals.newcomers, arrivals.gone);
        const diff = write(arrivals.newcomers, moves, missing);
        apply(diff);
        const { added, changed, removed, moved } = diff;
        return {
          added: added.length,
          changed: changed.length,
          removed: removed.length,
          moved: moved.length,
        };
      }),
    drop: (dropped, { isPrivate = false } = {}) =>
      db.transaction(() => {
        for (const { id } of dropped) rows.remove(id);
        const removed = dropped.map(documentOf);
        apply({ added: [], changed: [], removed, moved: [] }, (notice) =>
          isPrivate ? notice.about === undefined : true,
        );
      }),
  };

  /** The files whose content is new at their place, and by content the rows whose files are gone. */
  function arrivalsAmong(files: readonly ReadFile[]) {
    const newcomers = new Map<string, Arrival>();
    const gone = new Map<string, Row[]>();
    const roots = new Map<string, boolean>();
    const isKept = (root: string): boolean => {
      if (!roots.has(root)) roots.set(root, isConfigured(root));
      return roots.get(root) ?? false;
    };
    const lastByOthers = rows.lastRecording() - 1;
    /**
     * Another process may have recorded, or dropped, the same file since it was read, and nobody can
     * tell by a clock who read it last. Whoever has the write lock now looks at the file itself.
     */
    const current = (file: ReadFile, before: Row | undefined): ReadFile | undefined => {
      if ((before?.recorded ?? lastByOthers) <= file.asOf) return file;
      const now = confirm(file);
      if (now === "gone") return undefined;
      return now ?? (before ? undefined : file);
    };
    const take = (read: ReadFile): void => {
      if (!isKept(read.root)) return;
      const before = rows.at(read.root, read.path);
      const file = current(read, before);
      if (!file) return;
      if (before?.hash === file.hash) rows.update(before.id, file);
      else newcomers.set(keyOf(file), { file, before });
    };
    for (const file of files) take(file);
    const hashes = [...newcomers.values()].map(({ file }) => file.hash);
    const known = new Set(rows.knownHashes(hashes));
    for (const hash of hashes) if (!known.has(hash)) gone.set(hash, []);
    // A row whose file was written anew joins in, so that a chain is followed to its end.
    for (const { file } of newcomers.values()) {
      if (gone.has(file.hash)) continue;
      const alike = rows.withHash(file.hash, newcomers.size + otherCopies);
      const left = alike.filter((row) => {
        if (newcomers.has(keyOf(row))) return false;
        const now = lookAgain(row);
        if (typeof now === "object") take(now);
        return now === "gone";
      });
      gone.set(file.hash, left);
    }
    return { newcomers, gone };
  }

  function write(
    arrivals: ReadonlyMap<string, Arrival>,
    moves: ReadonlyMap<Arrival, Row>,
    missing: readonly Row[],
  ): Diff {
    const diff: Diff = { added: [], changed: [], removed: [], moved: [] };
    const movedIds = new Set([...moves.values()].map(({ id }) => id));
    const leaving = new Map(missing.map((row) => [row.id, row]));
    for (const row of leaving.values()) {
      const isBack = movedIds.has(row.id) || arrivals.has(keyOf(row));
      if (!isBack && rows.isUntouched(row)) diff.removed.push(documentOf(row));
    }
    for (const { before } of moves.keys()) {
      if (before && !movedIds.has(before.id)) diff.removed.push(documentOf(before));
    }
    for (const { id } of diff.removed) rows.remove(id);
    rows.move([...moves].map(([{ file }, { id }]) => ({ id, file })));
    for (const arrival of arrivals.values()) {
      const { file, before } = arrival;
      const source = moves.get(arrival);
      if (source) {
        diff.moved.push({ ...withText(source.id, file), from: documentOf(source) });
      } else if (before && !movedIds.has(before.id)) {
        rows.update(before.id, file);
        diff.changed.push(withText(before.id, file));
      } else {
        const id = rows.add(file, departed.recall(file.hash));
        diff.added.push(withText(id, file));
      }
    }
    return diff;
  }

  /**
   * Each shelf has its own savepoint: one that throws is marked stale, and the others go on.
   * `lectern doctor` names a stale shelf and fills it anew.
   */
  function apply(diff: Diff, mayTell: (notice: Notice) => boolean = () => true): void {
    const { added, changed, removed, moved } = diff;
    const roots = new Set(
      [...added, ...changed, ...removed, ...moved, ...moved.map(({ from }) => from)].map(
        ({ root }) => root,
      ),
    );
    if (roots.size === 0) return;
    for (const row of removed) departed.remember(row);
    const told = new Map<string, Notice[]>(
      [...roots].map((root) => [root, [{ topic: "documents.changed" }]]),
    );
    for (const absorber of absorbers) {
      try {
        for (const { root, notices } of db.transaction(() => handOver(absorber, diff))) {
          for (const notice of notices) told.get(root)?.push(notice);
        }
      } catch (error) {
        log("error", "a shelf could not take in a change", { shelf: absorber.name, cause: error });
        db.run("INSERT OR IGNORE INTO stale_shelves (shelf) VALUES (?)", absorber.name);
      }
    }
    for (const [root, said] of told) notices.record(said.filter(mayTell), root);
    advanceRevision(db);
  }
}

const documentOf = ({ id, root, path, hash, size, modified }: Document): Document => ({
  id,
  root,
  path,
  hash,
  size,
  modified,
});

const withText = (id: number, { root, path, hash, size, modified, text }: ReadFile) => ({
  id,
  root,
  path,
  hash,
  size,
  modified,
  text,
});
