import { join } from "node:path";
import type { Boundary } from "./boundary.ts";
import type { ConfigFile } from "./config.ts";
import type { Database } from "./database.ts";
import type { Document } from "./documents.ts";
import { Failure } from "./failure.ts";
import { hashOf } from "./hashing.ts";
import type { House } from "./house.ts";

/**
 * A process with a force root serves only what lies inside, though it shares its home with others
 * that serve more. It is shut in once, below everything that a shelf reads: from here on the
 * configuration names no collection that lies outside, and `documents` has no row of one. Only
 * the intake sees past it, since the index is everybody's.
 */
export function encloseHome(db: Database, config: ConfigFile, boundary: Boundary): ConfigFile {
  const read: ConfigFile["read"] = () => {
    const { collections, ...others } = config.read();
    const inside = Object.entries(collections).filter(([, { path }]) => boundary.holds(path));
    return {
      ...others,
      collections: Object.assign(Object.create(null), Object.fromEntries(inside)),
    };
  };
  db.define("shown_roots", () => JSON.stringify(Object.keys(read().collections)));
  // A temporary view goes before a table of the same name, and is this connection's alone.
  db.exec(
    `CREATE TEMP VIEW documents AS SELECT * FROM main.documents
      WHERE root IN (SELECT value FROM json_each(shown_roots()))`,
  );
  return { ...config, read };
}

/**
 * Whether what the index knows of a document may be shown. A process without a force root may have
 * read it by a way that leads out, such as a folder that was a link for a moment; so inside an
 * enclosure the file itself must say the same when it is read through the boundary.
 */
export function mayShow(
  { settings, boundary, config }: Pick<House, "settings" | "boundary" | "config">,
  { root, path, hash }: Document,
): boolean {
  if (settings.forceRoot === undefined) return true;
  const folder = config.read().collections[root]?.path;
  if (folder === undefined) return false;
  try {
    return hashOf(boundary.readFile(join(folder, path), folder)) === hash;
  } catch (error) {
    if (error instanceof Failure) return false;
    throw error;
  }
}
