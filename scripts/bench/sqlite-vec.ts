import { createRequire } from "node:module";
import { join } from "node:path";
import { fullName, installPackage } from "./installed.ts";

const sqliteVecPackage = { name: "sqlite-vec", version: "0.1.9" };
export const sqliteVecName = fullName(sqliteVecPackage);

/** The ids of the ten nearest vectors by the SQLite extension, nearest first. */
export type NearestSearch = (query: Float32Array) => number[];

/** Fills a table of the extension in the folder. Returns a search function or an error message. */
export async function openSqliteVec(
  tempFolder: string,
  vectors: Iterable<[id: number, vector: Float32Array]>,
): Promise<NearestSearch | string> {
  try {
    return createTable(await installPackage(sqliteVecPackage), tempFolder, vectors);
  } catch (error) {
    return (error as Error).message;
  }
}

/** The driver's API as used here; it is Lectern's driver, with the same SQLite. */
interface ExtensibleDatabase {
  enableLoadExtension(isAllowed: boolean): void;
  loadExtension(path: string): void;
  exec(sql: string): void;
  prepare(sql: string): {
    run(...values: unknown[]): void;
    all(...values: unknown[]): { rowid: number }[];
  };
}

function createTable(
  folder: string,
  tempFolder: string,
  vectors: Iterable<[id: number, vector: Float32Array]>,
): NearestSearch {
  const driver = Number(process.versions.node.split(".")[0]) >= 24 ? "node:sqlite" : ourDriver;
  const { DatabaseSync } = createRequire(import.meta.url)(driver);
  const { getLoadablePath } = createRequire(join(folder, "package.json"))("sqlite-vec");
  const db: ExtensibleDatabase = new DatabaseSync(join(tempFolder, "items.sqlite"), {
    allowExtension: true,
  });
  db.enableLoadExtension(true);
  db.loadExtension(getLoadablePath());
  // For unit vectors, Euclidean distance and cosine give the same order.
  db.exec("CREATE VIRTUAL TABLE items USING vec0(vector float[384])");
  db.exec("BEGIN");
  const insert = db.prepare("INSERT INTO items (rowid, vector) VALUES (?, ?)");
  for (const [id, vector] of vectors) insert.run(BigInt(id), bytesOf(vector));
  db.exec("COMMIT");
  const search = db.prepare(
    "SELECT rowid FROM items WHERE vector MATCH ? AND k = 10 ORDER BY distance",
  );
  return (query) => search.all(bytesOf(query)).map(({ rowid }) => Number(rowid));
}

const ourDriver = "@photostructure/sqlite";

const bytesOf = (vector: Float32Array): Uint8Array =>
  new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
