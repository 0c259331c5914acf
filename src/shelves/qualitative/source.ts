import type { Database } from "../../kernel/database.ts";
import { Failure } from "../../kernel/failure.ts";
import { type Offsets, offsetsOf } from "../../text/offsets.ts";
import { sharedMemo } from "./memo.ts";
import type { Hand } from "./project.ts";
import { dateBeside, findSource, type SourceRow, textOfSource } from "./qda/storage-sources.ts";

/** Kinds of source, as the founding document names them. */
export type SourceType = "text" | "audio" | "video" | "image" | "pdf";

/** Sources are known by the folder that QualCoder keeps them in; a linked one has a colon there. */
export function typeOfSource(mediapath: string | null): SourceType {
  const kind = /^\/?(images|audio|video)[/:]/.exec(mediapath ?? "")?.[1];
  if (kind === "images") return "image";
  if (kind === "audio" || kind === "video") return kind;
  return mediapath?.toLowerCase().endsWith(".pdf") ? "pdf" : "text";
}

/** Where the file lies: in the project's folder, or where it was linked from. */
export function fileOfSource(mediapath: string | null): string | null {
  if (!mediapath) return null;
  const linked = linkOf(mediapath);
  return linked ?? mediapath.replace(/^\/docs\//, "documents/").replace(/^\//, "");
}

/** A file that lies elsewhere is named by its kind, a colon and its whole path. */
const linkOf = (mediapath: string): string | undefined =>
  /^(?:docs|images|audio|video):(.+)$/s.exec(mediapath)?.[1];

export const isLinked = (mediapath: string | null): boolean =>
  linkOf(mediapath ?? "") !== undefined;

export const shownSource = (source: SourceRow) => ({
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
      "folder_id" | "origin" | "language" | "topics" | "organization" | "private" | "revision",
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
