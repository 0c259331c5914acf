import { dirname, isAbsolute, relative, sep } from "node:path";
import * as z from "zod";
import { type Boundary, contains } from "../../kernel/boundary.ts";
import { ifThere, invalid } from "../../kernel/failure.ts";
import type { House } from "../../kernel/house.ts";
import { isFolder } from "../../kernel/path-kind.ts";
import type { Subject } from "./baselines.ts";
import { enterRepository } from "./repository-path.ts";
import { repositoryAbove } from "./repository-tree.ts";

/** How a caller names a subject; operations spread it into their input. */
export const subjectInput = {
  projectPath: z.string().min(1).describe("Repository").meta({ path: true }),
  docsPath: z.string().min(1).optional().describe("Folder of pages in it; all by default"),
};

export const subjectFrom = (
  { projectPath, docsPath }: { projectPath: string; docsPath?: string | undefined },
  { boundary }: { boundary: Boundary },
): Subject => subjectOf(boundary, projectPath, { given: docsPath, parameter: "docsPath" });

/** The repository and the folder of pages that a caller names. Pages lie in their repository. */
export function subjectOf(
  boundary: Boundary,
  project: string,
  docs: { given: string | undefined; parameter: string },
): Subject {
  const root = enterRepository(boundary, project);
  if (docs.given === undefined) return { root, pages: "" };
  const folder = enterWithin(boundary, root, docs.given);
  if (!contains(root, folder)) {
    throw invalid(`Invalid parameter '${docs.parameter}': the pages must lie in the repository.`);
  }
  return { root, pages: relative(root, folder).split(sep).join("/") };
}

/** A relative path is meant from the repository; where there is none, as any other path. */
function enterWithin(boundary: Boundary, root: string, given: string): string {
  const inside = isAbsolute(given) ? undefined : ifThere(() => boundary.enter(given, root));
  return inside ?? boundary.enter(given);
}

/** The same where a caller names the pages first; their repository may be found above them. */
export function subjectOfPages(
  house: Pick<House, "boundary" | "settings">,
  docs: string,
  project: string | undefined,
): Subject {
  if (project !== undefined) {
    return subjectOf(house.boundary, project, { given: docs, parameter: "docsPath" });
  }
  const place = house.boundary.enter(docs);
  const root = repositoryAbove(house, isFolder(place) ? place : dirname(place));
  return { root, pages: relative(root, place).split(sep).join("/") };
}
