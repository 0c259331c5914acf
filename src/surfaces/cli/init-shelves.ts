import { type Dirent, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { isProjectFolder, isProjectPath } from "../../kernel/paths/project-folder.ts";
import { parseRecordName } from "../../text/decisions/file-name.ts";

/** A large folder is judged by the part that is read within these limits. */
const maxEntries = 20_000;
const maxDepth = 6;

/** Folders with dependencies and build output rather than the user's documents. */
const isSkipped = (name: string): boolean =>
  name.startsWith(".") || /^(?:node_modules|vendor|dist|build)$/.test(name);

/**
 * The shelves whose tools an agent needs in a folder: `search`, and those for which the folder has
 * material. The tools of all shelves would take up 16,000 tokens of each conversation.
 */
export function shelvesFor(folder: string): string[] {
  const found = new Set<string>();
  if (existsSync(join(folder, ".adr-dir")) || existsSync(join(folder, ".log4brains.yml"))) {
    found.add("architecture");
  }
  let remaining = maxEntries;
  let level = [{ path: folder, name: "" }];
  for (let depth = 0; depth <= maxDepth && level.length > 0; depth++) {
    const next: typeof level = [];
    for (const { path, name } of level) {
      const entries = listFolder(path).slice(0, remaining);
      remaining -= entries.length;
      const files = entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
      if (isProjectFolder(path, entries)) {
        found.add("qualitative");
        continue;
      }
      if (files.some((file) => isProjectPath(join(path, file)))) found.add("qualitative");
      if (files.some((file) => /\.qmd\.(?:.*\.)?md$/.test(file))) found.add("objects");
      if (hasRecords(name, files)) found.add("architecture");
      for (const entry of entries) {
        if (entry.isDirectory() && !isSkipped(entry.name))
          next.push({ path: join(path, entry.name), name: entry.name });
      }
    }
    level = next;
  }
  return ["search", ...["objects", "architecture", "qualitative"].filter((one) => found.has(one))];
}

/** `docs/adr/0001-use-lunr.md`. Elsewhere, numbered files are mostly chapters. */
const hasRecords = (folder: string, files: readonly string[]): boolean =>
  /^(?:adrs?|decisions?|(?:architecture|architectural)-decisions?|decision-records?)$/i.test(
    folder,
  ) &&
  files.some((file) => {
    const { number, date } = parseRecordName(file);
    return /\.(?:md|markdown)$/i.test(file) && (number !== null || date !== null);
  });

function listFolder(path: string): Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch {
    return [];
  }
}
