import { statSync } from "node:fs";
import { basename, resolve } from "node:path";
import * as z from "zod";
import { text } from "../../../kernel/block.ts";
import { listCap } from "../../../kernel/bounded.ts";
import type { Call } from "../../../kernel/call.ts";
import { type Config, collectionName } from "../../../kernel/config.ts";
import type { Root } from "../../../kernel/documents.ts";
import { Failure, invalid, notFound } from "../../../kernel/failure.ts";
import { pull } from "../../../kernel/git.ts";
import { operationsOn } from "../../../kernel/operation.ts";
import { counted } from "../../../text/counted.ts";
import { globMatcher } from "../../../text/glob.ts";
import { nearest } from "../../../text/similar-names.ts";
import { visible } from "../../../text/visible.ts";
import type { SearchState } from "../state.ts";

const operation = operationsOn<SearchState>();

const name = z.string().min(1).describe("The collection's name");

const glob = z
  .string()
  .min(1)
  .max(1_000)
  .refine((pattern) => !problemOf(pattern), { error: ({ input }) => problemOf(String(input)) });

/** What is wrong with a pattern, before it is written down and every scan stumbles over it. */
function problemOf(pattern: string): string | undefined {
  try {
    globMatcher(pattern);
    return undefined;
  } catch (error) {
    return error instanceof RangeError ? error.message : "it cannot be read";
  }
}

const indexing = {
  partial: z.boolean().optional().describe("True where indexing goes on in the background"),
  skipped: z
    .array(z.object({ path: z.string(), reason: z.string() }))
    .optional()
    .describe("Files that could not be read as text"),
};

/** Given to a search as `minRevision`, it finds at least what this answer speaks of. */
const revision = z.int().describe("The index with this change in it");

const Collection = z.object({
  name: z.string(),
  path: z.string(),
  pattern: z.string(),
  documents: z.int(),
});

export const addCollection = operation({
  name: "add_collection",
  title: "Add a collection",
  summary: "Take a folder of documents into the index, under a name.",
  input: z.object({
    path: z
      .string()
      .min(1)
      .describe("The folder")
      .meta({ path: true, shell: { default: () => ".", says: "the current folder" } }),
    name: collectionName.describe("The collection's name").meta({
      shell: {
        default: (typed: Record<string, unknown>, root: string) =>
          basename(resolve(root, String(typed.path))),
        says: "the folder's name",
      },
    }),
    globPattern: glob
      .default("**/*.md")
      .describe("Which files; commas join patterns")
      .meta({ flag: "mask|glob" }),
    ignore: z.array(glob).max(100).optional().describe("Files to leave out, by pattern"),
  }),
  output: z.object({
    status: z.literal("added"),
    name: z.string(),
    path: z.string(),
    documents: z.int(),
    revision,
    ...indexing,
  }),
  effect: "writes",
  expose: { http: "POST /collections/add", cli: "collection add [path]" },
  example: { name: "papers", path: "handbook" },

  async run({ name, path, globPattern, ignore }, state, call) {
    const folder = state.boundary.enter(path);
    if (!statSync(folder).isDirectory())
      throw invalid(`Invalid parameter 'path': that is not a folder.`);
    const root = { name, path: folder, pattern: globPattern, ignore };
    state.db.transaction(() => {
      state.config.update(({ collections }) => {
        if (collections[name]) throw taken(name);
        const { name: _, ...collection } = root;
        collections[name] = { ...collection, added: new Date().toISOString() };
      });
      state.changes.record({
        call,
        operation: "add_collection",
        summary: `Added collection '${name}'`,
        undo: { operation: "remove_collection", input: { name } },
      });
    });
    call.announce({ topic: "collections.changed" });
    const ended = await indexed(state, [root], call);
    const documents = state.documents.count({ root: name });
    const revision = state.revision();
    return { status: "added" as const, name, path: folder, documents, revision, ...ended };
  },

  present({ name, documents, partial, skipped }) {
    const sofar = partial ? " so far; the rest follows" : "";
    const added = `Added collection '${name}' with ${counted(documents, "document")}${sofar}`;
    return [text([added, ...skippedLines(skipped)].join("\n"))];
  },
});

const listCollections = operation({
  name: "list_collections",
  title: "List collections",
  summary: "All collections with their folders, patterns and numbers of documents.",
  input: z.object({}),
  output: z.object({ collections: z.array(Collection) }).meta({ json: "collections" }),
  effect: "reads",
  expose: { http: "GET /collections", cli: "collection list" },
  example: {},
  run: (_input, state) => ({ collections: collectionsOf(state) }),
  present: ({ collections }) => [
    text(
      [
        `Collections: ${collections.length}`,
        ...collections.map(({ name, documents }) => `- ${name} (${documents} docs)`),
      ].join("\n"),
    ),
  ],
});

