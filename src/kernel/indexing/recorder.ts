import {
  type DocumentRow,
  type DocumentRows,
  documentKey,
  type FileSnapshot,
} from "../documents/document-rows.ts";
import type { Document } from "../documents/documents.ts";
import { incrementRevision } from "../documents/revision.ts";
import type { Notice, Notices } from "../notices/notices.ts";
import type { Log } from "../runtime/log.ts";
import type { Database } from "../storage/database.ts";
import { runSteps } from "../storage/sqlite-store.ts";
import { type DocumentChangeListener, dispatchChanges, type IndexDiff } from "./change-dispatch.ts";
import { type Arrival, detectMoves, trackRecentlyRemoved } from "./move-detection.ts";

/** Writes rows and notifies shelves and clients, in one transaction each. */
export interface Recorder {
  /** Records files that were read, and rows whose files were missing; counts the changes. */
  record(files: readonly FileSnapshot[], missing: readonly DocumentRow[]): ChangeCounts;
  /** Removes rows; with `isPrivate`, notices do not name them. */
  drop(rows: readonly DocumentRow[], options?: { isPrivate?: boolean }): void;
}

export interface ChangeCounts {
  added: number;
  changed: number;
  removed: number;
  moved: number;
}

export interface RecorderOptions {
  db: Database;
  rows: DocumentRows;
  notices: Notices;
  log: Log;
  /** Called before each write: another process may have removed or renamed a root. */
  isConfigured(root: string): boolean;
  /** The file of a row: "gone", a new snapshot if it may have changed, or undefined. */
  rereadIfChanged(row: DocumentRow): FileSnapshot | "gone" | undefined;
  /**
   * The current state of a file that was read: "gone", the same or a new snapshot, or undefined if
   * reading it would take long.
   */
  confirmSnapshot(file: FileSnapshot): FileSnapshot | "gone" | undefined;
  /** The shelves that receive changes, in this order. */
  listeners: readonly DocumentChangeListener[];
}

/** Maximum number of other documents with the same content to check for one that is gone. */
const maxOtherCopies = 32;

