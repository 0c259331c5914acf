import { existsSync } from "node:fs";
import { join, relative, sep } from "node:path";
import * as z from "zod";
import { Failure } from "../../../kernel/failure.ts";
import { operationsFor } from "../../../kernel/operation.ts";
import { textBlock } from "../../../kernel/operations/output-block.ts";
import type { Steps } from "../../../kernel/storage/steps.ts";
import { groupBy } from "../../../text/arrays/group-by.ts";
import type { ObjectsState } from "../state.ts";
import { anchorFile, findWorkspaceRoot } from "../workspace/workspace-root.ts";
import { isObjectFile } from "../workspace/workspace-walk.ts";

const operation = operationsFor<ObjectsState>();

const Workspace = z.object({
  path: z.string(),
  collections: z.array(
    z.object({
      name: z.string(),
      folder: z.string().describe("Path of the collection within the workspace"),
    }),
  ),
});

export const listWorkspaces = operation({
  name: "list_workspaces",
  title: "List workspaces",
  summary:
    "The workspaces of all collections that contain *.qmd.md files, and the workspace of the current folder.",
  input: z.object({}),
  output: z
    .object({
      workspaces: z.array(Workspace),
    })
    .meta({ json: "workspaces" }),
  effect: "reads",
  expose: { http: "GET /objects/workspaces", cli: "objects workspaces" },
  example: {},
  *run(_, state) {
    return { workspaces: yield* findWorkspaces(state) };
  },
  present: ({ workspaces }) => [
    textBlock(
      workspaces.map(({ path }) => path).join("\n") ||
        "There are no objects. Create a file with the extension .qmd.md in a collection.",
    ),
  ],
});

/** Uses the index, so that folders without object files are not walked. */
function* findWorkspaces(state: ObjectsState): Steps<z.output<typeof Workspace>[]> {
  const { config, documents, settings } = state;
  const objectFiles = (yield* documents.paths()).filter(isObjectFile);
  const collectionsWithObjects = new Set(
    objectFiles.map((path) => path.slice(0, path.indexOf("/"))),
  );
  const collections = Object.entries(config.read().collections)
    .filter(([name]) => collectionsWithObjects.has(name))
    .flatMap(([name, { path }]) => {
      const location = locateFolder(state, path);
      return location ? { name, ...location } : [];
    });
  const byRoot = groupBy(collections, ({ root }) => root);
  const currentRoot = locateFolder(state, settings.root)?.root;
  if (
    currentRoot !== undefined &&
    !byRoot.has(currentRoot) &&
    existsSync(join(currentRoot, anchorFile))
  ) {
    byRoot.set(currentRoot, []);
  }
  return [...byRoot].map(([root, within]) => ({
    path: root,
    collections: within.map(({ name, folder }) => ({
      name,
      folder: relative(root, folder).split(sep).join("/"),
    })),
  }));
}

/** Undefined for a folder that is missing or outside the boundary. */
function locateFolder({ boundary }: ObjectsState, path: string) {
  try {
    return { folder: boundary.resolvePath(path), root: findWorkspaceRoot(boundary, path) };
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

export const workspaceOperations = [listWorkspaces];
