import { basename } from "node:path";
import { collectionNameSchema } from "../../kernel/home/config.ts";
import { containsPath } from "../../kernel/paths/boundary.ts";
import type { App } from "../../kernel/runtime/app.ts";

/**
 * Adds a folder as a collection for users without a shell, as in a desktop bundle. A folder that is
 * already inside a collection is left alone, so this can run at every start.
 */
export async function addDocumentsFolder(app: App, documentsFolder: string): Promise<void> {
  const { log } = app;
  try {
    await app.prepare();
    const { boundary, config } = app.runtime;
    const folder = boundary.resolvePath(documentsFolder);
    const { collections } = config.read();
    if (Object.values(collections).some(({ path }) => containsPath(path, folder))) return;
    const entry = app.catalogue.find("add_collection");
    if (!entry) throw new Error("the search shelf is not loaded");
    for (const name of candidateNames(folder)) {
      const outcome = await app.call(entry, { path: folder, name }, { actor });
      if (outcome.ok) return;
      // The name may be in use by a collection outside the force root, which is invisible here.
      if (outcome.failure?.kind !== "conflict") throw outcome.failure;
    }
    throw new Error("its name is used by collections of other folders");
  } catch (error) {
    log("error", "cannot add the documents folder", {
      reason: error instanceof Error ? error.message : String(error),
    });
  }
}

const actor = { surface: "cli" };

/** The folder's name, then the same name with a number. */
function candidateNames(folder: string): string[] {
  const folderName = basename(folder).slice(0, 90).trim();
  const name = collectionNameSchema.safeParse(folderName).success ? folderName : "documents";
  return [name, ...[2, 3, 4, 5, 6, 7, 8, 9].map((number) => `${name} ${number}`)];
}