const showCollection = operation({
  name: "show_collection",
  title: "Show a collection",
  summary: "One collection: its folder, pattern, number of documents, and when it was last read.",
  input: z.object({ name }),
  output: Collection.extend({ lastIndexed: z.string() }),
  effect: "reads",
  expose: { http: "GET /collections/{name}", cli: "collection show|info <name>" },
  example: { name: "handbook" },
  run({ name }, state) {
    const { lastUpdated, ...collection } = describe(state, name);
    return { ...collection, lastIndexed: lastUpdated };
  },
});

const removeCollection = operation({
  name: "remove_collection",
  title: "Remove a collection",
  summary: "Forget a collection and its index. The folder itself is never touched.",
  input: z.object({ name }),
  output: z.object({ status: z.literal("removed"), name: z.string(), revision }),
  effect: "deletes",
  expose: { http: "DELETE /collections/{name}", cli: "collection remove|rm <name>" },
  example: { name: "spare" },
  run({ name }, state, call) {
    const { config, intake, changes, db } = state;
    db.transaction(() => {
      const { path, pattern, ignore } = collectionNamed(config.read(), name);
      config.update((draft) => {
        delete draft.collections[name];
      });
      intake.forget(name);
      changes.record({
        call,
        operation: "remove_collection",
        summary: `Removed collection '${name}'`,
        undo: { operation: "add_collection", input: { name, path, globPattern: pattern, ignore } },
      });
    });
    call.announce({ topic: "collections.changed" });
    return { status: "removed" as const, name, revision: state.revision() };
  },
  present: ({ name }) => [text(`Removed collection '${name}'`)],
});

const renameCollection = operation({
  name: "rename_collection",
  title: "Rename a collection",
  summary: "Give a collection another name; its documents are then `new-name/path`.",
  input: z.object({ name, newName: collectionName.describe("The name it gets") }),
  output: z.object({
    status: z.literal("renamed"),
    oldName: z.string(),
    newName: z.string(),
    revision,
  }),
  effect: "writes",
  expose: { http: "PUT /collections/{name}", cli: "collection rename|mv <name> <newName>" },
  example: { name: "spare", newName: "archive" },
  run({ name, newName }, state, call) {
    const { config, intake, changes, db } = state;
    db.transaction(() => {
      config.update((draft) => {
        const collection = collectionNamed(config.read(), name);
        if (draft.collections[newName]) throw taken(newName);
        delete draft.collections[name];
        draft.collections[newName] = collection;
        draft.contexts = withRenamed(draft.contexts, name, newName);
      });
      intake.rename(name, newName);
      changes.record({
        call,
        operation: "rename_collection",
        summary: `Renamed '${name}' to '${newName}'`,
        undo: { operation: "rename_collection", input: { name: newName, newName: name } },
      });
    });
    call.announce({ topic: "collections.changed" });
    return { status: "renamed" as const, oldName: name, newName, revision: state.revision() };
  },
  present: ({ oldName, newName }) => [text(`Renamed '${oldName}' to '${newName}'`)],
});

const updateCollections = operation({
  name: "update_collections",
  title: "Update all collections",
  summary: "Compare every collection with its folder and take in what changed.",
  input: z.object({
    pull: z.boolean().default(false).describe("First pull those that are in a git repository"),
  }),
  output: z.object({
    status: z.literal("updated"),
    collections: z.int(),
    revision,
    notPulled: z
      .array(z.object({ name: z.string(), reason: z.string() }))
      .optional()
      .describe("Collections whose pull failed; they are updated as they are"),
    ...indexing,
  }),
  effect: "writes",
  network: true,
  expose: { http: "POST /update", cli: "update" },
  example: {},
  async run({ pull: isWanted }, state, call) {
    const notPulled = isWanted ? await pullAll(state, call) : [];
    state.intake.forgetAllBut(state.roots);
    const ended = await indexed(state, state.roots(), call);
    const collections = Object.keys(state.config.read().collections).length;
    return {
      status: "updated" as const,
      collections,
      revision: state.revision(),
      ...(notPulled.length > 0 && { notPulled }),
      ...ended,
    };
  },
  present({ collections, notPulled = [], skipped }) {
    const problems = notPulled.map(({ name, reason }) => `Could not pull '${name}': ${reason}`);
    const updated = `Updated ${counted(collections, "collection")}`;
    return [text([updated, ...problems, ...skippedLines(skipped)].join("\n"))];
  },
});

