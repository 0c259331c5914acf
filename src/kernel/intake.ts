import { lstatSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { decode } from "../text/decoding.ts";
import { type Boundary, contains } from "./boundary.ts";
import type { Database } from "./database.ts";
import type { Document, DocumentChanges, Root } from "./documents.ts";
import { Failure } from "./failure.ts";
import type { Log } from "./log.ts";
import type { Notice, Notices } from "./notices.ts";
import { type FoundFile, foundAt, walk } from "./walk.ts";

/** The way from files on disk to the shelves: read, hash, and hand over one diff per batch. */
export interface Intake {
  /** Compares whole roots with what is known of them. */
  scan(roots: readonly Root[], options?: ScanOptions): Promise<ScanResult>;
  /** Looks at single places that a watcher named. */
  lookAt(roots: readonly Root[], places: readonly string[]): Promise<ScanResult>;
  /** Those of the roots that were never read to their end, or not as they are defined now. */
  unread(roots: readonly Root[]): Root[];
  /** Drops all documents of a root. */
  forget(root: string): void;
  /**
   * Drops the documents of roots that are configured no longer. They are asked for inside the
   * transaction, so that what another process has just added stays.
   */
  forgetAllBut(roots: () => readonly Root[]): void;
  /** Gives a root another name without reading it again. */
  rename(from: string, to: string): void;
}

interface ScanOptions {
  signal?: AbortSignal | undefined;
  onProgress?: ((done: number) => void) | undefined;
}

interface ScanResult {
  added: number;
  changed: number;
  removed: number;
  /** Files that are there but could not be read as text, with the reason. */
  skipped: { path: string; reason: string }[];
  /** True where the signal ended the scan before its end. */
  partial: boolean;
}

export interface IntakeParts {
  db: Database;
  boundary: Boundary;
  notices: Notices;
  log: Log;
  /** Asked before each write: another process may have removed or renamed a root meanwhile. */
  isConfigured(root: string): boolean;
  /** Who takes in changes, in this order. */
  absorbers: readonly Absorber[];
}

export interface Absorber {
  name: string;
  absorb(changes: DocumentChanges): Notice[];
}

/** A batch is small enough that neither a reader nor another writer waits long for its commit. */
const batchFiles = 200;
const batchBytes = 2_000_000;

/** A larger file is no document; taking it in would hold everybody up. */
const mostBytes = 16 * 1024 * 1024;

/** A file written within this time of being read may change again without its time telling. */
const raceMs = 2_000;

export function openIntake(parts: IntakeParts): Intake {
  const { db, boundary, notices, log, isConfigured, absorbers } = parts;
  return {
    async scan(roots, { signal, onProgress } = {}) {
      const result = emptyResult();
      for (const root of roots) {
        if (!isFolder(root.path)) {
          result.skipped.push({ path: root.name, reason: "its folder is not there" });
        }
        const known = new Map(rowsOf(root.name).map((row) => [row.path, row]));
        const batch = makeBatch(root, result, onProgress);
        for (const file of walk(root)) {
          if (signal?.aborted) return { ...result, partial: true };
          const row = known.get(file.path);
          known.delete(file.path);
          if (!row || mayDiffer(row, file)) await batch.add(file);
        }
        await batch.commit([...known.values()]);
        rememberWhole(root);
      }
      return result;
    },
    unread,
    async lookAt(roots, places) {
      const result = emptyResult();
      for (const root of roots) {
        const batch = makeBatch(root, result, undefined);
        const gone: Row[] = [];
        for (const path of pathsUnder(root, places)) {
          const { files, missing } = compareAt(root, path);
          gone.push(...missing);
          for (const file of files) await batch.add(file);
        }
        await batch.commit(gone);
      }
      return result;
    },
    forget,
    forgetAllBut(roots) {
      db.transaction(() => {
        const kept = new Set(roots().map(({ name }) => name));
        const known = db.all<{ root: string }>("SELECT DISTINCT root FROM main.documents");
        for (const { root } of known) if (!kept.has(root)) forget(root);
      });
    },
    rename(from, to) {
      db.transaction(() => {
        db.run("UPDATE main.documents SET root = ? WHERE root = ?", to, from);
        db.run("UPDATE OR REPLACE whole_roots SET root = ? WHERE root = ?", to, from);
      });
    },
  };

  function unread(roots: readonly Root[]): Root[] {
    const rows = db.all<{ root: string; definition: string }>("SELECT * FROM whole_roots");
    const whole = new Map(rows.map(({ root, definition }) => [root, definition]));
    return roots.filter((root) => whole.get(root.name) !== definitionOf(root));
  }

  function rememberWhole(root: Root): void {
    if (unread([root]).length === 0) return;
    db.transaction(() => {
      if (!isConfigured(root.name)) return;
      db.run(
        "INSERT OR REPLACE INTO whole_roots (root, definition) VALUES (?, ?)",
        root.name,
        definitionOf(root),
      );
    });
  }

  function forget(root: string): void {
    db.transaction(() => {
      apply({ added: [], changed: [], removed: rowsOf(root) });
      db.run("DELETE FROM whole_roots WHERE root = ?", root);
    });
  }

  function rowsOf(root: string): Row[] {
    return db.all<Row>("SELECT * FROM main.documents WHERE root = ?", root);
  }

  /** What is at one path now, against the rows at it and below it. */
  function compareAt(root: Root, path: string): { files: FoundFile[]; missing: Row[] } {
    const rows = db.all<Row>(
      "SELECT * FROM main.documents WHERE root = ?1 AND (path = ?2 OR substr(path, 1, ?3) = ?2 || '/')",
      root.name,
      path,
      path.length + 1,
    );
    const files = isFolder(join(root.path, path)) ? [...walk(root, path)] : [foundAt(root, path)];
    const found = new Map(files.flatMap((file) => (file ? [[file.path, file] as const] : [])));
    return {
      files: [...found.values()],
      missing: rows.filter((row) => !found.has(row.path)),
    };
  }

  function makeBatch(root: Root, result: ScanResult, onProgress: ScanOptions["onProgress"]) {
    let files: FoundFile[] = [];
    let bytes = 0;
    let done = 0;
    const commit = async (removed: Row[]) => {
      const read = files.flatMap((file) => readOne(root, file, result) ?? []);
      if (read.length > 0 || removed.length > 0) record(root, read, removed, result);
      done += files.length;
      onProgress?.(done);
      files = [];
      bytes = 0;
      // Between batches the process answers calls, and other processes may write.
      await new Promise((resolve) => setImmediate(resolve));
    };
    return {
      async add(file: FoundFile) {
        files.push(file);
        bytes += file.size;
        if (files.length >= batchFiles || bytes >= batchBytes) await commit([]);
      },
      commit,
    };
  }

  function readOne(root: Root, file: FoundFile, result: ScanResult): ReadFile | undefined {
    const skip = (reason: string): undefined => {
      result.skipped.push({ path: `${root.name}/${file.path}`, reason });
      log("warn", "skipped a file", { file: `${root.name}/${file.path}`, reason });
    };
    try {
      const bytes = boundary.readFile(join(root.path, file.path), root.path, mostBytes);
      const text = decode(bytes);
      if (text === undefined) return skip("it is not text");
      const hash = hashOf(bytes);
      return { ...file, root: root.name, text, hash, size: bytes.length };
    } catch (error) {
      return skip(error instanceof Failure ? error.message : "it cannot be read");
    }
  }

  /** Another process may have recorded the same files meanwhile; the transaction looks again. */
  function record(root: Root, files: ReadFile[], removed: Row[], result: ScanResult): void {
    db.transaction(() => {
      if (!isConfigured(root.name)) return;
      const changes: DocumentChanges = { added: [], changed: [], removed: [] };
      for (const file of files) {
        const before = db.get<Row>(
          "SELECT * FROM main.documents WHERE root = ? AND path = ?",
          file.root,
          file.path,
        );
        const id = upsert(file);
        if (before?.hash === file.hash) continue;
        const { root, path, hash, size, modified, text } = file;
        const list = before ? changes.changed : changes.added;
        list.push({ id, root, path, hash, size, modified, text });
      }
      for (const row of removed) {
        if (db.get("SELECT 1 FROM main.documents WHERE id = ?", row.id)) changes.removed.push(row);
      }
      apply(changes);
      result.added += changes.added.length;
      result.changed += changes.changed.length;
      result.removed += changes.removed.length;
    });
    notices.deliver();
  }

  function upsert({ root, path, hash, size, modified }: ReadFile): number {
    const row = db.get<{ id: number }>(
      `INSERT INTO main.documents (root, path, hash, size, modified, seen) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (root, path) DO UPDATE SET
         hash = excluded.hash, size = excluded.size,
         modified = excluded.modified, seen = excluded.seen
       RETURNING id`,
      root,
      path,
      hash,
      size,
      modified,
      Date.now(),
    );
    if (!row) throw new Error("An upsert returned no row.");
    return row.id;
  }

  /**
   * Each shelf has its own savepoint: one that throws is marked stale, and the others go on.
   * `lectern doctor` names a stale shelf and fills it anew.
   */
  function apply(changes: DocumentChanges): void {
    const { added, changed, removed } = changes;
    if (added.length + changed.length + removed.length === 0) return;
    db.transaction(() => {
      for (const row of removed) db.run("DELETE FROM main.documents WHERE id = ?", row.id);
      const told: Notice[] = [{ topic: "documents.changed" }];
      for (const { name, absorb } of absorbers) {
        try {
          told.push(...db.transaction(() => absorb(changes)));
        } catch (error) {
          log("error", "a shelf could not take in a change", { shelf: name, cause: error });
          db.run("INSERT OR IGNORE INTO stale_shelves (shelf) VALUES (?)", name);
        }
      }
      const root = [...added, ...changed, ...removed][0]?.root;
      notices.record(told, root);
    });
  }
}

/** All that decides which files belong to a root. */
const definitionOf = ({ path, pattern, ignore = [] }: Root): string =>
  JSON.stringify([path, pattern, ignore]);

type Row = Document & { seen: number };
type ReadFile = FoundFile & { root: string; text: string; hash: string };

const emptyResult = (): ScanResult => ({
  added: 0,
  changed: 0,
  removed: 0,
  skipped: [],
  partial: false,
});

function mayDiffer(row: Row, file: FoundFile): boolean {
  const same = row.size === file.size && row.modified === file.modified;
  return !same || row.seen < row.modified + raceMs;
}

/** Loaded at the first file: a search never needs it, and it costs 6 ms. */
export const hashOf = (bytes: Uint8Array): string =>
  process.getBuiltinModule("node:crypto").createHash("sha256").update(bytes).digest("hex");

/** The places that lie under a root, relative to it and without repetition. */
function pathsUnder(root: Root, places: readonly string[]): string[] {
  const inside = places.filter((place) => contains(root.path, place));
  return [...new Set(inside.map((place) => relative(root.path, place).split(sep).join("/")))];
}

function isFolder(place: string): boolean {
  return lstatSync(place, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
