import { existsSync } from "node:fs";
import { join, relative, sep } from "node:path";
import * as z from "zod";
import { text } from "../../../kernel/block.ts";
import { Failure } from "../../../kernel/failure.ts";
import { operationsOn } from "../../../kernel/operation.ts";
import { groupedBy } from "../../../text/grouped.ts";
import type { ObjectsState } from "../state.ts";
import { anchorFile, findRoot } from "../workspace-root.ts";
import { isObjectFile } from "../workspace-walk.ts";

const operation = operationsOn<ObjectsState>();

export const listWorkspaces = operation({
  name: "list_workspaces",
  title: "List workspaces",
  summary:
    "Where objects are: the workspaces of the collections that hold *.qmd.md files, and that of the current folder.",
  input: z.object({}),
  output: z
    .object({
      workspaces: z.array(
        z.object({
          path: z.string(),
          collections: z.array(
            z.object({
              name: z.string(),
              folder: z.string().describe("Where its documents begin, below the workspace"),
            }),
          ),
        }),
      ),
    })
    .meta({ json: "workspaces" }),
  effect: "reads",
  expose: { http: "GET /objects/workspaces", cli: "objects workspaces" },
  example: {},
  run: (_, state) => ({ workspaces: workspacesOf(state) }),
  present: ({ workspaces }) => [
    text(
      workspaces.map(({ path }) => path).join("\n") ||
        "There are no objects. Write some into a file whose name ends in .qmd.md, in a collection.",
    ),
  ],
});

/** Told by the index, so that no folder is walked that may hold none. */
function workspacesOf(state: ObjectsState) {
  const { config, documents, settings } = state;
  const holders = new Set(
    documents
      .paths()
      .filter(isObjectFile)
      .map((path) => path.slice(0, path.indexOf("/"))),
  );
  const collections = Object.entries(config.read().collections)
    .filter(([name]) => holders.has(name))
    .flatMap(([name, { path }]) => {
      const place = placeOf(state, path);
      return place ? { name, ...place } : [];
    });
  const byRoot = groupedBy(collections, ({ root }) => root);
  const own = placeOf(state, settings.root)?.root;
  if (own !== undefined && !byRoot.has(own) && existsSync(join(own, anchorFile))) {
    byRoot.set(own, []);
  }
  return [...byRoot].map(([root, within]) => ({
    path: root,
    collections: within.map(({ name, folder }) => ({
      name,
      folder: relative(root, folder).split(sep).join("/"),
    })),
  }));
}

/** None for a folder that went, or lies where this process may not look. */
function placeOf({ boundary }: ObjectsState, path: string) {
  try {
    return { folder: boundary.enter(path), root: findRoot(boundary, path) };
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

export const workspaceOperations = [listWorkspaces];
