import { isAbsolute, join } from "node:path";
import { type Boundary, contains } from "./boundary.ts";
import { type Call, isPerson } from "./call.ts";
import type { ConfigFile } from "./config.ts";
import type { Database } from "./database.ts";
import type { Document, Root } from "./documents.ts";
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
    const { collections, contexts, ...others } = config.read();
    const isInside = (path: string): boolean => boundary.holds(path);
    const shown = onlyThose(collections, (_name, { path }) => isInside(path));
    return {
      ...others,
      collections: shown,
      contexts: onlyThose(contexts, (place) => {
        const [collection = ""] = place.split("/");
        return isAbsolute(place) ? isInside(place) : Object.hasOwn(shown, collection);
      }),
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
 * A collection inside the force root is indexed only while its folder really lies there, so that a
 * folder which is swapped for a link brings nothing from outside into the index.
 */
export function confinedRoots(
  roots: readonly Root[],
  boundary: Boundary,
  forceRoot: string | undefined,
): Root[] {
  if (forceRoot === undefined) return [...roots];
  const within = boundary.unrestricted.enter(forceRoot);
  return roots.map((root) => (contains(within, root.path) ? { ...root, within } : root));
}

/** Names of collections come from people, so the object has no properties but theirs. */
const onlyThose = <Item>(
  items: Readonly<Record<string, Item>>,
  isShown: (name: string, item: Item) => boolean,
): Record<string, Item> =>
  Object.assign(
    Object.create(null),
    Object.fromEntries(Object.entries(items).filter(([name, item]) => isShown(name, item))),
  );

/**
 * Collections share one list of names. Whether a name is free would tell an agent under a force root
 * what lies outside it, so agents neither add nor rename collections there. People may.
 */
export function refuseNaming({ settings }: Pick<House, "settings">, call: Call): void {
  if (settings.forceRoot === undefined || isPerson(call)) return;
  throw new Failure(
    "forbidden",
    "confined",
    "Under --force-root only a person adds or renames collections.",
    { hints: ["Use `lectern collection` at a shell."] },
  );
}

/**
 * Tells which documents of the index may be shown, for one list of them: none that has become private,
 * which the index may learn a moment later. A process without a force root may have indexed a file by
 * a path that led out, such as a folder that was a link for a moment; so under a force root the file
 * itself must have the same content when it is read through the boundary.
 */
export function shownDocuments({
  settings,
  boundary,
  config,
}: Pick<House, "settings" | "boundary" | "config">): (document: Document) => boolean {
  const { collections } = config.read();
  const isHidden = boundary.hiddenFiles();
  return ({ root, path, hash }) => {
    const folder = collections[root]?.path;
    if (folder === undefined) return settings.forceRoot === undefined;
    if (isHidden(join(folder, path))) return false;
    if (settings.forceRoot === undefined) return true;
    try {
      return hashOf(boundary.readFile(join(folder, path), folder)) === hash;
    } catch (error) {
      if (error instanceof Failure) return false;
      throw error;
    }
  };
}
