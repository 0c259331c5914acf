import { statSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import * as z from "zod";
import { text } from "../../../kernel/block.ts";
import { type Failure, invalid, notFound } from "../../../kernel/failure.ts";
import { operationsOn } from "../../../kernel/operation.ts";
import { type ProjectRoot, projectAt } from "../../../kernel/project-root.ts";
import type { SearchState } from "../state.ts";

const operation = operationsOn<SearchState>();

const path = z
  .string()
  .min(1)
  .max(4_096)
  .describe("A folder, or collection/folder; it holds for all below");

/** Who types one word speaks of this folder, unless the word is itself a place. */
function currentFolder({ text: words }: Record<string, unknown>, root: string): string {
  const given = String(words ?? "").trim();
  const isFolder = statSync(resolve(root, given), { throwIfNoEntry: false })?.isDirectory();
  if (given !== "" && isFolder) throw textForgotten(given);
  return root;
}

const textForgotten = (place: string): Failure =>
  invalid(`'${place}' is a place; what it holds is missing.`, [
    `Usage: lectern context add [path] <text...>, such as context add ${place} "What it holds"`,
  ]);

const addContext = operation({
  name: "add_context",
  title: "Add a context",
  summary: "Say in a sentence what a folder holds; every result from it carries the sentence.",
  input: z.object({
    path: path.meta({
      shell: {
        default: currentFolder,
        says: "the current folder",
      },
    }),
    text: z.string().trim().min(1).max(10_000).describe("What the folder holds"),
  }),
  output: z.object({ status: z.literal("added"), path: z.string() }),
  effect: "writes",
  expose: { http: "POST /contexts/add", cli: "context add [path] <text...>" },
  example: { path: "handbook", text: "How the archive works" },

  run({ path, text: words }, state, call) {
    const { config, changes, db } = state;
    const place = placeOf(state, path);
    if (Object.hasOwn(config.read().collections, words) && place === placeOf(state, ".")) {
      throw textForgotten(words);
    }
    db.transaction(() => {
      const before = config.read().contexts[place];
      config.update(({ contexts }) => {
        contexts[place] = words;
      });
      changes.record({
        call,
        operation: "add_context",
        summary: `Added context for ${place}`,
        undo:
          before === undefined
            ? { operation: "remove_context", input: { path: place } }
            : { operation: "add_context", input: { path: place, text: before } },
        ...projectOf(state, place),
      });
    });
    call.announce({ topic: "collections.changed" });
    return { status: "added" as const, path: place };
  },

  present: ({ path }) => [text(`Added context for ${path}`)],
});

const listContexts = operation({
  name: "list_contexts",
  title: "List contexts",
  summary: "Every folder that people described, with what they say of it.",
  input: z.object({}),
  output: z
    .object({ contexts: z.array(z.object({ path: z.string(), text: z.string() })) })
    .meta({ json: "contexts" }),
  effect: "reads",
  expose: { http: "GET /contexts", cli: "context list" },
  example: {},

  run: (_input, { config }) => ({
    contexts: Object.entries(config.read().contexts)
      .map(([path, text]) => ({ path, text }))
      .sort((a, b) => (a.path < b.path ? -1 : 1)),
  }),

  present: ({ contexts }) => [
    text(contexts.map(({ path, text }) => `${path}: ${text}`).join("\n") || "No contexts yet."),
  ],
});

const removeContext = operation({
  name: "remove_context",
  title: "Remove a context",
  summary: "Forget what was said of a folder.",
  input: z.object({ path }),
  output: z.object({ status: z.literal("removed"), path: z.string() }),
  effect: "deletes",
  expose: { http: "DELETE /contexts/{path+}", cli: "context rm|remove <path>" },
  example: { path: "notes" },

  run({ path }, state, call) {
    const { config, changes, db } = state;
    const { contexts } = config.read();
    const place = formsOf(state, path).find((form) => contexts[form] !== undefined);
    const words = place === undefined ? undefined : contexts[place];
    if (place === undefined || words === undefined) {
      throw notFound(`Context not found: ${path}`, ["`context list` shows them."]);
    }
    db.transaction(() => {
      config.update((draft) => {
        delete draft.contexts[place];
      });
      changes.record({
        call,
        operation: "remove_context",
        summary: `Removed context for ${place}`,
        undo: { operation: "add_context", input: { path: place, text: words } },
        ...projectOf(state, place),
      });
    });
    call.announce({ topic: "collections.changed" });
    return { status: "removed" as const, path: place };
  },

  present: ({ path }) => [text(`Removed context for ${path}`)],
});

export const contextOperations = [addContext, listContexts, removeContext];

/** The form in which a context is kept: `collection/folder`, or the real path of a folder. */
function placeOf({ config, boundary }: SearchState, given: string): string {
  const trimmed = withoutEnd(given);
  const [collection = ""] = trimmed.split("/");
  return config.read().collections[collection] ? trimmed : boundary.enter(given);
}

/** The folder that a context is about, as the project of the change. */
function projectOf({ config }: SearchState, place: string): { project?: ProjectRoot } {
  if (isAbsolute(place)) return { project: projectAt(place) };
  const [collection = ""] = place.split("/");
  const path = config.read().collections[collection]?.path;
  return path === undefined ? {} : { project: projectAt(path) };
}

/** A path in an address may have lost its first slash. */
function formsOf({ boundary }: SearchState, given: string): string[] {
  const trimmed = withoutEnd(given);
  const real = (() => {
    try {
      return [boundary.enter(given)];
    } catch {
      return [];
    }
  })();
  return [trimmed, `/${trimmed.replace(/^\/+/, "")}`, ...real];
}

const withoutEnd = (path: string): string => path.replace(/(?<=.)\/+$/, "");
