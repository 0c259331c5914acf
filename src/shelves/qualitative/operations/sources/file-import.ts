import * as z from "zod";
import { codePointOffsets } from "../../../../text/spans/offsets.ts";
import { planWrite, withCleanup, writeOperation } from "../../governance/planned-write.ts";
import { assertValidName } from "../../project/names.ts";
import { assertNotInUse } from "../../project/project-location.ts";
import { requireSameProject } from "../../project/same-project.ts";
import { sourceNames } from "../../qda/storage-sources.ts";
import { insertSource } from "../../sources/add-source.ts";
import { storeMedia } from "../../sources/media-storage.ts";
import { extractSourceText, findSourceFile, importErrorCode } from "../../sources/source-file.ts";
import { changeId } from "../inputs.ts";

export const importFileSource = writeOperation({
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
    text_length: z.int().optional().describe("In code points, if it has a text"),
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
  async plan({ file_path, name: givenName, memo, origin, dry_run }, state, call) {
    const { path, db } = state.requireProject();
    const file = findSourceFile(state.boundary, file_path);
    const name = givenName ?? file.name;
    assertValidName(name, sourceNames(db), importErrorCode, "source");
    const text = await extractSourceText(state, file);
    const facts = {
      name,
      file_size: file.size,
      ...(text !== null && { text_length: codePointOffsets(text).length }),
    };
    if (dry_run) {
      return {
        dry_run,
        file_path,
        ...facts,
        source_type: file.type,
        message: `File '${name}' (${file.type}, ${file.size} bytes) is valid and ready to import`,
      };
    }
    const project = requireSameProject(state, path, importErrorCode);
    assertNotInUse(project);
    const media = await storeMedia(state.boundary, project, file);
    const { mediapath } = media;
    const planned = planWrite(
      () => {
        call.signal.throwIfAborted();
        return requireSameProject(state, path, importErrorCode);
      },
      { call, operation: "import_file_source", summary: "Imported a source" },
      (context) => insertSource(context, { name, text, mediapath, memo, origin }, importErrorCode),
      (added) => {
        call.announce({ topic: "source.changed", about: String(added.source_id) });
        return { ...added, ...facts, type: file.type, status: "imported" };
      },
    );
    return withCleanup(planned, (isDone) => {
      if (!isDone) media.remove();
      media.close();
    });
  },
});
