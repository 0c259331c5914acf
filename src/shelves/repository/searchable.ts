import { join, relative, sep } from "node:path";
import { contains } from "../../kernel/boundary.ts";
import type { House } from "../../kernel/house.ts";
import type { KeptAnalysis } from "./analyses.ts";

/** Pages that are looked for in the index; the others came in with them. */
const mostAsked = 20;

/** The collection in which the pages of a repository are found already. */
export function collectionOf(
  { config, documents }: Pick<House, "config" | "documents">,
  { analysis, root }: KeptAnalysis,
): string | undefined {
  const pages = analysis.documentation.existingDocs.slice(0, mostAsked);
  const around = Object.entries(config.read().collections).filter(([, { path }]) =>
    contains(path, root),
  );
  return around.find(([name, { path }]) =>
    pages.some((page) => {
      const below = relative(path, join(root, page)).split(sep).join("/");
      return documents.find(name, below) !== undefined;
    }),
  )?.[0];
}
