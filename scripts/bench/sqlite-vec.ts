import { createRequire } from "node:module";
import { join } from "node:path";
import { fullName, installed } from "./installed.ts";

const wanted = { name: "sqlite-vec", version: "0.1.9" };
export const rivalName = fullName(wanted);

/** The nearest ten by the extension that others use for it: ids, nearest first. */
export type Rival = (query: Float32Array) => number[];

/** Fills a table of the extension in the given folder, or says why it cannot. */
export async function openRival(
  place: string,
  vectors: Iterable<[id: number, vector: Float32Array]>,
): Promise<Rival | string> {
  try {
    return fill(await installed(wanted), place, vectors);
  } catch (error) {
    return (error as Error).message;
  }
}

/** What is used here of the driver, which is ours and has the same SQLite. */
interface ExtensibleDatabase {
  enableLoadExtension(isAllowed: boolean): void;
  loadExtension(path: string): void;
  exec(sql: string): void;
  prepare(sql: string): {
    run(...values: unknown[]): void;
    all(...values: unknown[]): { rowid: number }[];
  };
}

function fill(
  folder: string,
  place: string,
  vectors: Iterable<[id: number, vector: Float32Array]>,
): Rival {
  const driver = Number(process.versions.node.split(".")[0]) >= 24 ? "node:sqlite" : ourDriver;
  const { DatabaseSync } = createRequire(import.meta.url)(driver);
  const { getLoadablePath } = createRequire(join(folder, "package.json"))("sqlite-vec");
  const db: ExtensibleDatabase = new DatabaseSync(join(place, "rival.sqlite"), {
    allowExtension: true,
  });
  db.enableLoadExtension(true);
  db.loadExtension(getLoadablePath());
  // For vectors of length one the plain distance gives the order of the cosine.
  db.exec("CREATE VIRTUAL TABLE rival USING vec0(vector float[384])");
  db.exec("BEGIN");
  const insert = db.prepare("INSERT INTO rival (rowid, vector) VALUES (?, ?)");
  for (const [id, vector] of vectors) insert.run(BigInt(id), bytesOf(vector));
  db.exec("COMMIT");
  const search = db.prepare(
    "SELECT rowid FROM rival WHERE vector MATCH ? AND k = 10 ORDER BY distance",
  );
  return (query) => search.all(bytesOf(query)).map(({ rowid }) => Number(rowid));
}

const ourDriver = "@photostructure/sqlite";

const bytesOf = (vector: Float32Array): Uint8Array =>
  new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
