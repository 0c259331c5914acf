import { Failure } from "../../../kernel/failure.ts";
import type { Database } from "../../../kernel/storage/database.ts";
import { type CodePointOffsets, codePointOffsets } from "../../../text/spans/offsets.ts";
import { sharedMemo } from "../project/memo.ts";
import type { WriteContext } from "../project/project.ts";
import {
  type CountedSourceRow,
  findSource,
  type SourceRow,
  sourceExtrasDate,
  textOfSource,
} from "../qda/storage-sources.ts";
import { mediaFileOf, sourceTypeOf } from "./media-path.ts";

export const toSourceOutput = (source: CountedSourceRow) => ({
  id: source.id,
  name: source.name,
  type: sourceTypeOf(source.mediapath),
  status: source.codings > 0 ? "coded" : "imported",
  file_path: mediaFileOf(source.mediapath),
  memo: sharedMemo(source.memo),
  file_size: source.size,
  origin: source.origin,
  code_count: source.codings,
  folder_id: source.folder,
  ...(source.language !== null && { language: source.language }),
  ...(source.topics !== null && { topics: JSON.parse(source.topics) as string[] }),
  ...(source.organization !== null && { organization: source.organization }),
  ...(source.private === 1 && { private: true }),
});

export function requireSource(db: Database, id: number): SourceRow {
  const source = findSource(db, id);
  if (source) return source;
  throw new Failure("not-found", "SOURCE_NOT_FOUND", `Source not found: ${id}`, {
    hints: ["list_sources lists the ids."],
  });
}

export interface SourceText extends CodePointOffsets {
  text: string;
}

export function readSourceText(db: Database, id: number): SourceText {
  const text = textOfSource(db, id);
  return { text, ...codePointOffsets(text) };
}

/** Positions are code points from 0, the end exclusive; a passage is not empty. */
export function assertInsideText({ length }: CodePointOffsets, start: number, end: number): void {
  if (0 <= start && start < end && end <= length) return;
  throw invalidPosition(start, end, length);
}

export const invalidPosition = (start: number, end: number, length: number): Failure =>
  new Failure(
    "invalid",
    "INVALID_POSITION",
    `Position [${start}:${end}] invalid for source of length ${length}`,
    { hints: ["Positions count Unicode code points from 0; the end is exclusive."] },
  );

/** Writes data of a source that QualCoder's schema has no column for. */
export function saveSourceExtras(
  { writer, db }: Pick<WriteContext, "writer" | "db">,
  source: number,
  values: Partial<
    Record<
      | "folder_id"
      | "origin"
      | "language"
      | "topics"
      | "organization"
      | "private"
      | "revision"
      | "agent_name",
      string | number | null
    >
  >,
): void {
  const { date } = requireSource(db, source);
  const extras = sourceExtrasDate(db, source);
  if (extras && extras.date === date) writer.update("lectern_sources", source, values);
  else {
    if (extras) writer.remove("lectern_sources", source);
    writer.insert("lectern_sources", { source_id: source, source_date: date, ...values });
  }
}
