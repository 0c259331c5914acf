import { join } from "node:path";
import { Failure, notFound } from "../../../kernel/failure.ts";
import type { Boundary } from "../../../kernel/paths/boundary.ts";
import type { WorkspaceView } from "./workspace-view.ts";

/** Finds a file by its relative path, by a unique end of that path, or by its absolute path. */
export function findWorkspaceFile(
  { root, files }: WorkspaceView,
  name: string,
  boundary: Boundary,
): string {
  const path = name.replaceAll("\\", "/").replace(/^\.\//, "");
  if (files.includes(path)) return path;
  const [only, ...others] = files.filter((file) => file.endsWith(`/${path}`));
  if (only !== undefined && others.length === 0) return only;
  const real = resolveRealPath(name, root, boundary);
  const known = files.find((file) => real === join(root, file));
  if (known !== undefined) return known;
  throw notFound(`file '${name}' not found in workspace`);
}

/** Reports a path outside the force root as such; other errors mean "not found". */
function resolveRealPath(name: string, root: string, boundary: Boundary): string | undefined {
  try {
    return boundary.resolvePath(name, root);
  } catch (error) {
    if (!(error instanceof Failure) || error.code === "out-of-root") throw error;
    return undefined;
  }
}
