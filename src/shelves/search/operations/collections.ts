import { basename, resolve } from "node:path";
import * as z from "zod";
import {
  forgetEntry,
  mayChangeEntry,
  recordEntry,
} from "../../../kernel/approval/agent-entries.ts";
import { projectRefAt } from "../../../kernel/approval/project-ref.ts";
import { type Call, isPerson } from "../../../kernel/call.ts";
import { Failure, invalid } from "../../../kernel/failure.ts";
import { type Config, collectionNameSchema, defaultPattern } from "../../../kernel/home/config.ts";
import { assertMayNameCollections } from "../../../kernel/home/scoped-config.ts";
import { operationsFor } from "../../../kernel/operation.ts";
import { textBlock } from "../../../kernel/operations/output-block.ts";
import { isFolder } from "../../../kernel/paths/file-stat.ts";
import { type Steps, transaction } from "../../../kernel/storage/steps.ts";
import { globMatcher } from "../../../text/patterns/glob.ts";
import { pluralise } from "../../../text/strings/pluralise.ts";
import { toPrintable } from "../../../text/strings/printable.ts";
import {
  describeCollection,
  describeCollections,
  requireCollection,
} from "../documents/collections.ts";
import { countExtensions, formatUnmatched, unmatchedShape } from "../documents/unmatched-files.ts";
import type { SearchState } from "../state.ts";
import { isInterruptedAdd, revertAdd } from "./incomplete-add.ts";
import { pendingShape, proposeEntryChange } from "./person-entries.ts";
import { formatSkipped, indexingShape, indexRoots, revisionOutput } from "./update.ts";

const operation = operationsFor<SearchState>();

export const collectionNameInput = z.string().min(1).describe("The collection's name");

export const globInput = z
  .string()
  .min(1)
  .max(1_000)
  .refine((pattern) => !globProblem(pattern), { error: ({ input }) => globProblem(String(input)) });

/** The error of an invalid pattern, which would make every scan fail once it is saved. */
function globProblem(pattern: string): string | undefined {
  try {
    globMatcher(pattern);
    return undefined;
  } catch (error) {
    return error instanceof RangeError ? error.message : "it is not a valid pattern";
  }
}

const Collection = z.object({
  name: z.string(),
  path: z.string(),
  pattern: z.string(),
  documents: z.int(),
});

export const addCollection = operation({
  name: "add_collection",
  title: "Add a collection",
  summary: "Index a folder of documents under a name.",
  input: z.object({
    path: z
      .string()
      .min(1)
      .describe("The folder")
      .meta({ path: true, shell: { default: () => ".", label: "the current folder" } }),
    name: collectionNameSchema.describe("The collection's name").meta({
      shell: {
        default: (typed: Record<string, unknown>, root: string) =>
          basename(resolve(root, String(typed.path))),
        label: "the folder's name",
      },
    }),
    globPattern: globInput
      .default(defaultPattern)
      .describe("Files to index; separate patterns with commas")
      .meta({ flag: "mask|glob" }),
    ignore: z.array(globInput).max(100).optional().describe("Patterns of files to skip"),
  }),
  output: z.object({
    status: z.literal("added"),
    name: z.string(),
    path: z.string(),
    documents: z.int(),
    revision: revisionOutput,
    ...indexingShape,
    ...unmatchedShape,
  }),
  effect: "writes",
  expose: { http: "POST /collections/add", cli: "collection add [path]" },
  example: { name: "papers", path: "handbook" },

  async run({ name, path, globPattern, ignore }, state, call) {
    const folder = state.boundary.resolvePath(path);
    assertMayNameCollections(state, call);
    if (!isFolder(folder)) throw invalid(`Invalid parameter 'path': that is not a folder.`);
    const root = { name, path: folder, pattern: globPattern, ignore };
    const adding = transaction(function* () {
      yield* state.config.update(({ collections }) => {
        if (collections[name]) throw nameTaken(name);
        const { name: _, ...collection } = root;
        collections[name] = { ...collection, added: new Date().toISOString() };
      });
      yield* recordEntry(call, "collection", name, state.config.read().collections[name]);
      yield* state.changes.record({
        call,
        operation: "add_collection",
        summary: `Added collection '${name}'`,
        undo: { operation: "remove_collection", input: { name } },
        project: projectRefAt(folder),
      });
    });
    const isContinued = await state.store.run(isInterruptedAdd(state, root, call));
    if (!isContinued) await state.store.run(adding);
    call.announce({ topic: "collections.changed" });
    const { counts: _, ...outcome } = await indexRoots(state, [root], call).catch(async (error) => {
      await revertAdd(state, name, call);
      throw error;
    });
    const { store } = state;
    const documents = await store.run(state.documents.count({ root: name }));
    const revision = await store.run(state.revision());
    const unmatched = documents === 0 && !outcome.partial ? countExtensions(state, root) : {};
    return {
      ...{ status: "added" as const, name, path: folder, documents, revision },
      ...outcome,
      ...unmatched,
    };
  },

  present({ name, documents, partial, skipped, unmatched }, { globPattern }) {
    const soFar = partial ? " so far; indexing continues in the background" : "";
    const added = `Added collection '${name}' with ${pluralise(documents, "document")}${soFar}`;
    const hint = formatUnmatched({ name, pattern: globPattern, unmatched });
    return [textBlock([added, ...hint, ...formatSkipped(skipped)].join("\n"))];
  },
});

