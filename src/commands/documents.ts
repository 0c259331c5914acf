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
    const input = { path: folder, name: freeName(folder, Object.keys(collections)) };
    const outcome = await library.call(entry, input, { actor: { surface: "cli" } });
    if (!outcome.ok) throw outcome.failure;
  } catch (error) {
    log("error", "the folder of documents cannot be taken in", {
      reason: error instanceof Error ? error.message : String(error),
    });
  }
}

/** The folder's own name, with a number where a collection of another folder has it. */
function freeName(folder: string, taken: readonly string[]): string {
  const own = basename(folder);
  const name = collectionName.safeParse(own).success ? own.slice(0, 90) : "documents";
  const names = [name, ...taken.map((_, place) => `${name} ${place + 2}`)];
  return names.find((one) => !taken.includes(one)) ?? name;
}