export function openRecorder(options: RecorderOptions): Recorder {
  const { db, rows, notices, log, isConfigured, rereadIfChanged, confirmSnapshot, listeners } =
    options;
  const recentlyRemoved = trackRecentlyRemoved();
  return {
    record: (files, missing) =>
      db.transaction(() => {
        rows.beginRecording();
        const arrivals = findArrivals(files);
        const moves = detectMoves(arrivals.newcomers, arrivals.gone);
        const diff = writeRows(arrivals.newcomers, moves, missing);
        notifyListeners(diff);
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
        const removed = dropped.map(toDocument);
        notifyListeners({ added: [], changed: [], removed, moved: [] }, (notice) =>
          isPrivate ? notice.about === undefined : true,
        );
      }),
  };

  /**
   * Returns the files whose content is new at their path, and the rows with the same content whose
   * files are gone.
   */
  function findArrivals(files: readonly FileSnapshot[]) {
    const newcomers = new Map<string, Arrival>();
    const goneByHash = new Map<string, DocumentRow[]>();
    const roots = new Map<string, boolean>();
    const isRootConfigured = (root: string): boolean => {
      if (!roots.has(root)) roots.set(root, isConfigured(root));
      return roots.get(root) ?? false;
    };
    const lastOtherRecording = rows.lastRecording() - 1;
    /**
     * TOCTOU check: another process may have recorded or removed the file since it was read, and
     * clocks cannot order the two. The holder of the write lock therefore checks the file again.
     */
    const confirmCurrent = (
      file: FileSnapshot,
      before: DocumentRow | undefined,
    ): FileSnapshot | undefined => {
      if ((before?.recorded ?? lastOtherRecording) <= file.asOf) return file;
      const confirmed = confirmSnapshot(file);
      if (confirmed === "gone") return undefined;
      return confirmed ?? (before ? undefined : file);
    };
    const addSnapshot = (snapshot: FileSnapshot): void => {
      if (!isRootConfigured(snapshot.root)) return;
      const before = rows.atPath(snapshot.root, snapshot.path);
      const file = confirmCurrent(snapshot, before);
      if (!file) return;
      if (before?.hash === file.hash) rows.update(before.id, file);
      else newcomers.set(documentKey(file), { file, before });
    };
    for (const file of files) addSnapshot(file);
    const hashes = [...newcomers.values()].map(({ file }) => file.hash);
    const knownHashes = new Set(rows.knownHashes(hashes));
    for (const hash of hashes) if (!knownHashes.has(hash)) goneByHash.set(hash, []);
    // A row whose file was rewritten becomes an arrival too, so that chains of moves are followed.
    for (const { file } of newcomers.values()) {
      if (goneByHash.has(file.hash)) continue;
      const sameContent = rows.withHash(file.hash, newcomers.size + maxOtherCopies);
      const goneRows = sameContent.filter((row) => {
        if (newcomers.has(documentKey(row))) return false;
        const current = rereadIfChanged(row);
        if (typeof current === "object") addSnapshot(current);
        return current === "gone";
      });
      goneByHash.set(file.hash, goneRows);
    }
    return { newcomers, gone: goneByHash };
  }

  function writeRows(
    arrivals: ReadonlyMap<string, Arrival>,
    moves: ReadonlyMap<Arrival, DocumentRow>,
    missing: readonly DocumentRow[],
  ): IndexDiff {
    const diff: IndexDiff = { added: [], changed: [], removed: [], moved: [] };
    const movedIds = new Set([...moves.values()].map(({ id }) => id));
    const missingById = new Map(missing.map((row) => [row.id, row]));
    for (const row of missingById.values()) {
      const isBack = movedIds.has(row.id) || arrivals.has(documentKey(row));
      if (!isBack && rows.isUnchanged(row)) diff.removed.push(toDocument(row));
    }
    for (const { before } of moves.keys()) {
      if (before && !movedIds.has(before.id)) diff.removed.push(toDocument(before));
    }
    for (const { id } of diff.removed) rows.remove(id);
    rows.move([...moves].map(([{ file }, { id }]) => ({ id, file })));
    for (const arrival of arrivals.values()) {
      const { file, before } = arrival;
      const source = moves.get(arrival);
      if (source) {
        diff.moved.push({ ...toDocumentWithText(source.id, file), from: toDocument(source) });
      } else if (before && !movedIds.has(before.id)) {
        rows.update(before.id, file);
        diff.changed.push(toDocumentWithText(before.id, file));
      } else {
        const id = rows.add(file, recentlyRemoved.take(file.hash));
        diff.added.push(toDocumentWithText(id, file));
      }
    }
    return diff;
  }

  /**
   * Each shelf has its own savepoint: one that throws is marked stale, and the others continue.
   * `lectern doctor` reports stale shelves and rebuilds them.
   */
  function notifyListeners(
    diff: IndexDiff,
    shouldNotify: (notice: Notice) => boolean = () => true,
  ): void {
    const { added, changed, removed, moved } = diff;
    const roots = new Set(
      [...added, ...changed, ...removed, ...moved, ...moved.map(({ from }) => from)].map(
        ({ root }) => root,
      ),
    );
    if (roots.size === 0) return;
    for (const row of removed) recentlyRemoved.remember(row);
    const noticesByRoot = new Map<string, Notice[]>(
      [...roots].map((root) => [root, [{ topic: "documents.changed" }]]),
    );
    for (const shelf of listeners) {
      try {
        for (const { root, notices } of db.transaction(() =>
          runSteps(db, dispatchChanges(shelf, diff)),
        )) {
          for (const notice of notices) noticesByRoot.get(root)?.push(notice);
        }
      } catch (error) {
        log("error", "a shelf could not apply a change", { shelf: shelf.name, cause: error });
        db.run("INSERT OR IGNORE INTO stale_shelves (shelf) VALUES (?)", shelf.name);
      }
    }
    for (const [root, rootNotices] of noticesByRoot) {
      runSteps(db, notices.record(rootNotices.filter(shouldNotify), root));
    }
    runSteps(db, incrementRevision());
  }
}

const toDocument = ({ id, root, path, hash, size, modified }: Document): Document => ({
  id,
  root,
  path,
  hash,
  size,
  modified,
});

const toDocumentWithText = (
  id: number,
  { root, path, hash, size, modified, text }: FileSnapshot,
) => ({
  id,
  root,
  path,
  hash,
  size,
  modified,
  text,
});