const listCollections = operation({
  name: "list_collections",
  title: "List collections",
  summary: "List all collections with their folders, patterns and document counts.",
  input: z.object({}),
  output: z.object({ collections: z.array(Collection) }).meta({ json: "collections" }),
  effect: "reads",
  expose: { http: "GET /collections", cli: "collection list" },
  example: {},
  *run(_input, state) {
    return { collections: yield* describeCollections(state) };
  },
  present: ({ collections }, _input, reader) => [
    textBlock(
      [
        `Collections: ${collections.length}`,
        ...collections.map(({ name, path, pattern, documents }) => {
          const line = `- ${name} (${documents} docs)`;
          return reader === "person" ? `${line}  ${toPrintable(path)}  ${pattern}` : line;
        }),
      ].join("\n"),
    ),
  ],
});

const showCollection = operation({
  name: "show_collection",
  title: "Show a collection",
  summary: "Show the folder, pattern, document count and last indexing time of a collection.",
  input: z.object({ name: collectionNameInput }),
  output: Collection.extend({
    ignore: z.array(z.string()).optional(),
    lastIndexed: z.string(),
  }).meta({ content: false }),
  effect: "reads",
  expose: { http: "GET /collections/{name}", cli: "collection show|info <name>" },
  example: { name: "handbook" },
  *run({ name }, state) {
    const { lastUpdated, ...collection } = yield* describeCollection(state, name);
    return { ...collection, lastIndexed: lastUpdated };
  },
  present: ({ name, path, pattern, ignore = [], documents, lastIndexed }) => [
    textBlock(
      [
        `${name}: ${pluralise(documents, "document")}`,
        `  Folder:       ${toPrintable(path)}`,
        `  Mask:         ${pattern}`,
        ...(ignore.length > 0 ? [`  Ignored:      ${ignore.join(", ")}`] : []),
        `  Last indexed: ${lastIndexed}`,
      ].join("\n"),
    ),
  ],
});

const removeCollection = operation({
  name: "remove_collection",
  title: "Remove a collection",
  summary: "Remove a collection and its index. The folder itself is not changed.",
  input: z.object({ name: collectionNameInput }),
  output: z.object({
    status: z.enum(["removed", "pending_approval"]),
    name: z.string(),
    revision: revisionOutput,
    ...pendingShape,
  }),
  effect: "deletes",
  expose: { http: "DELETE /collections/{name}", cli: "collection remove|rm <name>" },
  example: { name: "spare" },
  *run({ name }, state, call) {
    const { config, indexer, changes } = state;
    const known = requireCollection(config.read(), name);
    if (!(yield* mayChangeEntry(call, "collection", name, known))) {
      return {
        ...(yield* proposeCollectionChange(state, call, {
          operation: "remove_collection",
          input: { name },
          summary: `Remove collection '${name}'`,
        })),
        name,
        revision: yield* state.revision(),
      };
    }
    yield* transaction(function* () {
      const { path, pattern, ignore } = requireCollection(config.read(), name);
      yield* config.update((draft) => {
        delete draft.collections[name];
      });
      yield* forgetEntry("collection", name);
      yield* indexer.removeRoot(name);
      yield* changes.record({
        call,
        operation: "remove_collection",
        summary: `Removed collection '${name}'`,
        undo: { operation: "add_collection", input: { name, path, globPattern: pattern, ignore } },
        project: projectRefAt(path),
      });
    });
    call.announce({ topic: "collections.changed" });
    return { status: "removed" as const, name, revision: yield* state.revision() };
  },
  present: ({ name, message }) => [textBlock(message ?? `Removed collection '${name}'`)],
});

