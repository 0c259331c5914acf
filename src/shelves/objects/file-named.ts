import { join } from "node:path";
import type { Boundary } from "../../kernel/boundary.ts";
import { Failure, notFound } from "../../kernel/failure.ts";
import type { View } from "./view.ts";

/** A file by its path from the root, by the end of it where that names one file only, or whole. */
export function fileNamed({ root, files }: View, named: string, boundary: Boundary): string {
  const path = named.replaceAll("\\", "/").replace(/^\.\//, "");
  if (files.includes(path)) return path;
  const [only, ...others] = files.filter((file) => file.endsWith(`/${path}`));
  if (only !== undefined && others.length === 0) return only;
  const real = realPlace(named, root, boundary);
  const known = files.find((file) => real === join(root, file));
  if (known !== undefined) return known;
  throw notFound(`file '${named}' not found in workspace`);
}

/** That something lies outside of a force root is told as everywhere; all else is not found. */
function realPlace(named: string, root: string, boundary: Boundary): string | undefined {
  try {
    return boundary.enter(named, root);
  } catch (error) {
    if (!(error instanceof Failure) || error.code === "out-of-root") throw error;
    return undefined;
  }
}
