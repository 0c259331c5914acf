import type { Database } from "../../kernel/database.ts";
import { Failure } from "../../kernel/failure.ts";
import { type Offsets, offsetsOf } from "../../text/offsets.ts";
import { fileOfSource, typeOfSource } from "./mediapath.ts";
import { sharedMemo } from "./memo.ts";
import type { Hand } from "./project.ts";
import {
  type CountedSourceRow,
  dateBeside,
  findSource,
  type SourceRow,
  textOfSource,
} from "./qda/storage-sources.ts";

export const shownSource = (source: CountedSourceRow) => ({
  id: source.id,
  name: source.name,
  type: typeOfSource(source.mediapath),
  status: source.codings > 0 ? "coded" : "imported",
  file_path: fileOfSource(source.mediapath),
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

export function sourceById(db: Database, id: number): SourceRow {
  const source = findSource(db, id);
  if (source) return source;
  throw new Failure("not-found", "SOURCE_NOT_FOUND", `Source not found: ${id}`, {
    hints: ["list_sources gives the ids."],
  });
}

/** A source's text, and positions in it. */
export interface SourceText extends Offsets {
  text: string;
}

export function readText(db: Database, id: number): SourceText {
  const text = textOfSource(db, id);
  return { text, ...offsetsOf(text) };
}

/** Positions are code points from 0, the end left out; a passage has at least one of them. */
export function refuseOutside({ length }: Offsets, start: number, end: number): void {
  if (0 <= start && start < end && end <= length) return;
  throw invalidPosition(start, end, length);
}

export const invalidPosition = (start: number, end: number, length: number): Failure =>
  new Failure(
    "invalid",
    "INVALID_POSITION",
    `Position [${start}:${end}] invalid for source of length ${length}`,
    { hints: ["Positions count Unicode code points from 0; the end is left out."] },
  );

/** Writes what the classic schema has no column for beside the source. */
export function noteBeside(
  { pen, db }: Pick<Hand, "pen" | "db">,
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
  const { date } = sourceById(db, source);
  const known = dateBeside(db, source);
  if (known && known.date === date) pen.update("lectern_sources", source, values);
  else {
    if (known) pen.remove("lectern_sources", source);
    pen.insert("lectern_sources", { source_id: source, source_date: date, ...values });
  }
}
