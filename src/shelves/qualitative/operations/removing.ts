import * as z from "zod";
import { operationsOn } from "../../../kernel/operation.ts";
import { counted } from "../../../text/counted.ts";
import { fileOfSource, isLinked, typeOfSource } from "../mediapath.ts";
import { confirmInput, previewShape } from "../previewing.ts";
import { belongingsOf, codingsAmongThem } from "../qda/storage-sources.ts";
import { sourceById } from "../source.ts";
import type { QualitativeState } from "../state.ts";
import { changeId, idInput } from "./ids.ts";

const operation = operationsOn<QualitativeState>();

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
    change_id: changeId.optional(),
  }),
  effect: "deletes",
  expose: { mcp: true },
  example: { source_id: 1 },
  run({ source_id }, state, call) {
    const project = state.needed();
    const { name, mediapath } = sourceById(project.db, source_id);
    const codings = codingsAmongThem(belongingsOf(project.db, source_id));
    const about = { source_id, source_name: name };
    const file = isLinked(mediapath) ? null : fileOfSource(mediapath);
    const { change_id } = project.write(
      {
        call,
        operation: "remove_source",
        summary: `Removed source ${source_id} and ${counted(codings, "coded segment")}`,
        preview: {
          ...about,
          source_type: typeOfSource(mediapath),
          coded_segments_count: codings,
          message: `This will delete source '${name}' and ${codings} coded segment(s)${file === null ? "" : `; ${stays(file)}`}`,
        },
      },
      ({ pen, db }) => {
        for (const { table, id } of belongingsOf(db, source_id)) pen.remove(table, id);
        pen.remove("source", source_id);
        return {};
      },
    );
    call.announce({ topic: "source.changed", about: String(source_id) });
    return {
      ...about,
      removed: true,
      segments_removed: codings,
      ...(file !== null && { message: `Removed; ${stays(file)}` }),
      change_id,
    };
  },
});

/** An undo brings the source back, and needs its file then. */
const stays = (file: string): string => `its file ${file} stays in the project's folder`;
