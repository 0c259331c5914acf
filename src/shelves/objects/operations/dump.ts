import * as z from "zod";
import { operationsFor } from "../../../kernel/operation.ts";
import { toPlainJson } from "../../../text/objects/values/json.ts";
import { AnyRecord } from "../any-record.ts";
import { pageByKey, pageBySortedKey, pageInput, pageOutput } from "../pagination.ts";
import type { ObjectsState } from "../state.ts";
import { namespaceFilter, namespaceInput, pathInput } from "../tool-arguments.ts";
import type { WorkspaceObject } from "../workspace/workspace-object.ts";

const operation = operationsFor<ObjectsState>();

const dumpIndex = operation({
  name: "qmdc_dump_index",
  title: "Dump the index",
  summary: "All files and complete objects of the workspace, in pages. For exports and debugging.",
  input: z.object({
    path: pathInput,
    namespace: namespaceInput,
    kind: z.string().max(1_000).optional().describe("Only objects of this kind"),
    ...pageInput,
    files_cursor: z
      .string()
      .max(8_192)
      .optional()
      .describe("files_next_cursor of the previous page"),
  }),
  output: z.object({
    root: z.string(),
    workspace_id: z.string().nullable(),
    file_count: z.int(),
    object_count: z.int(),
    files: z.array(z.string()),
    objects: z.array(AnyRecord),
    files_truncated: z.boolean(),
    files_remaining: z.int().optional(),
    files_next_cursor: z.string().optional(),
    ...pageOutput,
  }),
  effect: "reads",
  expose: { mcp: true, cli: "objects dump <path>" },
  example: { path: "catalogue", limit: 1 },

  async run({ path, namespace, kind, files_cursor, ...page }, { workspaces }) {
    const view = await workspaces.read(path);
    const isIn = namespaceFilter(namespace);
    const chosen = view.sortedObjects.filter(
      (object) => isIn(object) && (kind === undefined || object.kind === kind),
    );
    const { items, pageInfo } = pageBySortedKey(chosen, ({ globalId }) => globalId, page);
    const files = pageByKey(view.files, (file) => file, {
      limit: maxFilesShown,
      cursor: files_cursor,
    });
    return {
      root: view.root,
      workspace_id: view.id,
      file_count: view.files.length,
      object_count: view.objects.length,
      files: files.items,
      objects: items.map(toCompleteRecord),
      files_truncated: files.pageInfo.truncated,
      ...(files.pageInfo.truncated && {
        files_remaining: files.pageInfo.remaining,
        files_next_cursor: files.pageInfo.next_cursor,
      }),
      ...pageInfo,
    };
  },
});

const maxFilesShown = 200;

/** The parsed record with its file, line, workspace, namespace and global id. */
function toCompleteRecord(object: WorkspaceObject): Record<string, unknown> {
  const record = Object.fromEntries(
    [...object.record].map(([key, value]) => [key, toPlainJson(value)]),
  );
  return {
    ...record,
    __file: object.file,
    __line: object.line,
    ...(object.workspace && { __workspace: object.workspace }),
    ...(object.namespace && { __namespace: object.namespace }),
    __global_id: object.globalId,
  };
}

export const dumpOperations = [dumpIndex];
