import type { Dirent } from "node:fs";
import * as z from "zod";
import { Failure, noPermission } from "../../../kernel/failure.ts";
import { type SafeDirectory, withDirectory } from "../../../kernel/files/safe-directory.ts";
import { operationsFor } from "../../../kernel/operation.ts";
import {
  listPageShape,
  pageByKey,
  pagingInputShape,
} from "../../../kernel/operations/list-page.ts";
import { compareText } from "../../../text/strings/compare-text.ts";
import { pluralise } from "../../../text/strings/pluralise.ts";
import { toPrintable } from "../../../text/strings/printable.ts";
import { envelope, renderResult, withEnvelope } from "../envelope.ts";
import { resolveRepository } from "../repo/repository-path.ts";
import type { RepositoryState } from "../state.ts";

const operation = operationsFor<RepositoryState>();

const kinds = ["file", "directory", "link", "other"] as const;

export const readDirectory = operation({
  name: "read_directory",
  title: "Read a directory",
  summary:
    "The entries of one directory with their kinds and sizes. Links are named, not followed.",
  input: z.object({
    path: z.string().min(1).describe("Directory to read").meta({ path: true }),
    ...pagingInputShape,
  }),
  output: envelope(
    z.object({
      path: z.string(),
      entries: z.array(
        z.object({ name: z.string(), kind: z.enum(kinds), size: z.int().optional() }),
      ),
      totalFiles: z.int(),
      totalDirectories: z.int(),
      ...listPageShape,
    }),
  ),
  effect: "reads",
  expose: { mcp: true, http: "POST /repository/directory", cli: "repository directory <path>" },
  example: { path: ".", limit: 3 },

  run: withEnvelope(({ path, limit, cursor }, { boundary }) => {
    const directory = boundary.openDirectory(resolveRepository(boundary, path));
    return withDirectory(directory, () => {
      const all = readEntries(directory).sort((a, b) => compareText(a.name, b.name));
      const { items, ...page } = pageByKey(all, { limit, cursor, keyOf: ({ name }) => name });
      return {
        data: {
          path,
          entries: items.map((entry) => toEntryOutput(directory, entry)),
          totalFiles: all.filter((entry) => entry.isFile()).length,
          totalDirectories: all.filter((entry) => entry.isDirectory()).length,
          ...page,
        },
      };
    });
  }),

  present({ data, ...advice }) {
    const { path, entries, totalFiles, totalDirectories, remaining } = data;
    const lines = entries.map(({ name, kind, size }) =>
      kind === "file" ? `${toPrintable(name)} (${size} bytes)` : `${toPrintable(name)} [${kind}]`,
    );
    const totals = `${pluralise(totalFiles, "file")}, ${totalDirectories} directories`;
    const more = remaining ? [`… and ${remaining} more`] : [];
    return renderResult([toPrintable(`${path}: ${totals}`), ...lines, ...more].join("\n"), advice);
  },
});

function readEntries(directory: SafeDirectory): Dirent[] {
  try {
    return directory.entries();
  } catch (error) {
    if (error instanceof Failure) throw error;
    // Only system errors are expected here. Their messages contain the path and are not passed on.
    if (!(error as NodeJS.ErrnoException).code) throw error;
    throw noPermission("The directory cannot be read");
  }
}

function toEntryOutput(directory: SafeDirectory, entry: Dirent) {
  const { name } = entry;
  if (entry.isDirectory()) return { name, kind: "directory" as const };
  if (entry.isSymbolicLink()) return { name, kind: "link" as const };
  if (!entry.isFile()) return { name, kind: "other" as const };
  const size = directory.stat(name)?.size;
  return { name, kind: "file" as const, ...(size !== undefined && { size }) };
}
