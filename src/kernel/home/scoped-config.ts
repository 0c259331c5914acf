import { isAbsolute, join } from "node:path";
import { type Call, isPerson } from "../call.ts";
import type { Document, Root } from "../documents/documents.ts";
import { Failure } from "../failure.ts";
import { sha256Hex } from "../files/hashes.ts";
import { type Boundary, containsPath } from "../paths/boundary.ts";
import type { Runtime } from "../runtime/runtime.ts";
import type { Database } from "../storage/database.ts";
import type { ConfigFile } from "./config.ts";

/**
 * A process with a force root serves only files inside it, although it shares its home with other
 * processes. The restriction is applied in one place, which all reads of the shelves use: the
 * configuration lists only collections inside the force root, and the view `documents` contains only
 * their rows. Only the indexer sees all collections, because the index is shared.
 */
export function scopeConfig(config: ConfigFile, boundary: Boundary): ConfigFile {
  const read: ConfigFile["read"] = () => {
    const { collections, contexts, ...others } = config.read();
    const isInside = (path: string): boolean => boundary.allowsFolder(path);
    const shown = filterRecord(collections, (_name, { path }) => isInside(path));
    return {
      ...others,
      collections: shown,
      contexts: filterRecord(contexts, (path) => {
        const [collection = ""] = path.split("/");
        return isAbsolute(path) ? isInside(path) : Object.hasOwn(shown, collection);
      }),
    };
  };
  return { ...config, read };
}

/** Restricts `documents` on this connection to the collections that the configuration shows. */
export function confineDocuments(db: Database, config: ConfigFile): void {
  db.defineFunction("shown_roots", () => JSON.stringify(Object.keys(config.read().collections)));
  // A temporary view takes precedence over the table of the same name, for this connection only.
  db.exec(
    `CREATE TEMP VIEW documents AS SELECT * FROM main.documents
      WHERE root IN (SELECT value FROM json_each(shown_roots()))`,
  );
}

/**
 * A collection inside the force root is indexed only while the real path of its folder is inside, so
 * that replacing the folder by a link cannot add outside files to the index.
 */
export function confineRoots(
  roots: readonly Root[],
  boundary: Boundary,
  forceRoot: string | undefined,
): Root[] {
  if (forceRoot === undefined) return [...roots];
  const within = boundary.unrestricted.resolvePath(forceRoot);
  return roots.map((root) => (containsPath(within, root.path) ? { ...root, within } : root));
}

/** Collection names are user input, so the record has no prototype. */
const filterRecord = <Item>(
  items: Readonly<Record<string, Item>>,
  isShown: (name: string, item: Item) => boolean,
): Record<string, Item> =>
  Object.assign(
    Object.create(null),
    Object.fromEntries(Object.entries(items).filter(([name, item]) => isShown(name, item))),
  );

/**
 * All collections share one namespace, and whether a name is free reveals which collections exist
 * outside the force root. So under a force root only people can add and rename collections.
 */
export function assertMayNameCollections(
  { settings }: Pick<Runtime, "settings">,
  call: Call,
): void {
  if (settings.forceRoot === undefined || isPerson(call)) return;
  throw new Failure(
    "forbidden",
    "confined",
    "Under --force-root only a person can add or rename collections.",
    { hints: ["Use `lectern collection` at a shell."] },
  );
}

/**
 * Creates a check of whether an indexed document may be shown. Use it for one list only. It hides
 * documents that have become private since they were indexed. A process without a force root may
 * have indexed a file through a link to the outside; so under a force root the file is read again
 * through the boundary and must have the indexed content.
 */
export function createVisibilityCheck({
  settings,
  boundary,
  config,
}: Pick<Runtime, "settings" | "boundary" | "config">): (document: Document) => boolean {
  const { collections } = config.read();
  const isHidden = boundary.hiddenFileCheck();
  return ({ root, path, hash }) => {
    const folder = collections[root]?.path;
    if (folder === undefined) return settings.forceRoot === undefined;
    if (isHidden(join(folder, path))) return false;
    if (settings.forceRoot === undefined) return true;
    try {
      return sha256Hex(boundary.readFile(join(folder, path), folder)) === hash;
    } catch (error) {
      if (error instanceof Failure) return false;
      throw error;
    }
  };
}
