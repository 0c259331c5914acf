import * as z from "zod";
import { pluralise } from "../../../../text/strings/pluralise.ts";
import { confirmInput, previewOutput } from "../../governance/delete-preview.ts";
import { planWrite, writeOperation } from "../../governance/planned-write.ts";
import { countCodings, dependentRowsOfSource } from "../../qda/storage-sources.ts";
import { isLinkedMedia, mediaFileOf, sourceTypeOf } from "../../sources/media-path.ts";
import { requireSource } from "../../sources/source.ts";
import { changeId, rowIdInput } from "../inputs.ts";

export const removeSource = writeOperation({
  name: "remove_source",
  title: "Remove a source",
  summary: "Preview the removal of a source, or with confirm remove it with its codings.",
  input: z.object({ source_id: rowIdInput, ...confirmInput }),
  output: z.object({
    source_id: z.int(),
    source_name: z.string(),
    source_type: z.string().optional(),
    coded_segments_count: z.int().optional(),
    removed: z.boolean().optional(),
    segments_removed: z.int().optional(),
    ...previewOutput,
    change_id: changeId.optional(),
  }),
  effect: "deletes",
  expose: { mcp: true },
  example: { source_id: 1 },
  plan({ source_id }, state, call) {
    const project = state.requireProject();
    const { name, mediapath } = requireSource(project.db, source_id);
    const codings = countCodings(dependentRowsOfSource(project.db, source_id));
    const identity = { source_id, source_name: name };
    const file = isLinkedMedia(mediapath) ? null : mediaFileOf(mediapath);
    return planWrite(
      project,
      {
        call,
        operation: "remove_source",
        summary: `Removed source ${source_id} and ${pluralise(codings, "coded segment")}`,
        preview: {
          ...identity,
          source_type: sourceTypeOf(mediapath),
          coded_segments_count: codings,
          message: `This will delete source '${name}' and ${codings} coded segment(s)${file === null ? "" : `; ${describeRemainingFile(file)}`}`,
        },
      },
      ({ writer, db }) => {
        for (const { table, id } of dependentRowsOfSource(db, source_id)) writer.remove(table, id);
        writer.remove("source", source_id);
        return {};
      },
      ({ change_id }) => {
        call.announce({ topic: "source.changed", about: String(source_id) });
        return {
          ...identity,
          removed: true,
          segments_removed: codings,
          ...(file !== null && { message: `Removed; ${describeRemainingFile(file)}` }),
          change_id,
        };
      },
    );
  },
});

/** The file is not deleted, because an undo of the removal needs it. */
const describeRemainingFile = (file: string): string =>
  `its file ${file} stays in the project's folder`;
