import { statSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import * as z from "zod";
import {
  forgetEntry,
  mayChangeEntry,
  recordEntry,
} from "../../../kernel/approval/agent-entries.ts";
import { type ProjectRef, projectRefAt } from "../../../kernel/approval/project-ref.ts";
import type { Call } from "../../../kernel/call.ts";
import { Failure, invalid, notFound } from "../../../kernel/failure.ts";
import { operationsFor } from "../../../kernel/operation.ts";
import { textBlock } from "../../../kernel/operations/output-block.ts";
import { transaction } from "../../../kernel/storage/steps.ts";
import { unifiedDiff } from "../../../text/edits/diff.ts";
import type { SearchState } from "../state.ts";
import { pendingShape, proposeEntryChange } from "./person-entries.ts";

const operation = operationsFor<SearchState>();

const contextPathInput = z
  .string()
  .min(1)
  .max(4_096)
  .describe("A folder, or collection/folder; applies to everything below it");

/** The current folder. If the only argument names a folder, the text is missing. */
function defaultContextPath({ text }: Record<string, unknown>, root: string): string {
  const argument = String(text ?? "").trim();
  const isFolder = statSync(resolve(root, argument), { throwIfNoEntry: false })?.isDirectory();
  if (argument !== "" && isFolder) throw missingText(argument);
  return root;
}

const missingText = (folder: string): Failure =>
  invalid(`'${folder}' is a folder, but its description is missing.`, [
    `Usage: lectern context add [path] <text...>, such as context add ${folder} "Meeting notes"`,
  ]);

const addContext = operation({
  name: "add_context",
  title: "Add a context",
  summary: "Describe what a folder contains; every result from it includes the description.",
  input: z.object({
    path: contextPathInput.meta({
      shell: {
        default: defaultContextPath,
        label: "the current folder",
      },
    }),
    text: z.string().trim().min(1).max(10_000).describe("What the folder contains"),
  }),
  output: z.object({
    status: z.enum(["added", "pending_approval"]),
    path: z.string(),
    ...pendingShape,
  }),
  effect: "writes",
  expose: { http: "POST /contexts/add", cli: "context add [path] <text...>" },
  example: { path: "handbook", text: "How the archive works" },

  *run({ path, text }, state, call) {
    const { config, changes } = state;
    const key = contextKeyOf(state, path, call);
    if (Object.hasOwn(config.read().collections, text) && key === contextKeyOf(state, ".", call)) {
      throw missingText(text);
    }
    const current = config.read().contexts[key];
    const needsApproval =
      current !== undefined && !(yield* mayChangeEntry(call, "context", key, current));
    if (needsApproval && current === text) return { status: "added" as const, path: key };
    if (needsApproval) {
      const proposed = {
        operation: "add_context" as const,
        input: { path: key, text },
        entry: { kind: "context" as const, name: key },
        summary: `Replace the context of ${key}`,
        preview: unifiedDiff(key, `${current}\n`, `${text}\n`),
        ...changeProjectOf(state, key),
      };
      return { ...(yield* proposeEntryChange(state, proposed, call)), path: key };
    }
    yield* transaction(function* () {
      const before = config.read().contexts[key];
      yield* config.update(({ contexts }) => {
        contexts[key] = text;
      });
      yield* recordEntry(call, "context", key, text);
      yield* changes.record({
        call,
        operation: "add_context",
        summary: `Added context for ${key}`,
        undo:
          before === undefined
            ? { operation: "remove_context", input: { path: key } }
            : { operation: "add_context", input: { path: key, text: before } },
        ...changeProjectOf(state, key),
      });
    });
    call.announce({ topic: "collections.changed" });
    return { status: "added" as const, path: key };
  },

  present: ({ path, message }) => [textBlock(message ?? `Added context for ${path}`)],
});

const listContexts = operation({
  name: "list_contexts",
  title: "List contexts",
  summary: "List the described folders with their descriptions.",
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
    textBlock(
      contexts.map(({ path, text }) => `${path}: ${text}`).join("\n") || "No contexts yet.",
    ),
  ],
});

const removeContext = operation({
  name: "remove_context",
  title: "Remove a context",
  summary: "Remove the description of a folder.",
  input: z.object({ path: contextPathInput }),
  output: z.object({
    status: z.enum(["removed", "pending_approval"]),
    path: z.string(),
    ...pendingShape,
  }),
  effect: "deletes",
  expose: { http: "DELETE /contexts/{path+}", cli: "context rm|remove <path>" },
  example: { path: "notes" },

  *run({ path }, state, call) {
    const { config, changes } = state;
    const { contexts } = config.read();
    const key = candidateKeys(state, path).find((candidate) => contexts[candidate] !== undefined);
    const text = key === undefined ? undefined : contexts[key];
    if (key === undefined || text === undefined) {
      throw notFound(`Context not found: ${path}`, ["`context list` shows all contexts."]);
    }
    if (!(yield* mayChangeEntry(call, "context", key, text))) {
      const proposed = {
        operation: "remove_context" as const,
        input: { path: key },
        entry: { kind: "context" as const, name: key },
        summary: `Remove the context of ${key}`,
        preview: text,
        ...changeProjectOf(state, key),
      };
      return { ...(yield* proposeEntryChange(state, proposed, call)), path: key };
    }
    yield* transaction(function* () {
      yield* config.update((draft) => {
        delete draft.contexts[key];
      });
      yield* forgetEntry("context", key);
      yield* changes.record({
        call,
        operation: "remove_context",
        summary: `Removed context for ${key}`,
        undo: { operation: "add_context", input: { path: key, text } },
        ...changeProjectOf(state, key),
      });
    });
    call.announce({ topic: "collections.changed" });
    return { status: "removed" as const, path: key };
  },

  present: ({ path, message }) => [textBlock(message ?? `Removed context for ${path}`)],
});

export const contextOperations = [addContext, listContexts, removeContext];

/** The key of a context in the configuration: `collection/folder`, or the real path of a folder. */
function contextKeyOf({ config, boundary }: SearchState, path: string, call: Call): string {
  const trimmed = withoutTrailingSlash(path);
  const [collection = ""] = trimmed.split("/");
  if (config.read().collections[collection]) return trimmed;
  if (call.undoing !== undefined && !isAbsolute(path)) throw collectionMissing(collection);
  return boundary.resolvePath(path);
}

/** An undo passes the stored key, which means nothing without its collection. */
const collectionMissing = (collection: string): Failure =>
  new Failure(
    "conflict",
    "collection-gone",
    `This context belongs to the collection '${collection}', which no longer exists.`,
    { hints: ["Undo the removal or renaming of the collection first. Nothing was written."] },
  );

/** The folder of a context, as the project of the change. */
function changeProjectOf({ config }: SearchState, key: string): { project?: ProjectRef } {
  if (isAbsolute(key)) return { project: projectRefAt(key) };
  const [collection = ""] = key.split("/");
  const path = config.read().collections[collection]?.path;
  return path === undefined ? {} : { project: projectRefAt(path) };
}

/** The possible keys for a path. A path in a URL may have lost its leading slash. */
function candidateKeys({ boundary }: SearchState, path: string): string[] {
  const trimmed = withoutTrailingSlash(path);
  const realPath = (() => {
    try {
      return [boundary.resolvePath(path)];
    } catch {
      return [];
    }
  })();
  return [trimmed, `/${trimmed.replace(/^\/+/, "")}`, ...realPath];
}

const withoutTrailingSlash = (path: string): string => path.replace(/(?<=.)\/+$/, "");