const indexCollections = operation({
  name: "index_collections",
  title: "Index all collections",
  summary: "Read every collection, take in new documents and update the known ones.",
  input: z.object({}),
  output: z.object({
    status: z.literal("indexed"),
    collections: z.int(),
    totalDocuments: z.int(),
    revision,
    ...indexing,
  }),
  effect: "writes",
  expose: { http: "POST /index", cli: "index" },
  example: {},
  async run(_input, state, call) {
    const ended = await indexed(state, state.roots(), call);
    const collections = Object.keys(state.config.read().collections).length;
    const totalDocuments = state.documents.count();
    const revision = state.revision();
    return { status: "indexed" as const, collections, totalDocuments, revision, ...ended };
  },
  present({ collections, totalDocuments, skipped }) {
    const number = `${counted(collections, "collection")}: ${counted(totalDocuments, "document")}`;
    return [text([`Indexed ${number}`, ...skippedLines(skipped)].join("\n"))];
  },
});

export const collectionOperations = [
  addCollection,
  listCollections,
  showCollection,
  removeCollection,
  renameCollection,
  updateCollections,
  indexCollections,
];

/** What was said of a collection and its folders is said of them under the new name. */
function withRenamed(contexts: Config["contexts"], from: string, to: string): Config["contexts"] {
  const renamed = Object.entries(contexts).map(([path, words]) => {
    const isInside = path === from || path.startsWith(`${from}/`);
    return [isInside ? to + path.slice(from.length) : path, words];
  });
  return Object.fromEntries(renamed);
}

/** One after the other, in the queue: two pulls of one repository would stand in each other's way. */
async function pullAll({ config, queue }: SearchState, call: Call) {
  const failed: { name: string; reason: string }[] = [];
  for (const [name, { path }] of Object.entries(config.read().collections)) {
    const ended = await queue.run("pull", () => pull(path, call.signal));
    if (typeof ended === "object") failed.push({ name, reason: ended.problem });
  }
  return failed;
}

function skippedLines(skipped: z.output<typeof indexing.skipped> = []): string[] {
  if (skipped.length === 0) return [];
  const shown = skipped.slice(0, 5).map(({ path, reason }) => `  ${visible(path)}: ${reason}`);
  return [`Skipped ${counted(skipped.length, "file")}:`, ...shown];
}

/** Every collection as the index has it, in the order of their names. */
export const collectionsOf = (state: SearchState) =>
  Object.keys(state.config.read().collections)
    .sort()
    .map((name) => describe(state, name));

function describe({ config, documents }: SearchState, name: string) {
  const { path, pattern, ignore, added } = collectionNamed(config.read(), name);
  const read = documents.lastRead(name) || Date.parse(added ?? "") || 0;
  return {
    name,
    path,
    pattern,
    ignore,
    documents: documents.count({ root: name }),
    lastUpdated: new Date(read).toISOString(),
  };
}

/** A collection by its name; a wrong one is an error and never an empty result. */
export function collectionNamed(config: Config, name: string): Config["collections"][string] {
  const known = config.collections[name];
  if (known) return known;
  const names = Object.keys(config.collections);
  const guess = nearest(name, names)[0];
  throw notFound(`Collection not found: ${name}`, [
    guess ? `Did you mean '${guess}'?` : `Collections: ${names.join(", ") || "none yet"}.`,
  ]);
}

const taken = (name: string): Failure =>
  new Failure("conflict", "conflict", `A collection '${name}' is there already.`, {
    hints: ["Choose another name, or remove that one first."],
  });

/**
 * Indexes in the queue, one job at a time. A call whose time is up is answered while the job goes
 * on: nothing is lost by it, and the next `status` shows how far it came.
 */
async function indexed(state: SearchState, roots: Root[], call: Call) {
  const job = state.queue.run("index", () =>
    state.intake.scan(roots, { onProgress: (done) => call.progress(done) }),
  );
  const timeIsUp = new Promise<undefined>((resolve) => {
    if (call.signal.aborted) resolve(undefined);
    call.signal.addEventListener("abort", () => resolve(undefined), { once: true });
  });
  const result = await Promise.race([job, timeIsUp]);
  if (!result) return { partial: true };
  const { skipped } = result;
  return skipped.length === 0 ? {} : { skipped: skipped.slice(0, listCap) };
}
