import * as z from "zod";
import { operationsOn } from "../../../kernel/operation.ts";
import { offsetsOf } from "../../../text/offsets.ts";
import { addSource } from "../adding.ts";
import { findImport, importTask, textOfImport } from "../importing.ts";
import { keepImport } from "../kept-import.ts";
import { refuseBadName } from "../naming.ts";
import { refuseWhileInUse } from "../place.ts";
import { sourceNames } from "../qda/storage-sources.ts";
import type { QualitativeState } from "../state.ts";
import { stillOpen } from "../still-open.ts";
import { changeId } from "./ids.ts";

const operation = operationsOn<QualitativeState>();

export const importFileSource = operation({
  name: "import_file_source",
  title: "Import a file",
  summary:
    "Add a file as a source: text, Word, OpenDocument, RTF, EPUB, HTML, PDF, subtitles, CSV, picture or recording.",
  input: z.object({
    file_path: z.string().describe("Absolute"),
    name: z.string().optional(),
    memo: z.string().optional(),
    origin: z.string().optional(),
    dry_run: z.boolean().default(false),
  }),
  output: z.object({
    name: z.string(),
    file_size: z.int(),
    text_length: z.int().optional().describe("In code points, where it has a text"),
    source_id: z.int().optional(),
    type: z.string().optional(),
    status: z.string().optional(),
    dry_run: z.boolean().optional(),
    file_path: z.string().optional(),
    source_type: z.string().optional(),
    message: z.string().optional(),
    change_id: changeId.optional(),
  }),
  effect: "writes",
  expose: { mcp: true },
  example: { file_path: "/library/notes/2026-01-meeting.md", dry_run: true },
  async run({ file_path, name: given, memo, origin, dry_run }, state, call) {
    const { path, db } = state.needed();
    const file = findImport(state.boundary, file_path);
    const name = given ?? file.name;
    refuseBadName(name, sourceNames(db), importTask, "source");
    const text = await textOfImport(state, file);
    const about = {
      name,
      file_size: file.size,
      ...(text !== null && { text_length: offsetsOf(text).length }),
    };
    if (dry_run) {
      return {
        dry_run,
        file_path,
        ...about,
        source_type: file.type,
        message: `File '${name}' (${file.type}, ${file.size} bytes) is valid and ready to import`,
      };
    }
    const project = stillOpen(state, path, importTask);
    refuseWhileInUse(project);
    const kept = await keepImport(state.boundary, project, file);
    try {
      call.signal.throwIfAborted();
      const added = stillOpen(state, path, importTask).write(
        { call, operation: "import_file_source", summary: "Imported a source" },
        (hand) =>
          addSource(hand, { name, text, mediapath: kept.mediapath, memo, origin }, importTask),
      );
      call.announce({ topic: "source.changed", about: String(added.source_id) });
      return { ...added, ...about, type: file.type, status: "imported" };
    } catch (error) {
      kept.remove();
      throw error;
    } finally {
      kept.close();
    }
  },
});
