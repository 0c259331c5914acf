import { derivedTables } from "../storage/migrations.ts";
import { all, get, type Steps } from "../storage/steps.ts";

/** A folder whose documents are indexed; collections are roots. */
export interface Root {
  readonly name: string;
  readonly path: string;
  readonly pattern: string;
  readonly ignore?: readonly string[] | undefined;
  /** If set, the root is read only while its real path is inside this folder, the force root. */
  readonly within?: string | undefined;
}

/** One file under a root, as of the last time it was read. */
export interface Document {
  id: number;
  root: string;
  /** Relative to the root, with forward slashes. */
  path: string;
  /** SHA-256 of the bytes, in hexadecimal. */
  hash: string;
  size: number;
  /** Milliseconds since 1970, with the fraction that the file system reports. */
  modified: number;
}

/** The only event that the kernel sends to shelves, once per debounced batch. */
export interface DocumentChanges {
  added: (Document & { text: string })[];
  changed: (Document & { text: string })[];
  removed: Document[];
}

/** A renamed document: another path in the same root, with the same id and text. */
export interface MovedDocument extends Document {
  text: string;
  formerPath: string;
}

export interface DocumentPath {
  root: string;
  path: string;
}

/** Selects documents in the order of root and path. */
interface DocumentFilter {
  root?: string | undefined;
  /** The last document of the previous page. */
  after?: DocumentPath | undefined;
}

/** Read access to documents. Only the indexer writes them. */
export interface Documents {
  find(root: string, path: string): Steps<Document | undefined>;
  byId(id: number): Steps<Document | undefined>;
  list(listing: DocumentFilter, limit: number): Steps<Document[]>;
  count(listing?: DocumentFilter): Steps<number>;
  /** Every document as `root/path`. */
  paths(): Steps<string[]>;
  /** When a root's documents were last read, in milliseconds; 0 for an empty root. */
  lastRead(root: string): Steps<number>;
}

/** Ids are never reused, so that a document that reappears can have its former id. */
export const documentTables = derivedTables(
  4,
  `CREATE TABLE documents (
     id INTEGER PRIMARY KEY AUTOINCREMENT,
     root TEXT NOT NULL,
     path TEXT NOT NULL,
     hash TEXT NOT NULL,
     size INTEGER NOT NULL,
     modified REAL NOT NULL,
     -- The ctime of the file.
     changed REAL NOT NULL DEFAULT 0,
     -- When the file was last read, by the system clock, which can be set back.
     seen REAL NOT NULL,
     -- The number of the recording that wrote the row: the order of writes in all processes.
     recorded INTEGER NOT NULL DEFAULT 0,
     -- A checksum of the columns above except id and recorded.
     sum INTEGER NOT NULL DEFAULT 0,
     UNIQUE (root, path)
   );
   CREATE INDEX documents_by_hash ON documents (hash, recorded);
   CREATE TABLE recordings (number INTEGER NOT NULL);
   INSERT INTO recordings VALUES (0);
   CREATE TABLE whole_roots (
     root TEXT PRIMARY KEY,
     definition TEXT NOT NULL,
     listing TEXT,
     skipped TEXT,
     remembered REAL NOT NULL DEFAULT 0,
     compared REAL NOT NULL DEFAULT 0,
     took REAL NOT NULL DEFAULT 0
   );
   CREATE TABLE reported_skips (
     root TEXT NOT NULL,
     path TEXT NOT NULL,
     reason TEXT NOT NULL,
     PRIMARY KEY (root, path)
   ) WITHOUT ROWID;`,
);

const documentColumns = "id, root, path, hash, size, modified";

const filterCondition = "(root = ?1 OR ?1 IS NULL) AND (root, path) > (?2, ?3)";

const filterValues = ({ root, after }: DocumentFilter) =>
  [root ?? null, after?.root ?? "", after?.path ?? ""] as const;

/** Parsing one value is faster than reading a row for each document. */
const selectPaths = {
  sqlite:
    "SELECT json_group_array(root || '/' || path ORDER BY root || '/' || path) AS names FROM documents",
  postgres:
    "SELECT json_agg(root || '/' || path ORDER BY root || '/' || path)::text AS names FROM documents",
};

export const openDocuments = (): Documents => ({
  find: (root, path) =>
    get(`SELECT ${documentColumns} FROM documents WHERE root = ? AND path = ?`, root, path),
  byId: (id) => get(`SELECT ${documentColumns} FROM documents WHERE id = ?`, id),
  list: (listing, limit) =>
    all(
      `SELECT ${documentColumns} FROM documents WHERE ${filterCondition} ORDER BY root, path LIMIT ?4`,
      ...filterValues(listing),
      limit,
    ),
  *count({ root, after } = {}) {
    const select = "SELECT count(*) AS count FROM documents";
    type Count = { count: number };
    // Counting without a condition, or by the index, is many times faster.
    const row = after
      ? yield* get<Count>(`${select} WHERE ${filterCondition}`, ...filterValues({ root, after }))
      : root === undefined
        ? yield* get<Count>(select)
        : yield* get<Count>(`${select} WHERE root = ?`, root);
    return row?.count ?? 0;
  },
  *paths() {
    const row = yield* get<{ names: string | null }>(selectPaths);
    return JSON.parse(row?.names ?? "[]");
  },
  *lastRead(root) {
    const row = yield* get<{ seen: number | null }>(
      "SELECT max(seen) AS seen FROM documents WHERE root = ?",
      root,
    );
    return row?.seen ?? 0;
  },
});
