import type { FoundFile } from "../indexing/walk.ts";
import { checksumOfRow } from "../integrity/checksum.ts";
import {
  addDamagedDocuments,
  type IntegrityCheck,
  nextDocumentRange,
} from "../integrity/damage.ts";
import { all, get, inNumbers, insertAll, run, runForEach, type Steps } from "../storage/steps.ts";
import type { Document, DocumentPath } from "./documents.ts";

/** A document's row, with the data that shows whether its file must be read again. */
export interface DocumentRow extends Document {
  changed: number;
  /** When the file was last read, by the system clock. */
  seen: number;
  /** The number of the recording that wrote the row. */
  recorded: number;
}

/** A file read within this time of its last write may change again without a new mtime. */
export const timestampRaceMs = 2_000;

/**
 * Whether a file may differ from its row. Times are only compared for equality. An equal stat is
 * trusted only if the recorded times are in order: the file was written, read at least
 * `timestampRaceMs` later, and is checked after that. They are not if the clock was set back; then
 * the content is compared.
 */
export function mayHaveChanged(row: DocumentRow, file: FoundFile, now = Date.now()): boolean {
  const isInOrder = row.modified + timestampRaceMs <= row.seen && row.seen <= now;
  return !isSameStat(row, file) || !isInOrder;
}

/** Whether two stats are equal. The ctime also detects a change after which the mtime was restored. */
export const isSameStat = (a: FileStat, b: FileStat): boolean =>
  a.size === b.size && a.modified === b.modified && a.changed === b.changed;

type FileStat = Pick<FoundFile, "size" | "modified" | "changed">;

/** The stat, text and hash of a file at one moment, to be recorded. */
export interface FileSnapshot extends FoundFile {
  root: string;
  text: string;
  hash: string;
  /** The time before the file was opened, by the system clock. */
  seen: number;
  /** The last recording before the file was opened; a row of a later recording may be newer. */
  asOf: number;
}

/** A file to be recorded as the document with this id. */
export interface IdentifiedFile {
  id: number;
  file: FileSnapshot;
}

/**
 * The rows of all documents, including those that this process does not show. Rows are read and
 * written many at once, because each statement costs a round trip to PostgreSQL.
 */
export interface DocumentRows {
  /** The roots that have documents. */
  roots(): Steps<string[]>;
  inRoot(root: string): Steps<DocumentRow[]>;
  atPath(root: string, path: string): Steps<DocumentRow | undefined>;
  /** The rows at these paths, by `documentKey`. */
  atPaths(paths: readonly DocumentPath[]): Steps<Map<string, DocumentRow>>;
  /** The rows at and below a path; the empty path is the whole root. */
  atOrBelowPath(root: string, path: string): Steps<DocumentRow[]>;
  /** For each hash the rows with this content, least recently recorded first. */
  withHashes(hashes: readonly string[], limit: number): Steps<DocumentRow[]>;
  /** The ids of those rows that have not been changed since they were read. */
  unchangedIds(rows: readonly DocumentRow[]): Steps<Set<number>>;
  /** The number of the last recording of any process. */
  lastRecording(): Steps<number>;
  /** Starts a recording in this transaction, and returns its number. */
  beginRecording(): Steps<number>;
  /** The ids for new documents: the former ones if they are free. */
  newIds(formerIds: readonly (number | undefined)[]): Steps<number[]>;
  add(files: readonly IdentifiedFile[], recording: number): Steps<void>;
  update(files: readonly IdentifiedFile[], recording: number): Steps<void>;
  /** Changes the paths of rows together, so that two can swap paths. */
  move(files: readonly IdentifiedFile[], recording: number): Steps<void>;
  remove(ids: readonly number[]): Steps<void>;
  /** Returns the number of renamed rows. */
  renameRoot(from: string, to: string): Steps<number>;
  /** Makes the rows differ from their files, so that the files are read and indexed again. */
  markOutdated(ids: Iterable<number>): Steps<void>;
}

const documentColumns = "id, root, path, hash, size, modified, changed, seen, recorded";
/** `json_each` has columns of the same names. */
const qualifiedColumns = documentColumns.replace(/\w+/g, "documents.$&");
const select = `SELECT ${documentColumns} FROM main.documents`;

/** A loose index scan from each root to the next, because a full scan is slow. */
const selectRoots = `WITH RECURSIVE next (root) AS (
    SELECT min(root) FROM main.documents
    UNION ALL
    SELECT (SELECT min(root) FROM main.documents WHERE root > next.root)
      FROM next WHERE next.root IS NOT NULL
  )
  SELECT root FROM next WHERE root IS NOT NULL`;

