import type { Boundary } from "../../../kernel/paths/boundary.ts";
import { childPath } from "../../../text/strings/relative-path.ts";
import { readRepositoryText } from "../repo/file-text.ts";
import { type Ssg, siteFolders, siteGenerators, ssgNames } from "./site-generators.ts";

/** A generator that a repository uses. */
export interface DetectedGenerator {
  ssg: Ssg;
  /** The folder of its configuration: `""` for the root, else for example `docs`. */
  folder: string;
  /** The configuration, relative to the repository. */
  config: string;
}

/** Hugo's old configuration names are common, so they count only next to Hugo's folders. */
const legacyHugoConfigs = ["config.toml", "config.yaml"];

/** Finds a generator by its configuration file, the root first. */
export function detectGenerator(boundary: Boundary, root: string): DetectedGenerator | undefined {
  const exists = (path: string): boolean => readRepositoryText(boundary, root, path) !== undefined;
  for (const folder of siteFolders) {
    const place = (name: string) => childPath(folder, name);
    for (const ssg of ssgNames) {
      const config = siteGenerators[ssg].configs.map(place).find(exists);
      if (config !== undefined) return { ssg, folder, config };
    }
    const config = legacyHugoConfigs.map(place).find(exists);
    if (config && exists(place("archetypes/default.md"))) return { ssg: "hugo", folder, config };
  }
  return undefined;
}
