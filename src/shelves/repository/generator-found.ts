import type { Boundary } from "../../kernel/boundary.ts";
import { textOf } from "./file-text.ts";
import { generators, type Ssg, siteFolders, ssgNames } from "./generators.ts";

/** A generator that a repository uses already. */
export interface GeneratorFound {
  ssg: Ssg;
  /** Where its configuration lies: `""` for the root, else `docs`. */
  folder: string;
  /** The configuration, relative to the repository. */
  config: string;
}

/** Hugo's older name of its configuration is anybody's, so it counts only beside Hugo's folders. */
const olderHugo = ["config.toml", "config.yaml"];

/** The generator whose configuration is there, the root first. */
export function generatorIn(boundary: Boundary, root: string): GeneratorFound | undefined {
  const isThere = (path: string): boolean => textOf(boundary, root, path) !== undefined;
  for (const folder of siteFolders) {
    const place = (name: string) => (folder === "" ? name : `${folder}/${name}`);
    for (const ssg of ssgNames) {
      const config = generators[ssg].configs.map(place).find(isThere);
      if (config !== undefined) return { ssg, folder, config };
    }
    const config = olderHugo.map(place).find(isThere);
    if (config && isThere(place("archetypes/default.md"))) return { ssg: "hugo", folder, config };
  }
  return undefined;
}