const atGivenPaths = "documents.root = given.value ->> 0 AND documents.path = given.value ->> 1";

const selectAtPaths = {
  sqlite: `SELECT ${qualifiedColumns} FROM json_each(?) AS given
    CROSS JOIN main.documents WHERE ${atGivenPaths}`,
  postgres: `SELECT ${documentColumns} FROM jsonb_array_elements(?::jsonb) AS given (value)
    JOIN main.documents ON ${atGivenPaths}`,
};

const selectWithHashes = {
  sqlite: `SELECT ${qualifiedColumns} FROM json_each(?1) AS given
    CROSS JOIN main.documents WHERE documents.id IN
      (SELECT id FROM main.documents WHERE hash = given.value ORDER BY recorded LIMIT ?2)
    ORDER BY recorded`,
  postgres: `SELECT found.* FROM jsonb_array_elements_text(?1::jsonb) AS given (value)
    CROSS JOIN LATERAL (${select} WHERE hash = given.value ORDER BY recorded LIMIT ?2) AS found
    ORDER BY recorded`,
};

/** In byte order `0` follows `/`; names such as `a-b` sort between `a` and `a/`. */
const selectAtOrBelow = `${select} WHERE root = ?1 AND path >= ?2 AND path < ?2 || '0'
    AND (path = ?2 OR path > ?2 || '/') ORDER BY path`;

/** The first of as many unused ids as the parameter says. Ids are never reused. */
const reserveIds = {
  sqlite: `SELECT 1 + max(coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'documents'), 0),
      coalesce((SELECT max(id) FROM main.documents), 0)) AS first, ? AS count`,
  postgres: `SELECT min(nextval(pg_get_serial_sequence('documents', 'id'))) AS first
      FROM generate_series(1, ?::bigint)`,
};

const fileColumns = ["root", "path", "hash", "size", "modified", "changed", "seen"] as const;

const fileTypes: Partial<Record<(typeof fileColumns)[number], string>> = {
  size: "bigint",
  modified: "double precision",
  changed: "double precision",
  seen: "double precision",
};

const updateRow = {
  sqlite: `UPDATE main.documents SET ${fileColumns.map((column) => `${column} = ?`).join(", ")},
      sum = ?, recorded = ? WHERE id = ?`,
  postgres: `UPDATE main.documents SET
      ${fileColumns
        .map(
          (column, index) =>
            `${column} = (given.value ->> ${index})::${fileTypes[column] ?? "text"}`,
        )
        .join(", ")},
      sum = (given.value ->> 7)::bigint, recorded = (given.value ->> 8)::bigint
    FROM jsonb_array_elements(?::jsonb) AS given (value)
   WHERE id = (given.value ->> 9)::bigint`,
};

const renameRow = {
  sqlite: "UPDATE main.documents SET root = ?, sum = ? WHERE id = ?",
  postgres: `UPDATE main.documents
      SET root = given.value ->> 0, sum = (given.value ->> 1)::bigint
    FROM jsonb_array_elements(?::jsonb) AS given (value)
   WHERE id = (given.value ->> 2)::bigint`,
};

const valuesOf = (file: FileSnapshot, recording: number) => [
  ...fileColumns.map((column) => file[column]),
  rowChecksum(file),
  recording,
];

