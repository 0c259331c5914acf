import type { Database } from "./database.ts";
import { derived } from "./tables.ts";

/** A folder whose documents are kept in the index; collections are roots. */
export interface Root {
  readonly name: string;
  readonly path: string;
  readonly pattern: string;
  readonly ignore?: readonly string[] | undefined;
  /** It is read only while its folder really lies in this one: the force root, where that holds it. */
  readonly within?: string | undefined;
}

/** One file under a root, as it was when it was last read. */
export interface Document {
  id: number;
  root: string;
  /** Relative to the root, with forward slashes. */
  path: string;
  /** SHA-256 of the bytes, in hexadecimal. */
  hash: string;
  size: number;
  /** Milliseconds since 1970, with the file system's fraction. */
  modified: number;
}

/** The only event between the kernel and the shelves, made once per settled batch. */
export interface DocumentChanges {
  added: (Document & { text: string })[];
  changed: (Document & { text: string })[];
  removed: Document[];
}

/** A document at another path of its root than before, with the same id and the same text. */
export interface MovedDocument extends Document {
  text: string;
  formerPath: string;
}

export interface Place {
  root: string;
  path: string;
}

/** Which documents a list begins with, in the order of root and path. */
interface Listing {
  root?: string | undefined;
  /** The last one that was seen before. */
  after?: Place | undefined;
}

/** Reads about documents. Only the intake writes their rows. */
export interface Documents {
  find(root: string, path: string): Document | undefined;
  byId(id: number): Document | undefined;
  list(listing: Listing, limit: number): Document[];
  count(listing?: Listing): number;
  /** Every document as `root/path`. */
  paths(): string[];
  /** When a root's documents were last read, in milliseconds; 0 for an empty root. */
  lastRead(root: string): number;
}

/** An id is never given twice, so that a document that comes back can have its own again. */
export const documentTables = derived(
  3,
  `CREATE TABLE documents (
     id INTEGER PRIMARY KEY AUTOINCREMENT,
     root TEXT NOT NULL,
     path TEXT NOT NULL,
     hash TEXT NOT NULL,
     size INTEGER NOT NULL,
     modified REAL NOT NULL,
     -- The ctime of the file.
     changed REAL NOT NULL DEFAULT 0,
     -- By the clock of the machine, which may go back.
     seen REAL NOT NULL,
     -- The number of the recording that wrote the row: the order of writes in all processes.
     recorded INTEGER NOT NULL DEFAULT 0,
     -- Over all that tells whether the file must be read again.
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
   );`,
);

const columns = "id, root, path, hash, size, modified";

const listed = "(?1 IS NULL OR root = ?1) AND (root, path) > (?2, ?3)";

const placeOf = ({ root, after }: Listing) =>
  [root ?? null, after?.root ?? "", after?.path ?? ""] as const;

export function openDocuments(db: Database): Documents {
  return {
    find: (root, path) =>
      db.get(`SELECT ${columns} FROM documents WHERE root = ? AND path = ?`, root, path),
    byId: (id) => db.get(`SELECT ${columns} FROM documents WHERE id = ?`, id),
    list: (listing, limit) =>
      db.all(
        `SELECT ${columns} FROM documents WHERE ${listed} ORDER BY root, path LIMIT ?4`,
        ...placeOf(listing),
        limit,
      ),
    count: (listing = {}) =>
      db.get<{ count: number }>(
        `SELECT count(*) AS count FROM documents WHERE ${listed}`,
        ...placeOf(listing),
      )?.count ?? 0,
    paths: () =>
      db
        .all<{ name: string }>("SELECT root || '/' || path AS name FROM documents ORDER BY name")
        .map(({ name }) => name),
    lastRead: (root) =>
      db.get<{ seen: number | null }>(
        "SELECT max(seen) AS seen FROM documents WHERE root = ?",
        root,
      )?.seen ?? 0,
  };
}
