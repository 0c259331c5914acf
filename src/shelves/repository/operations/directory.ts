import type { Dirent } from "node:fs";
import * as z from "zod";
import { bounded, boundedShape, pagingShape } from "../../../kernel/bounded.ts";
import { Failure, noPermission } from "../../../kernel/failure.ts";
import { operationsOn } from "../../../kernel/operation.ts";
import { inDirectory, type SafeDirectory } from "../../../kernel/safe-directory.ts";
import { byLetters } from "../../../text/by-letters.ts";
import { counted } from "../../../text/counted.ts";
import { visible } from "../../../text/visible.ts";
import { answering, envelope, told } from "../envelope.ts";
import { enterRepository } from "../repository-path.ts";
import type { RepositoryState } from "../state.ts";

const operation = operationsOn<RepositoryState>();

const kinds = ["file", "directory", "link", "other"] as const;

export const readDirectory = operation({
  name: "read_directory",
  title: "Read a directory",
  summary:
    "The entries of one directory with their kinds and sizes. Links are named, not followed.",
  input: z.object({
    path: z.string().min(1).describe("Directory to read").meta({ path: true }),
    ...pagingShape,
  }),
  output: envelope(
    z.object({
      path: z.string(),
      entries: z.array(
        z.object({ name: z.string(), kind: z.enum(kinds), size: z.int().optional() }),
      ),
      totalFiles: z.int(),
      totalDirectories: z.int(),
      ...boundedShape,
    }),
  ),
  effect: "reads",
  expose: { mcp: true, http: "POST /repository/directory", cli: "repository directory <path>" },
  example: { path: ".", limit: 3 },

  run: answering(({ path, limit, cursor }, { boundary }) => {
    const directory = boundary.openDirectory(enterRepository(boundary, path));
    return inDirectory(directory, () => {
      const all = entriesOf(directory).sort((a, b) => byLetters(a.name, b.name));
      const { items, ...page } = bounded(all, { limit, cursor, keyOf: ({ name }) => name });
      return {
        data: {
          path,
          entries: items.map((entry) => shown(directory, entry)),
          totalFiles: all.filter((entry) => entry.isFile()).length,
          totalDirectories: all.filter((entry) => entry.isDirectory()).length,
          ...page,
        },
      };
    });
  }),

  present({ data, ...said }) {
    const { path, entries, totalFiles, totalDirectories, remaining } = data;
    const lines = entries.map(({ name, kind, size }) =>
      kind === "file" ? `${visible(name)} (${size} bytes)` : `${visible(name)} [${kind}]`,
    );
    const totals = `${counted(totalFiles, "file")}, ${totalDirectories} directories`;
    const rest = remaining ? [`… and ${remaining} more`] : [];
    return told([visible(`${path}: ${totals}`), ...lines, ...rest].join("\n"), said);
  },
});

function entriesOf(directory: SafeDirectory): Dirent[] {
  try {
    return directory.entries();
  } catch (error) {
    if (error instanceof Failure) throw error;
    // Only the system's own refusal is foreseen; its words would name the path.
    if (!(error as NodeJS.ErrnoException).code) throw error;
    throw noPermission("The directory cannot be read");
  }
}

function shown(directory: SafeDirectory, entry: Dirent) {
  const { name } = entry;
  if (entry.isDirectory()) return { name, kind: "directory" as const };
  if (entry.isSymbolicLink()) return { name, kind: "link" as const };
  if (!entry.isFile()) return { name, kind: "other" as const };
  const size = directory.stat(name)?.size;
  return { name, kind: "file" as const, ...(size !== undefined && { size }) };
}
