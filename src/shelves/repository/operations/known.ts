import { existsSync } from "node:fs";
import { basename, join, relative, sep } from "node:path";
import * as z from "zod";
import { contains } from "../../../kernel/boundary.ts";
import { bounded, boundedShape, pagingShape } from "../../../kernel/bounded.ts";
import { rootsOf } from "../../../kernel/config.ts";
import { Failure } from "../../../kernel/failure.ts";
import { operationsOn } from "../../../kernel/operation.ts";
import { counted } from "../../../text/counted.ts";
import { diataxisTypes } from "../../../text/diataxis.ts";
import { visible } from "../../../text/visible.ts";
import { askedAnalysis, partialAdvice } from "../asked-analysis.ts";
import { answering, envelope, told } from "../envelope.ts";
import { enterRepository } from "../repository-path.ts";
import { repositoryAbove } from "../repository-tree.ts";
import type { RepositoryState } from "../state.ts";

const operation = operationsOn<RepositoryState>();

const origins = ["root", "collection", "analysed"] as const;

export const listRepositories = operation({
  name: "list_repositories",
  title: "List repositories",
  summary:
    "Folders to look at: where the server was started, those of collections, those analysed.",
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
  run: answering((_input, state) => {
    const places = [
      ...(state.boundary.holds(state.settings.root)
        ? [{ path: state.settings.root, origin: "root" as const }]
        : []),
      ...rootsOf(state.config)
        .filter(({ path }) => existsSync(path))
        .map(({ path }) => ({ path: repositoryAbove(state, path), origin: "collection" as const })),
      ...state.analyses.all().map(({ root }) => ({ path: root, origin: "analysed" as const })),
    ];
    const known = new Map<string, (typeof places)[number]>();
    for (const { path, origin } of places) {
      const real = realFolder(state, path);
      if (real !== undefined && !known.has(real)) known.set(real, { path: real, origin });
    }
    const repositories = [...known.values()].map((one) => ({ ...one, name: basename(one.path) }));
    return { data: { repositories } };
  }),
  present: ({ data, ...said }) =>
    told(
      data.repositories.map(({ path, origin }) => visible(`${path} (${origin})`)).join("\n") ||
        "No repository is known yet.",
      said,
    ),
});

const ShownPage = z.object({
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
    analysisId: z.string().optional().describe("An analysis that was made before"),
    ...pagingShape,
  }),
  output: envelope(
    z.object({
      kinds: z.record(z.string(), z.int()),
      missing: z.array(z.enum(diataxisTypes)),
      pages: z.array(ShownPage),
      ...boundedShape,
    }),
  ),
  effect: "reads",
  expose: { http: "POST /repository/map", cli: "repository map [path]" },
  example: { path: "." },
  run: answering(async ({ limit, cursor, ...asked }, state, call) => {
    const { analysis } = await askedAnalysis(state, asked, call);
    const { pages = [], documentation } = analysis;
    const kinds = documentation.pagesByType ?? {};
    const { items, ...paging } = bounded(pages, { limit, cursor, keyOf: ({ file }) => file });
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
  present: ({ data, ...said }) => {
    const lines = data.pages.map(({ file, type, title }) => visible(`${type}  ${file}  ${title}`));
    const rest = data.remaining === undefined ? [] : [`… and ${data.remaining} more.`];
    return told([`${counted(data.total, "page")}.`, ...lines, ...rest].join("\n"), said);
  },
});

const mostFiles = 500;

export const findIndexedFiles = operation({
  name: "find_indexed_files",
  title: "Find files in collections",
  summary: "Which files of a repository are documents of a collection, and under which names.",
  input: z.object({
    path: z.string().min(1).describe("Repository").meta({ path: true }),
    files: z.array(z.string().min(1).max(4_096)).max(mostFiles).describe("Relative to it"),
  }),
  output: envelope(
    z.object({ documents: z.record(z.string(), z.string()).describe("File to collection/path") }),
  ),
  effect: "reads",
  expose: { http: "POST /repository/documents" },
  example: { path: ".", files: ["handbook/lending.md"] },
  run: answering(({ path, files }, state) => {
    const root = enterRepository(state.boundary, path);
    // Tools that were given a folder of pages name files from the repository around it.
    const bases = [...new Set([root, repositoryAbove(state, root)])];
    const collections = rootsOf(state.config);
    const documentAt = (place: string): string | undefined => {
      for (const { name, path: folder } of collections.filter((one) => contains(one.path, place))) {
        const inside = relative(folder, place).split(sep).join("/");
        if (state.documents.find(name, inside)) return `${name}/${inside}`;
      }
      return undefined;
    };
    const found = files.flatMap((file) => {
      const document = bases.map((base) => documentAt(join(base, file))).find(Boolean);
      return document === undefined ? [] : [[file, document] as const];
    });
    return { data: { documents: Object.fromEntries(found) } };
  }),
});

/** Nothing for a folder that is gone, or was moved outside the root meanwhile. */
function realFolder({ boundary }: RepositoryState, path: string): string | undefined {
  try {
    return boundary.admit(path);
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}