export const openDocumentRows = (): DocumentRows => ({
  *roots() {
    return (yield* all<{ root: string }>(selectRoots)).map(({ root }) => root);
  },
  inRoot: (root) => all(`${select} WHERE root = ? ORDER BY path`, root),
  atPath: (root, path) => get(`${select} WHERE root = ? AND path = ?`, root, path),
  *atPaths(paths) {
    if (paths.length === 0) return new Map();
    const given = JSON.stringify(paths.map(({ root, path }) => [root, path]));
    const rows = yield* all<DocumentRow>(selectAtPaths, given);
    return new Map(rows.map((row) => [documentKey(row), row]));
  },
  atOrBelowPath(root, path) {
    return path === "" ? this.inRoot(root) : all(selectAtOrBelow, root, path);
  },
  withHashes: (hashes, limit) => all(selectWithHashes, JSON.stringify(hashes), limit),
  *unchangedIds(rows) {
    if (rows.length === 0) return new Set();
    const current = yield* all<DocumentRow>(
      `SELECT id, root, path, recorded FROM main.documents WHERE id ${inNumbers("?")}`,
      JSON.stringify(rows.map(({ id }) => id)),
    );
    const currentById = new Map(current.map((row) => [row.id, row]));
    const isUnchanged = ({ id, root, path, recorded }: DocumentRow): boolean => {
      const now = currentById.get(id);
      return now?.root === root && now.path === path && now.recorded === recorded;
    };
    return new Set(rows.filter(isUnchanged).map(({ id }) => id));
  },
  *lastRecording() {
    return (yield* get<{ number: number }>("SELECT number FROM recordings"))?.number ?? 0;
  },
  *beginRecording() {
    const next =
      (yield* get<{ number: number }>(
        "UPDATE recordings SET number = number + 1 RETURNING number",
      )) ??
      (yield* get<{ number: number }>(
        `INSERT INTO recordings SELECT coalesce(max(recorded), 0) + 1 FROM main.documents
         RETURNING number`,
      ));
    return next?.number ?? 0;
  },
  *newIds(formerIds) {
    const wanted = formerIds.filter((id) => id !== undefined);
    const taken = yield* existingIds(wanted);
    const isFree = (id: number | undefined) => id !== undefined && !taken.has(id);
    const missing = formerIds.filter((id) => !isFree(id)).length;
    const { first } = (missing > 0 && (yield* get<{ first: number }>(reserveIds, missing))) || {
      first: 0,
    };
    let next = first;
    return formerIds.map((id) => (id !== undefined && isFree(id) ? id : next++));
  },
  *add(files, recording) {
    yield* insertAll(
      `INSERT INTO main.documents (${fileColumns.join(", ")}, sum, recorded, id)`,
      files.map(({ id, file }) => [...valuesOf(file, recording), id]),
    );
  },
  update: updateRows,
  *move(files, recording) {
    if (files.length === 0) return;
    // Temporary unique paths: no real path begins with a slash.
    yield* run(
      `UPDATE main.documents SET path = '/' || id WHERE id ${inNumbers("?")}`,
      JSON.stringify(files.map(({ id }) => id)),
    );
    yield* updateRows(files, recording);
  },
  *remove(ids) {
    if (ids.length === 0) return;
    yield* run(`DELETE FROM main.documents WHERE id ${inNumbers("?")}`, JSON.stringify(ids));
  },
  *renameRoot(from, to) {
    const renamed = yield* all<DocumentRow>(`${select} WHERE root = ?`, from);
    yield* runForEach(
      renameRow,
      renamed.map((row) => [to, rowChecksum({ ...row, root: to }), row.id]),
    );
    return renamed.length;
  },
  *markOutdated(ids) {
    yield* run(
      `UPDATE main.documents SET hash = '', size = -1 WHERE id ${inNumbers("?")}`,
      JSON.stringify([...ids]),
    );
  },
});

function* existingIds(ids: readonly number[]): Steps<Set<number>> {
  if (ids.length === 0) return new Set();
  const rows = yield* all<{ id: number }>(
    `SELECT id FROM main.documents WHERE id ${inNumbers("?")}`,
    JSON.stringify(ids),
  );
  return new Set(rows.map(({ id }) => id));
}

const updateRows = (files: readonly IdentifiedFile[], recording: number): Steps<void> =>
  runForEach(
    updateRow,
    files.map(({ id, file }) => [...valuesOf(file, recording), id]),
  );

export const documentIntegrity: IntegrityCheck = {
  name: "documents",
  verify(db, after, damage) {
    const { range, next } = nextDocumentRange(db, after, 250);
    const rows = db.all<DocumentRow & { sum: number }>(
      `SELECT ${documentColumns}, sum FROM main.documents WHERE id > ? AND id <= ?`,
      range.after,
      range.upTo,
    );
    const damaged = rows.filter((row) => rowChecksum(row) !== row.sum);
    addDamagedDocuments(
      damage,
      "rows",
      damaged.map(({ id }) => id),
    );
    return { next, rows: rows.length };
  },
};

const rowChecksum = (row: Omit<Document, "id"> & { changed: number; seen: number }): number =>
  checksumOfRow([row.root, row.path, row.hash, row.size, row.modified, row.changed, row.seen]);

/** The root and path of a row or file as a key. Root names contain no slash. */
export const documentKey = ({ root, path }: DocumentPath): string => `${root}/${path}`;
