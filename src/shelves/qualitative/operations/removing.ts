import * as z from "zod";
import { operationsOn } from "../../../kernel/operation.ts";
import { counted } from "../../../text/counted.ts";
import { markOf, refuseStale } from "../preview.ts";
import { belongingsOf, textOfSource } from "../qda/storage-sources.ts";
import { shownSource, sourceById } from "../source.ts";
import type { QualitativeState } from "../state.ts";
import { changeId, idInput } from "./ids.ts";

const operation = operationsOn<QualitativeState>();

export const confirmInput = {
  confirm: z.boolean().default(false).describe("Without it, only a preview"),
  preview_token: z.string().optional().describe("Of the preview, to do just what it showed"),
};

/** What a preview tells beside what it is about. */
export const previewShape = {
  preview: z.boolean().optional(),
  requires_approval: z.boolean().optional(),
  message: z.string().optional(),
  preview_token: z.string().optional(),
  change_id: changeId.optional(),
};

export const removeSource = operation({
  name: "remove_source",
  title: "Remove a source",
  summary:
    "Show what removing a source would take away, or with confirm remove it with its codings.",
  input: z.object({ source_id: idInput, ...confirmInput }),
  output: z.object({
    source_id: z.int(),
    source_name: z.string(),
    source_type: z.string().optional(),
    coded_segments_count: z.int().optional(),
    removed: z.boolean().optional(),
    segments_removed: z.int().optional(),
    ...previewShape,
  }),
  effect: "deletes",
  expose: { mcp: true },
  example: { source_id: 1 },
  run({ source_id, confirm, preview_token }, state, call) {
    const project = state.needed();
    const { name, type, code_count } = shownSource(sourceById(project.db, source_id));
    const about = { source_id, source_name: name };
    const markNow = () =>
      markOf([about, textOfSource(project.db, source_id), belongingsOf(project.db, source_id)]);
    if (!confirm) {
      return {
        ...about,
        preview: true,
        source_type: type,
        coded_segments_count: code_count,
        requires_approval: true,
        message: `This will delete source '${name}' and ${code_count} coded segment(s)`,
        preview_token: markNow(),
      };
    }
    const summary = `Removed source ${source_id} and ${counted(code_count, "coded segment")}`;
    const { change_id } = project.write(
      { call, operation: "remove_source", summary },
      ({ pen, db }) => {
        refuseStale(markNow(), preview_token);
        for (const { table, id } of belongingsOf(db, source_id)) pen.remove(table, id);
        pen.remove("source", source_id);
        return {};
      },
    );
    call.announce({ topic: "source.changed", about: String(source_id) });
    return { ...about, removed: true, segments_removed: code_count, change_id };
  },
});
