import { join, relative, sep } from "node:path";
import { containsPath } from "../../../kernel/paths/boundary.ts";
import type { Runtime } from "../../../kernel/runtime/runtime.ts";
import type { Steps } from "../../../kernel/storage/steps.ts";
import type { StoredAnalysis } from "./analysis-store.ts";

/**
 * Maximum number of pages looked up in the index. A sample suffices: pages are indexed together.
 */
const maxPagesTried = 20;

/** The search collection that already contains the pages of a repository. */
export function* findPageCollection(
  { config, documents }: Pick<Runtime, "config" | "documents">,
  { analysis, root }: StoredAnalysis,
): Steps<string | undefined> {
  const pages = analysis.documentation.existingDocs.slice(0, maxPagesTried);
  const candidates = Object.entries(config.read().collections).filter(([, { path }]) =>
    containsPath(path, root),
  );
  for (const [name, { path }] of candidates) {
    for (const page of pages) {
      const relativePath = relative(path, join(root, page)).split(sep).join("/");
      if (yield* documents.find(name, relativePath)) return name;
    }
  }
  return undefined;
}
