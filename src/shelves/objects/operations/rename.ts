import { join } from "node:path";
import * as z from "zod";
import { projectRefAt } from "../../../kernel/approval/project-ref.ts";
import { Failure, invalid } from "../../../kernel/failure.ts";
import { readExactText } from "../../../kernel/files/file-changes.ts";
import { applyJournaled } from "../../../kernel/files/journaled-edits.ts";
import { operationsFor } from "../../../kernel/operation.ts";
import { groupBy } from "../../../text/arrays/group-by.ts";
import { pluralise } from "../../../text/strings/pluralise.ts";
import { pageByOffset, pageInput, pageOutput } from "../pagination.ts";
import {
  applyRenameEdits,
  createFileTexts,
  type FileTexts,
  type RenameEdit,
} from "../rename/rename-edit.ts";
import { planRename } from "../rename/rename-plan.ts";
import type { ObjectsState } from "../state.ts";
import { pathInput, requireText } from "../tool-arguments.ts";
import type { WorkspaceView } from "../workspace/workspace-view.ts";

const operation = operationsFor<ObjectsState>();

const renameInput = {
  path: pathInput,
  old_id: z.string().max(4_096).describe("Id or reference of the object"),
  new_id: z.string().max(4_096).describe("The new id: letters, digits, - _ ."),
};

const renameObject = operation({
  name: "qmdc_rename_object",
  title: "Rename an object",
  summary:
    "Plan a rename: all edits to the definition and to references, with exact columns. Read-only; propose: true asks a person to apply the edits.",
  input: z.object({
    ...renameInput,
    propose: z.boolean().default(false).describe("Ask a person to apply the edits"),
    ...pageInput,
  }),
  output: z.object({
    old_id: z.string(),
    new_id: z.string(),
    edits: z.array(
      z.object({
        file: z.string(),
        line: z.int(),
        start_col: z.int(),
        end_col: z.int(),
        old_text: z.string(),
        new_text: z.string(),
        kind: z.enum(["definition", "reference"]),
      }),
    ),
    edit_count: z.int(),
    proposal_id: z.int().optional(),
    ...pageOutput,
  }),
  effect: "reads",
  expose: { mcp: true, cli: "objects plan-rename <path> <old_id> <new_id>" },
  example: { path: "catalogue", old_id: "lamp", new_id: "main_lamp" },

  async run({ path, old_id, new_id, propose, ...page }, state, call) {
    const { view, plan, texts } = await loadRenamePlan(state, { path, old_id, new_id });
    const { items, pageInfo } = pageByOffset(plan.edits, page);
    const proposal = propose ? await proposeRename(state, view, plan, texts, call) : undefined;
    return {
      old_id: plan.object.id,
      new_id: plan.newId,
      edits: items.map((edit) => toEditOutput(edit, texts)),
      edit_count: plan.edits.length,
      ...(proposal && { proposal_id: proposal.id }),
      ...pageInfo,
    };
  },
});

/** The whole line before and after the edit. The columns mark the replaced part of the old line. */
function toEditOutput(edit: RenameEdit, { lineAt }: FileTexts) {
  const { file, line, startCol, endCol, after, kind } = edit;
  const old_text = lineAt(file, line);
  const new_text = old_text.slice(0, startCol) + after + old_text.slice(endCol);
  return { file, line, start_col: startCol, end_col: endCol, old_text, new_text, kind };
}

/** Reuses a pending proposal, because a client reads a long plan in several calls. */
async function proposeRename(
  { proposals, settings, store }: ObjectsState,
  view: WorkspaceView,
  { object, newId, edits }: RenamePlan,
  texts: FileTexts,
  call: Parameters<ObjectsState["proposals"]["propose"]>[1],
) {
  if (settings.readOnly) {
    throw new Failure("forbidden", "read-only", "propose must be false: --read-only is on");
  }
  if (edits.length === 0) throw invalid(`the id is already '${newId}'`);
  const input = { path: view.root, old_id: object.globalId, new_id: newId };
  const lines = edits.map((edit) => {
    const { file, line, old_text, new_text } = toEditOutput(edit, texts);
    return `${file}:${line}\n- ${old_text}\n+ ${new_text}`;
  });
  const draft = {
    shelf: "objects",
    operation: applyRename.name,
    input,
    project: projectRefAt(view.root),
    summary: `Rename '${object.id}' to '${newId}' at ${pluralise(edits.length, "position")}`,
    preview: lines.join("\n"),
  };
  return await store.run(proposals.proposeOnce(draft, call));
}

const applyRename = operation({
  name: "rename_object_in_files",
  title: "Rename an object in its files",
  summary: "Rename an object: update its definition and all references in one transaction.",
  input: z.object(renameInput),
  output: z.object({ old_id: z.string(), new_id: z.string(), files: z.array(z.string()) }),
  effect: "writes",
  expose: { cli: "objects rename <path> <old_id> <new_id>" },
  example: { path: "catalogue", old_id: "lamp", new_id: "main_lamp" },

  async run({ path, old_id, new_id }, state, call) {
    const { view, plan, texts } = await loadRenamePlan(state, { path, old_id, new_id });
    const { object, newId } = plan;
    const files = groupBy(plan.edits, ({ file }) => file);
    const edits = [...files].map(([file, own]) => ({
      path: state.boundary.assertAllowed(join(view.root, file)),
      before: texts.read(file),
      after: applyRenameEdits(texts.read(file), own),
    }));
    const recordChange = () =>
      state.changes.record({
        call,
        operation: applyRename.name,
        summary: `Renamed '${object.id}' to '${newId}'`,
        undo: {
          operation: applyRename.name,
          input: {
            path: view.root,
            old_id: `${object.workspace}:${object.namespace}:${newId}`,
            new_id: object.id,
          },
        },
        project: projectRefAt(view.root),
      });
    await state.store.run(applyJournaled(state.boundary, view.root, edits, recordChange));
    return { old_id: object.id, new_id: newId, files: [...files.keys()] };
  },
});

type RenamePlan = ReturnType<typeof planRename>;

async function loadRenamePlan(
  { workspaces, boundary }: ObjectsState,
  { path, old_id, new_id }: { path: string; old_id: string; new_id: string },
) {
  requireText(old_id, "old_id");
  requireText(new_id, "new_id");
  const view = await workspaces.read(path);
  const texts = createFileTexts((file) => readExactText(boundary, view.root, file));
  const plan = planRename(view, { old: old_id.trim(), wanted: new_id.trim() }, texts);
  for (const { file, line, startCol, endCol, before } of plan.edits) {
    if (texts.lineAt(file, line).slice(startCol, endCol) === before) continue;
    throw new Failure("conflict", "changed", `'${file}' changed during planning`, {
      hints: ["Try again."],
    });
  }
  return { view, plan, texts };
}

export const renameOperations = [renameObject, applyRename];
