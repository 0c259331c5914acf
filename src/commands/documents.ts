import { basename } from "node:path";
import { contains } from "../kernel/boundary.ts";
import { collectionName } from "../kernel/config.ts";
import type { Library } from "../kernel/library.ts";

/**
 * Takes a folder in for whoever has no shell to do it with, as in a bundle for a desktop client. One
 * that lies in a collection already is left alone, so it may be said at every start.
 */
export async function takeIn(library: Library, given: string): Promise<void> {
  const { log } = library;
  try {
    const { boundary, config } = library.house;
    const folder = boundary.enter(given);
    const { collections } = config.read();
    if (Object.values(collections).some(({ path }) => contains(path, folder))) return;
    const entry = library.catalogue.find("add_collection");
    if (!entry) throw new Error("the shelf of search is not served");
    for (const name of namesFor(folder)) {
      const outcome = await library.call(entry, { path: folder, name }, { actor });
      if (outcome.ok) return;
      // A collection that lies outside of a closed root cannot be seen, and has its name.
      if (outcome.failure?.kind !== "conflict") throw outcome.failure;
    }
    throw new Error("collections of other folders have its name");
  } catch (error) {
    log("error", "the folder of documents cannot be taken in", {
      reason: error instanceof Error ? error.message : String(error),
    });
  }
}

const actor = { surface: "cli" };

/** The folder's own name, then the same with a number. */
function namesFor(folder: string): string[] {
  const own = basename(folder).slice(0, 90).trim();
  const name = collectionName.safeParse(own).success ? own : "documents";
  return [name, ...[2, 3, 4, 5, 6, 7, 8, 9].map((number) => `${name} ${number}`)];
}