const renameCollection = operation({
  name: "rename_collection",
  title: "Rename a collection",
  summary: "Rename a collection; its documents become `new-name/path`.",
  input: z.object({
    name: collectionNameInput,
    newName: collectionNameSchema.describe("The new name"),
  }),
  output: z.object({
    status: z.enum(["renamed", "pending_approval"]),
    oldName: z.string(),
    newName: z.string(),
    revision: revisionOutput,
    ...pendingShape,
  }),
  effect: "writes",
  expose: { http: "PUT /collections/{name}", cli: "collection rename|mv <name> <newName>" },
  example: { name: "spare", newName: "archive" },
  *run({ name, newName }, state, call) {
    const { config, indexer, changes } = state;
    const known = requireCollection(config.read(), name);
    const { path } = known;
    assertMayNameCollections(state, call);
    if (!(yield* mayChangeEntry(call, "collection", name, known))) {
      if (config.read().collections[newName]) throw nameTaken(newName);
      return {
        ...(yield* proposeCollectionChange(state, call, {
          operation: "rename_collection",
          input: { name, newName },
          summary: `Rename collection '${name}' to '${newName}'`,
        })),
        oldName: name,
        newName,
        revision: yield* state.revision(),
      };
    }
    yield* transaction(function* () {
      yield* config.update((draft) => {
        const collection = requireCollection(config.read(), name);
        if (draft.collections[newName]) throw nameTaken(newName);
        delete draft.collections[name];
        draft.collections[newName] = collection;
        draft.contexts = renameInContexts(draft.contexts, name, newName);
      });
      yield* renameEntries(state, call, { name, newName });
      yield* indexer.renameRoot(name, newName);
      yield* changes.record({
        call,
        operation: "rename_collection",
        summary: `Renamed '${name}' to '${newName}'`,
        undo: { operation: "rename_collection", input: { name: newName, newName: name } },
        project: projectRefAt(path),
      });
    });
    call.announce({ topic: "collections.changed" });
    const revision = yield* state.revision();
    return { status: "renamed" as const, oldName: name, newName, revision };
  },
  present: ({ oldName, newName, message }) => [
    textBlock(message ?? `Renamed '${oldName}' to '${newName}'`),
  ],
});

export const collectionOperations = [
  addCollection,
  listCollections,
  showCollection,
  removeCollection,
  renameCollection,
];

/** Proposes to remove, rename or change a collection that a person added. */
export function* proposeCollectionChange(
  state: SearchState,
  call: Call,
  change: {
    operation: "remove_collection" | "rename_collection" | "set_collection";
    input: { name: string } & Record<string, unknown>;
    summary: string;
  },
): ReturnType<typeof proposeEntryChange> {
  const { name } = change.input;
  const { path } = requireCollection(state.config.read(), name);
  const documents = pluralise(yield* state.documents.count({ root: name }), "document");
  return yield* proposeEntryChange(
    state,
    {
      ...change,
      entry: { kind: "collection", name },
      preview: `${name}: ${documents} in ${path}`,
      project: projectRefAt(path),
    },
    call,
  );
}

/** Renaming by an agent keeps the owners of entries; renaming by a person makes them the person's. */
function* renameEntries(
  { config }: SearchState,
  call: Call,
  { name, newName }: { name: string; newName: string },
): Steps<void> {
  const { collections, contexts } = config.read();
  yield* forgetEntry("collection", name);
  yield* recordEntry(call, "collection", newName, collections[newName]);
  for (const [key, text] of Object.entries(contexts)) {
    if (key !== newName && !key.startsWith(`${newName}/`)) continue;
    const before = name + key.slice(newName.length);
    const isOwn = !isPerson(call) && (yield* mayChangeEntry(call, "context", before, text));
    yield* forgetEntry("context", before);
    if (isOwn) yield* recordEntry(call, "context", key, text);
  }
}

/** Moves the contexts of a collection and its folders to the new name. */
function renameInContexts(
  contexts: Config["contexts"],
  from: string,
  to: string,
): Config["contexts"] {
  const renamed = Object.entries(contexts).map(([path, text]) => {
    const isInside = path === from || path.startsWith(`${from}/`);
    return [isInside ? to + path.slice(from.length) : path, text];
  });
  return Object.fromEntries(renamed);
}

const nameTaken = (name: string): Failure =>
  new Failure("conflict", "conflict", `A collection named '${name}' already exists.`, {
    hints: ["Choose another name, or remove the existing collection first."],
  });
