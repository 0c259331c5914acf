import { elementAt } from "../../text/arrays/element-at.ts";
import {
  type DocumentRow,
  type DocumentRows,
  documentKey,
  type FileSnapshot,
  type IdentifiedFile,
} from "../documents/document-rows.ts";
import type { Document } from "../documents/documents.ts";
import { incrementRevision } from "../documents/revision.ts";
import type { Notice, Notices } from "../notices/notices.ts";
import type { Log } from "../runtime/log.ts";
import { run, type Steps, transaction } from "../storage/steps.ts";
import { type DocumentChangeListener, dispatchChanges, type IndexDiff } from "./change-dispatch.ts";
import { type Arrival, detectMoves, trackRecentlyRemoved } from "./move-detection.ts";

/** Writes rows and notifies shelves and clients, in one transaction each. */
export interface Recorder {
  /** Records files that were read, and rows whose files were missing; counts the changes. */
  record(files: readonly FileSnapshot[], missing: readonly DocumentRow[]): Steps<ChangeCounts>;
  /** Removes rows; with `isPrivate`, notices do not name them. */
  drop(rows: readonly DocumentRow[], options?: { isPrivate?: boolean }): Steps<void>;
}

export interface ChangeCounts {
  added: number;
  changed: number;
  removed: number;
  moved: number;
}

export interface RecorderOptions {
  rows: DocumentRows;
  notices: Notices;
  log: Log;
  /** Called before each write: another process may have removed or renamed a root. */
  isConfigured(root: string): boolean;
  /** The file of a row: "gone", a new snapshot if it may have changed, or undefined. */
  rereadIfChanged(row: DocumentRow): Steps<FileSnapshot | "gone" | undefined>;
  /**
   * The current state of a file that was read: "gone", the same or a new snapshot, or undefined if
   * reading it would take long.
   */
  confirmSnapshot(file: FileSnapshot): Steps<FileSnapshot | "gone" | undefined>;
  /** The shelves that receive changes, in this order. */
  listeners: readonly DocumentChangeListener[];
}

/** Maximum number of other documents with the same content to check for one that is gone. */
const maxOtherCopies = 32;

