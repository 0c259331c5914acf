import { existsSync } from "node:fs";
import { basename, join, relative, sep } from "node:path";
import * as z from "zod";
import { Failure } from "../../../kernel/failure.ts";
import { configuredRoots } from "../../../kernel/home/config.ts";
import { operationsFor } from "../../../kernel/operation.ts";
import {
  listPageShape,
  pageByKey,
  pagingInputShape,
} from "../../../kernel/operations/list-page.ts";
import { containsPath } from "../../../kernel/paths/boundary.ts";
import type { Steps } from "../../../kernel/storage/steps.ts";
import { diataxisTypes } from "../../../text/software/diataxis.ts";
import { pluralise } from "../../../text/strings/pluralise.ts";
import { toPrintable } from "../../../text/strings/printable.ts";
import { partialAdvice, resolveAnalysis } from "../analysis/resolve-analysis.ts";
import { envelope, renderResult, withEnvelope } from "../envelope.ts";
import { findRepositoryRoot } from "../repo/repo-tree.ts";
import { resolveRepository } from "../repo/repository-path.ts";
import type { RepositoryState } from "../state.ts";

const operation = operationsFor<RepositoryState>();

const origins = ["root", "collection", "analysed"] as const;

export const listRepositories = operation({
  name: "list_repositories",
  title: "List repositories",
  summary: "Known folders: the server's root, those of collections, and analysed ones.",
  input: z.object({}),
  output: envelope(
    z.object({
      repositories: z.array(
        z.object({ path: z.string(), name: z.string(), origin: z.enum(origins) }),
      ),
    }),
  ),
  effect: "reads",
  expose: { http: "GET /repository/known", cli: "repository list" },
  example: {},
  run: withEnvelope(function* (_input: object, state: RepositoryState) {
    const analysed = yield* state.analyses.list();
    const candidates = [
      ...(state.boundary.allowsFolder(state.settings.root)
        ? [{ path: state.settings.root, origin: "root" as const }]
        : []),
      ...configuredRoots(state.config)
        .filter(({ path }) => existsSync(path))
        .map(({ path }) => ({
          path: findRepositoryRoot(state, path),
          origin: "collection" as const,
        })),
      ...analysed.map(({ root }) => ({ path: root, origin: "analysed" as const })),
    ];
    const byRealPath = new Map<string, (typeof candidates)[number]>();
    for (const { path, origin } of candidates) {
      const real = admittedFolder(state, path);
      if (real !== undefined && !byRealPath.has(real)) byRealPath.set(real, { path: real, origin });
    }
    const repositories = [...byRealPath.values()].map((one) => ({
      ...one,
      name: basename(one.path),
    }));
    return { data: { repositories } };
  }),
  present: ({ data, ...advice }) =>
    renderResult(
      data.repositories.map(({ path, origin }) => toPrintable(`${path} (${origin})`)).join("\n") ||
        "No repository is known yet.",
      advice,
    ),
});

const pageOutput = z.object({
  file: z.string(),
  title: z.string(),
  bytes: z.int(),
  type: z.enum([...diataxisTypes, "unknown"]),
  confidence: z.number(),
  evidence: z.array(z.string()),
});

export const documentationMap = operation({
  name: "documentation_map",
  title: "Map the documentation",
  summary: "Every page with a guess at its kind: tutorial, how-to, reference or explanation.",
  input: z.object({
    path: z.string().min(1).optional().describe("Repository").meta({ path: true }),
    analysisId: z.string().optional().describe("Id of an earlier analysis"),
    ...pagingInputShape,
  }),
  output: envelope(
    z.object({
      kinds: z.record(z.string(), z.int()),
      missing: z.array(z.enum(diataxisTypes)),
      pages: z.array(pageOutput),
      ...listPageShape,
    }),
  ),
  effect: "reads",
  expose: { http: "POST /repository/map", cli: "repository map [path]" },
  example: { path: "." },
  run: withEnvelope(async ({ limit, cursor, ...request }, state, call) => {
    const { analysis } = await resolveAnalysis(state, request, call);
    const { pages = [], documentation } = analysis;
    const kinds = documentation.pagesByType ?? {};
    const { items, ...paging } = pageByKey(pages, { limit, cursor, keyOf: ({ file }) => file });
    return {
      data: {
        kinds,
        missing: diataxisTypes.filter((kind) => !kinds[kind]),
        pages: items,
        ...paging,
      },
      analysisId: analysis.id,
      recommendations: partialAdvice(analysis),
    };
  }),
  present: ({ data, ...advice }) => {
    const lines = data.pages.map(({ file, type, title }) =>
      toPrintable(`${type}  ${file}  ${title}`),
    );
    const rest = data.remaining === undefined ? [] : [`… and ${data.remaining} more.`];
    return renderResult(
      [`${pluralise(data.total, "page")}.`, ...lines, ...rest].join("\n"),
      advice,
    );
  },
});

const maxFiles = 500;

export const findIndexedFiles = operation({
  name: "find_indexed_files",
  title: "Find files in collections",
  summary: "Which files of a repository are documents of a collection, and under which names.",
  input: z.object({
    path: z.string().min(1).describe("Repository").meta({ path: true }),
    files: z.array(z.string().min(1).max(4_096)).max(maxFiles).describe("Relative to it"),
  }),
  output: envelope(
    z.object({ documents: z.record(z.string(), z.string()).describe("File to collection/path") }),
  ),
  effect: "reads",
  expose: { http: "POST /repository/documents" },
  example: { path: ".", files: ["handbook/lending.md"] },
  run: withEnvelope(function* ({ path, files }, state: RepositoryState) {
    const root = resolveRepository(state.boundary, path);
    // Tools called with a folder of pages return files relative to the repository around it.
    const bases = [...new Set([root, findRepositoryRoot(state, root)])];
    const collections = configuredRoots(state.config);
    function* documentAt(path: string): Steps<string | undefined> {
      for (const { name, path: folder } of collections.filter((one) =>
        containsPath(one.path, path),
      )) {
        const relativePath = relative(folder, path).split(sep).join("/");
        const document = yield* state.documents.find(name, relativePath);
        if (document) return `${name}/${relativePath}`;
      }
      return undefined;
    }
    const found = new Map<string, string>();
    for (const file of files) {
      for (const base of bases) {
        const document = yield* documentAt(join(base, file));
        if (document === undefined) continue;
        found.set(file, document);
        break;
      }
    }
    return { data: { documents: Object.fromEntries(found) } };
  }),
});

/** Undefined for a folder that was removed or moved outside the root. */
function admittedFolder({ boundary }: RepositoryState, path: string): string | undefined {
  try {
    return boundary.assertAllowed(path);
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}
