import { realpathSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { Failure, invalid } from "../../../kernel/failure.ts";
import { exactText } from "../../../kernel/file-exchange.ts";
import { operationsOn } from "../../../kernel/operation.ts";
import { projectAt } from "../../../kernel/project-root.ts";
import { applyTold } from "../../../kernel/told-edits.ts";
import { groupedBy } from "../../../text/grouped.ts";
import { pathInput, said } from "../asked.ts";
import { pageByPlace, pageInput, pageOutput } from "../page.ts";
import { type RenameEdit, type WrittenFiles, withEdits, writtenFiles } from "../rename-edit.ts";
import { planRename } from "../renaming.ts";
import type { ObjectsState } from "../state.ts";
import type { View } from "../view.ts";

const operation = operationsOn<ObjectsState>();

const renameInput = {
  path: pathInput,
  old_id: z.string().max(4_096).describe("Id or reference of the object"),
  new_id: z.string().max(4_096).describe("Its id from now on: letters, digits, - _ ."),
};

const renameObject = operation({
  name: "qmdc_rename_object",
  title: "Rename an object",
  summary:
    "Plan a new id: every edit to its definition and to references, with exact columns. Writes nothing; propose: true asks a person to apply it.",
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

  async run({ path, old_id, new_id, propose, ...asked }, state, call) {
    const { view, plan, written } = await planned(state, { path, old_id, new_id });
    const { items, cut } = pageByPlace(plan.edits, asked);
    const proposal = propose ? proposed(state, view, plan, written, call) : undefined;
    return {
      old_id: plan.object.id,
      new_id: plan.newId,
      edits: items.map((edit) => wireEdit(edit, written)),
      edit_count: plan.edits.length,
      ...(proposal && { proposal_id: proposal.id }),
      ...cut,
    };
  },
});

/** Whole lines, as a reader compares them; the columns say which part of the old one changes. */
function wireEdit(edit: RenameEdit, { lineAt }: WrittenFiles) {
  const { file, line, startCol, endCol, after, kind } = edit;
  const old_text = lineAt(file, line);
  const new_text = old_text.slice(0, startCol) + after + old_text.slice(endCol);
  return { file, line, start_col: startCol, end_col: endCol, old_text, new_text, kind };
}

/** What waits already is not proposed again: a long plan is asked for page by page. */
function proposed(
  { proposals, settings }: ObjectsState,
  view: View,
  { object, newId, edits }: Plan,
  written: WrittenFiles,
  call: Parameters<ObjectsState["proposals"]["propose"]>[1],
) {
  if (settings.readOnly) {
    throw new Failure("forbidden", "read-only", "propose must be false: --read-only is on");
  }
  if (edits.length === 0) throw invalid(`new_id '${newId}' is its id already`);
  const input = { path: view.root, old_id: object.globalId, new_id: newId };
  const waiting = proposals.waitingFor(applyRename.name, input);
  if (waiting) return waiting;
  const lines = edits.map((edit) => {
    const { file, line, old_text, new_text } = wireEdit(edit, written);
    return `${file}:${line}\n- ${old_text}\n+ ${new_text}`;
  });
  return proposals.propose(
    {
      shelf: "objects",
      operation: applyRename.name,
      input,
      project: projectAt(view.root),
      summary: `Rename '${object.id}' to '${newId}' in ${edits.length} places`,
      preview: lines.join("\n"),
    },
    call,
  );
}

const applyRename = operation({
  name: "rename_object_in_files",
  title: "Rename an object in its files",
  summary: "Write the edits that give an object another id, in all files at once.",
  input: z.object(renameInput),
  output: z.object({ old_id: z.string(), new_id: z.string(), files: z.array(z.string()) }),
  effect: "writes",
  expose: { cli: "objects rename <path> <old_id> <new_id>" },
  example: { path: "catalogue", old_id: "lamp", new_id: "main_lamp" },

  async run({ path, old_id, new_id }, state, call) {
    const { view, plan, written } = await planned(state, { path, old_id, new_id });
    const { object, newId } = plan;
    const files = groupedBy(plan.edits, ({ file }) => file);
    const edits = [...files].map(([file, own]) => ({
      path: realpathSync(join(view.root, file)),
      before: written.textOf(file),
      after: withEdits(written.textOf(file), own),
    }));
    applyTold(state, view.root, edits, () =>
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
        project: projectAt(view.root),
      }),
    );
    return { old_id: object.id, new_id: newId, files: [...files.keys()] };
  },
});

type Plan = ReturnType<typeof planRename>;

async function planned(
  { workspaces, boundary }: ObjectsState,
  { path, old_id, new_id }: { path: string; old_id: string; new_id: string },
) {
  said(old_id, "old_id");
  said(new_id, "new_id");
  const view = await workspaces.at(path);
  const written = writtenFiles((file) => exactText(boundary, view.root, file));
  const plan = planRename(view, { old: old_id.trim(), wanted: new_id.trim() }, written);
  for (const { file, line, startCol, endCol, before } of plan.edits) {
    if (written.lineAt(file, line).slice(startCol, endCol) === before) continue;
    throw new Failure("conflict", "changed", `'${file}' is being changed`, {
      hints: ["Try again."],
    });
  }
  return { view, plan, written };
}

export const renameOperations = [renameObject, applyRename];