export function openRecorder(options: RecorderOptions): Recorder {
  const { rows, notices, log, isConfigured, rereadIfChanged, confirmSnapshot, listeners } = options;
  const recentlyRemoved = trackRecentlyRemoved();
  return {
    record: (files, missing) =>
      transaction(function* () {
        const recording = yield* rows.beginRecording();
        const arrivals = yield* findArrivals(files, recording);
        const moves = detectMoves(arrivals.newcomers, arrivals.gone);
        const diff = yield* writeRows(arrivals.newcomers, moves, missing, recording);
        yield* notifyListeners(diff);
        const { added, changed, removed, moved } = diff;
        return {
          added: added.length,
          changed: changed.length,
          removed: removed.length,
          moved: moved.length,
        };
      }),
    drop: (dropped, { isPrivate = false } = {}) =>
      transaction(function* () {
        yield* rows.remove(dropped.map(({ id }) => id));
        const removed = dropped.map(toDocument);
        yield* notifyListeners({ added: [], changed: [], removed, moved: [] }, (notice) =>
          isPrivate ? notice.about === undefined : true,
        );
      }),
  };

  /**
   * Returns the files whose content is new at their path, and the rows with the same content whose
   * files are gone. Files with the recorded content are only updated.
   */
  function* findArrivals(
    files: readonly FileSnapshot[],
    recording: number,
  ): Steps<{ newcomers: Map<string, Arrival>; gone: Map<string, DocumentRow[]> }> {
    const newcomers = new Map<string, Arrival>();
    const goneByHash = new Map<string, DocumentRow[]>();
    const roots = new Map<string, boolean>();
    let known: IdentifiedFile[] = [];
    const isRootConfigured = (root: string): boolean => {
      if (!roots.has(root)) roots.set(root, isConfigured(root));
      return roots.get(root) ?? false;
    };
    /**
     * TOCTOU check: another process may have recorded or removed the file since it was read, and
     * clocks cannot order the two. The holder of the write lock therefore checks the file again.
     */
    function* confirmCurrent(
      file: FileSnapshot,
      before: DocumentRow | undefined,
    ): Steps<FileSnapshot | undefined> {
      if ((before?.recorded ?? recording - 1) <= file.asOf) return file;
      const confirmed = yield* confirmSnapshot(file);
      if (confirmed === "gone") return undefined;
      return confirmed ?? (before ? undefined : file);
    }
    function* addSnapshot(snapshot: FileSnapshot, before: DocumentRow | undefined): Steps<void> {
      if (!isRootConfigured(snapshot.root)) return;
      const file = yield* confirmCurrent(snapshot, before);
      if (!file) return;
      if (before?.hash === file.hash) known.push({ id: before.id, file });
      else newcomers.set(documentKey(file), { file, before });
    }
    const rowsBefore = yield* rows.atPaths(files);
    for (const file of files) yield* addSnapshot(file, rowsBefore.get(documentKey(file)));
    // A row whose file was rewritten becomes an arrival too, so that chains of moves are followed.
    for (;;) {
      yield* rows.update(known, recording);
      known = [];
      const hashes = new Set([...newcomers.values()].map(({ file }) => file.hash));
      for (const hash of goneByHash.keys()) hashes.delete(hash);
      if (hashes.size === 0) return { newcomers, gone: goneByHash };
      const sameContent = yield* rows.withHashes([...hashes], newcomers.size + maxOtherCopies);
      for (const hash of hashes) goneByHash.set(hash, []);
      for (const row of sameContent) {
        if (newcomers.has(documentKey(row))) continue;
        const current = yield* rereadIfChanged(row);
        if (current === "gone") goneByHash.get(row.hash)?.push(row);
        else if (current) yield* addSnapshot(current, row);
      }
    }
  }

  function* writeRows(
    arrivals: ReadonlyMap<string, Arrival>,
    moves: ReadonlyMap<Arrival, DocumentRow>,
    missing: readonly DocumentRow[],
    recording: number,
  ): Steps<IndexDiff> {
    const diff: IndexDiff = { added: [], changed: [], removed: [], moved: [] };
    const movedIds = new Set([...moves.values()].map(({ id }) => id));
    const missingById = new Map(missing.map((row) => [row.id, row]));
    const isBack = (row: DocumentRow) => movedIds.has(row.id) || arrivals.has(documentKey(row));
    const vanished = [...missingById.values()].filter((row) => !isBack(row));
    const unchanged = yield* rows.unchangedIds(vanished);
    for (const row of vanished) if (unchanged.has(row.id)) diff.removed.push(toDocument(row));
    for (const { before } of moves.keys()) {
      if (before && !movedIds.has(before.id)) diff.removed.push(toDocument(before));
    }
    yield* rows.remove(diff.removed.map(({ id }) => id));
    const moved = [...moves].map(([{ file }, { id }]) => ({ id, file }));
    yield* rows.move(moved, recording);
    const changed: IdentifiedFile[] = [];
    const added: FileSnapshot[] = [];
    for (const arrival of arrivals.values()) {
      const { file, before } = arrival;
      const source = moves.get(arrival);
      if (source) {
        diff.moved.push({ ...toDocumentWithText(source.id, file), from: toDocument(source) });
      } else if (before && !movedIds.has(before.id)) {
        changed.push({ id: before.id, file });
        diff.changed.push(toDocumentWithText(before.id, file));
      } else {
        added.push(file);
      }
    }
    yield* rows.update(changed, recording);
    const ids = yield* rows.newIds(added.map(({ hash }) => recentlyRemoved.take(hash)));
    const identified = added.map((file, index) => ({ id: elementAt(ids, index), file }));
    yield* rows.add(identified, recording);
    for (const { id, file } of identified) diff.added.push(toDocumentWithText(id, file));
    return diff;
  }

  /**
   * Each shelf has its own savepoint: one that throws is marked stale, and the others continue.
   * `lectern doctor` reports stale shelves and rebuilds them.
   */
  function* notifyListeners(
    diff: IndexDiff,
    shouldNotify: (notice: Notice) => boolean = () => true,
  ): Steps<void> {
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
        const dispatched = yield* transaction(() => dispatchChanges(shelf, diff));
        for (const { root, notices } of dispatched) noticesByRoot.get(root)?.push(...notices);
      } catch (error) {
        log("error", "a shelf could not apply a change", { shelf: shelf.name, cause: error });
        yield* run(
          "INSERT INTO stale_shelves (shelf) VALUES (?) ON CONFLICT DO NOTHING",
          shelf.name,
        );
      }
    }
    for (const [root, rootNotices] of noticesByRoot) {
      yield* notices.record(rootNotices.filter(shouldNotify), root);
    }
    yield* incrementRevision();
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
