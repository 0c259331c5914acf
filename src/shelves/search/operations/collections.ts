import { basename, resolve } from "node:path";
import * as z from "zod";
import { text } from "../../../kernel/block.ts";
import type { Call } from "../../../kernel/call.ts";
import { type Config, collectionName } from "../../../kernel/config.ts";
import { refuseNaming } from "../../../kernel/enclosure.ts";
import { Failure, invalid } from "../../../kernel/failure.ts";
import { operationsOn } from "../../../kernel/operation.ts";
import { isFolder } from "../../../kernel/path-kind.ts";
import { projectAt } from "../../../kernel/project-root.ts";
import { counted } from "../../../text/counted.ts";
import { globMatcher } from "../../../text/glob.ts";
import { collectionNamed, collectionsOf, describeCollection } from "../collections.ts";
import type { SearchState } from "../state.ts";
import { indexed, indexing, revision, skippedLines } from "./indexing.ts";

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
    refuseNaming(state, call);
    if (!isFolder(folder)) throw invalid(`Invalid parameter 'path': that is not a folder.`);
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
        project: projectAt(folder),
      });
    });
    call.announce({ topic: "collections.changed" });
    const ended = await indexed(state, [root], call).catch((error) => {
      takeBack(state, name, call);
      throw error;
    });
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
    const { lastUpdated, ...collection } = describeCollection(state, name);
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
        project: projectAt(path),
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
    const { path } = collectionNamed(config.read(), name);
    refuseNaming(state, call);
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
        project: projectAt(path),
      });
    });
    call.announce({ topic: "collections.changed" });
    return { status: "renamed" as const, oldName: name, newName, revision: state.revision() };
  },
  present: ({ oldName, newName }) => [text(`Renamed '${oldName}' to '${newName}'`)],
});

export const collectionOperations = [
  addCollection,
  listCollections,
  showCollection,
  removeCollection,
  renameCollection,
];

/** A collection whose first reading fails is not kept: every later reading would fail with it. */
function takeBack({ config, intake, changes, db, log }: SearchState, name: string, call: Call) {
  try {
    db.transaction(() => {
      config.update(({ collections }) => {
        delete collections[name];
      });
      intake.forget(name);
      changes.record({
        call,
        operation: "add_collection",
        summary: `Took collection '${name}' back, because it could not be read`,
      });
    });
    call.announce({ topic: "collections.changed" });
  } catch (cause) {
    // What kept it from being read may keep it from being removed; the caller hears of the first.
    log("error", "could not take a collection back", { name, cause });
  }
}

/** What was said of a collection and its folders is said of them under the new name. */
function withRenamed(contexts: Config["contexts"], from: string, to: string): Config["contexts"] {
  const renamed = Object.entries(contexts).map(([path, words]) => {
    const isInside = path === from || path.startsWith(`${from}/`);
    return [isInside ? to + path.slice(from.length) : path, words];
  });
  return Object.fromEntries(renamed);
}

const taken = (name: string): Failure =>
  new Failure("conflict", "conflict", `A collection '${name}' is there already.`, {
    hints: ["Choose another name, or remove that one first."],
  });
