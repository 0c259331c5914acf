import * as z from "zod";
import { operationsOn } from "../../../kernel/operation.ts";
import { plain } from "../../../text/objects/json.ts";
import { inNamespace, namespaceInput, pathInput } from "../asked.ts";
import { FreeRecord } from "../free-record.ts";
import { pageInOrder, pageInput, pageOf, pageOutput } from "../page.ts";
import type { ObjectsState } from "../state.ts";
import type { WorkspaceObject } from "../workspace-object.ts";

const operation = operationsOn<ObjectsState>();

const dumpIndex = operation({
  name: "qmdc_dump_index",
  title: "Dump the index",
  summary: "Files and complete objects of the workspace, paged; for exports and debugging.",
  input: z.object({
    path: pathInput,
    namespace: namespaceInput,
    kind: z.string().max(1_000).optional().describe("Only this kind"),
    ...pageInput,
    files_cursor: z.string().max(8_192).optional().describe("files_next_cursor of the page before"),
  }),
  output: z.object({
    root: z.string(),
    workspace_id: z.string().nullable(),
    file_count: z.int(),
    object_count: z.int(),
    files: z.array(z.string()),
    objects: z.array(FreeRecord),
    files_truncated: z.boolean(),
    files_remaining: z.int().optional(),
    files_next_cursor: z.string().optional(),
    ...pageOutput,
  }),
  effect: "reads",
  expose: { mcp: true, cli: "objects dump <path>" },
  example: { path: "catalogue", limit: 1 },

  async run({ path, namespace, kind, files_cursor, ...asked }, { workspaces }) {
    const view = await workspaces.at(path);
    const isIn = inNamespace(namespace);
    const chosen = view.inOrder.filter(
      (object) => isIn(object) && (kind === undefined || object.kind === kind),
    );
    const { items, cut } = pageInOrder(chosen, ({ globalId }) => globalId, asked);
    const files = pageOf(view.files, (file) => file, { limit: filesShown, cursor: files_cursor });
    return {
      root: view.root,
      workspace_id: view.id,
      file_count: view.files.length,
      object_count: view.objects.length,
      files: files.items,
      objects: items.map(completeRecord),
      files_truncated: files.cut.truncated,
      ...(files.cut.truncated && {
        files_remaining: files.cut.remaining,
        files_next_cursor: files.cut.next_cursor,
      }),
      ...cut,
    };
  },
});

const filesShown = 200;

/** What was parsed, with the place that the workspace gave it. */
function completeRecord(object: WorkspaceObject): Record<string, unknown> {
  const record = Object.fromEntries([...object.record].map(([key, value]) => [key, plain(value)]));
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
