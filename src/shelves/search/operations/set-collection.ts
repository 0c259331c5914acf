import * as z from "zod";
import { mayChangeEntry, recordEntry } from "../../../kernel/approval/agent-entries.ts";
import { projectRefAt } from "../../../kernel/approval/project-ref.ts";
import { invalid } from "../../../kernel/failure.ts";
import { assertMayNameCollections } from "../../../kernel/home/scoped-config.ts";
import { operationsFor } from "../../../kernel/operation.ts";
import { textBlock } from "../../../kernel/operations/output-block.ts";
import { isFolder } from "../../../kernel/paths/file-stat.ts";
import { type Steps, transaction } from "../../../kernel/storage/steps.ts";
import { pluralise } from "../../../text/strings/pluralise.ts";
import { toPrintable } from "../../../text/strings/printable.ts";
import { requireCollection } from "../documents/collections.ts";
import { countExtensions, formatUnmatched, unmatchedShape } from "../documents/unmatched-files.ts";
import type { SearchState } from "../state.ts";
import { collectionNameInput, globInput, proposeCollectionChange } from "./collections.ts";
import { pendingShape } from "./person-entries.ts";
import { formatSkipped, indexingShape, indexRoots, revisionOutput } from "./update.ts";

const operation = operationsFor<SearchState>();

const setCollection = operation({
  name: "set_collection",
  title: "Change a collection",
  summary: "Change the folder, the mask or the skipped files of a collection, and index it again.",
  input: z.object({
    name: collectionNameInput,
    path: z.string().min(1).optional().describe("New folder").meta({ path: true }),
    globPattern: globInput
      .optional()
      .describe("New files to index; separate patterns with commas")
      .meta({ flag: "mask|glob" }),
    ignore: z
      .array(globInput)
      .max(100)
      .optional()
      .describe("Patterns of files to skip; replaces the existing ones"),
  }),
  output: z.object({
    status: z.enum(["changed", "pending_approval"]),
    name: z.string(),
    path: z.string(),
    pattern: z.string(),
    documents: z.int(),
    revision: revisionOutput,
    ...indexingShape,
    ...unmatchedShape,
    ...pendingShape,
  }),
  effect: "writes",
  expose: { http: "PUT /collections/{name}/settings", cli: "collection set <name>" },
  example: { name: "spare", path: "handbook" },

  async run({ name, path, globPattern, ignore }, state, call) {
    const { config, boundary, changes, documents, store } = state;
    if (path === undefined && globPattern === undefined && ignore === undefined) {
      throw invalid("Nothing to change: give a mask, a path, or patterns of files to skip.");
    }
    const known = requireCollection(config.read(), name);
    assertMayNameCollections(state, call);
    const folder = path === undefined ? known.path : boundary.resolvePath(path);
    if (path !== undefined && !isFolder(folder)) {
      throw invalid("Invalid parameter 'path': that is not a folder.");
    }
    const changed = {
      ...known,
      path: folder,
      pattern: globPattern ?? known.pattern,
      ...(ignore !== undefined && { ignore }),
    };
    const { pattern } = changed;
    if (!(await store.run(mayChangeEntry(call, "collection", name, known)))) {
      const proposing = proposeCollectionChange(state, call, {
        operation: "set_collection",
        input: { name, path: folder, globPattern: pattern, ...(ignore && { ignore }) },
        summary: `Change collection '${name}' to ${pattern} in ${folder}`,
      });
      const proposal = await store.run(proposing);
      const count = await store.run(documents.count({ root: name }));
      const revision = await store.run(state.revision());
      return {
        ...proposal,
        name,
        path: known.path,
        pattern: known.pattern,
        documents: count,
        revision,
      };
    }
    function* write(collection: typeof known): Steps<void> {
      yield* config.update((draft) => {
        requireCollection(draft, name);
        draft.collections[name] = collection;
      });
      yield* recordEntry(call, "collection", name, config.read().collections[name]);
    }
    // A change of the folder can be undone from the project of either folder.
    const projects = [projectRefAt(known.path), projectRefAt(folder)] as const;
    const changing = transaction(function* () {
      yield* write(changed);
      yield* changes.record({
        call,
        operation: "set_collection",
        summary: `Changed collection '${name}'`,
        undo: {
          operation: "set_collection",
          input: {
            name,
            path: known.path,
            globPattern: known.pattern,
            ignore: [...(known.ignore ?? [])],
          },
        },
        project: projects.find(({ root }) => root === call.project) ?? projects[0],
      });
    });
    await store.run(changing);
    call.announce({ topic: "collections.changed" });
    const root = { name, path: folder, pattern, ignore: changed.ignore };
    const { counts: _, ...outcome } = await indexRoots(state, [root], call).catch(async (error) => {
      // Settings that cannot be indexed are not kept, because every later scan would fail.
      await store.run(transaction(() => write(known)));
      throw error;
    });
    const count = await store.run(documents.count({ root: name }));
    return {
      ...{ status: "changed" as const, name, path: folder, pattern, documents: count },
      revision: await store.run(state.revision()),
      ...outcome,
      ...(count === 0 && !outcome.partial && countExtensions(state, root)),
    };
  },

  present({ name, path, pattern, documents, message, partial, skipped, unmatched }) {
    if (message !== undefined) return [textBlock(message)];
    const soFar = partial ? " so far; indexing continues in the background" : "";
    const count = pluralise(documents, "document");
    const changed = `Changed collection '${name}' to ${pattern} in ${toPrintable(path)}: ${count}${soFar}`;
    const hint = formatUnmatched({ name, pattern, unmatched });
    return [textBlock([changed, ...hint, ...formatSkipped(skipped)].join("\n"))];
  },
});

export const setCollectionOperations = [setCollection];
