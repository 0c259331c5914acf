import { basename, join } from "node:path";
import { containsPath } from "../../../../kernel/paths/boundary.ts";
import { resolveRegularFile } from "../../../../kernel/paths/file-stat.ts";
import { type CodePointOffsets, codePointOffsets } from "../../../../text/spans/offsets.ts";
import { exchangedRows } from "../../qda/storage-exchange.ts";
import {
  isLinkedMedia,
  mediaFileOf,
  type SourceType,
  sourceTypeOf,
} from "../../sources/media-path.ts";
import { emptySourceContent, type FileContent, type SourceContent } from "../content.ts";
import type { ExportContext, OwnedRow } from "./export-context.ts";

interface SourceRow extends OwnedRow {
  row: number;
  name: string | null;
  fulltext: string | null;
  mediapath: string | null;
  memo: string | null;
  av_text_id?: number | null;
}

interface CodingRow extends OwnedRow {
  row: number;
  cid: number;
  memo: string | null;
  important?: number | null;
}

/** GUIDs of codes by row id. */
type CodeGuids = ReadonlyMap<number, string>;

interface CollectedSource {
  content: SourceContent;
  offsets: CodePointOffsets;
}

/** Collects sources with their codings, by row id. */
export function collectSources(
  context: ExportContext,
  codes: CodeGuids,
): Map<number, SourceContent> {
  const rows = exchangedRows<SourceRow>(context.project.db, "source");
  const collected = new Map(rows.map((row) => [row.row, collectSource(context, row)]));
  for (const { row, av_text_id: text } of rows) {
    const [recording, transcript] = [collected.get(row), collected.get(text ?? 0)];
    if (recording && transcript) recording.content.transcript = transcript.content.guid;
  }
  collectPassages(context, codes, collected);
  collectAreas(context, codes, collected);
  collectMediaRanges(context, codes, collected);
  collectAnnotations(context, collected);
  return new Map([...collected].map(([row, { content }]) => [row, content]));
}

function collectSource(context: ExportContext, row: SourceRow): CollectedSource {
  const kind = sourceTypeOf(row.mediapath);
  const name = row.name ?? "";
  const content: SourceContent = {
    guid: context.guidOf("source", row),
    name,
    memo: context.memoOf(row.memo, name),
    ...context.authorshipOf(row),
    kind,
    text: sourceTextOf(context, row, kind),
    file: sourceFileOf(context, name, row.mediapath),
    ...emptySourceContent(),
  };
  return { content, offsets: codePointOffsets(content.text ?? "") };
}

/** Other formats have no text for pictures and recordings; transcripts are separate sources. */
function sourceTextOf({ losses }: ExportContext, row: SourceRow, kind: SourceType): string | null {
  if (kind === "text") return row.fulltext ?? "";
  if (kind === "pdf") return row.fulltext;
  if (row.fulltext) losses.add("dropped", "Texts of pictures and recordings", row.name ?? "");
  return null;
}

/** Only files in the project's own folder are exported, even if the row contains another path. */
function sourceFileOf(
  { project, losses }: ExportContext,
  name: string,
  mediapath: string | null,
): FileContent | null {
  const file = mediaFileOf(mediapath);
  if (file === null) return null;
  const shown = { name: basename(file), location: undefined };
  const isOwn = !isLinkedMedia(mediapath) && project.database !== project.path;
  const real = isOwn ? resolveRegularFile(join(project.path, file)) : undefined;
  if (real !== undefined && containsPath(project.path, real)) return { ...shown, location: real };
  losses.add("missing", "Files that are not in the project's folder", name);
  return shown;
}

type CollectedSources = ReadonlyMap<number, CollectedSource>;

function collectPassages(
  context: ExportContext,
  codes: CodeGuids,
  collected: CollectedSources,
): void {
  type Row = CodingRow & { fid: number; seltext: string | null; pos0: number; pos1: number };
  for (const row of exchangedRows<Row>(context.project.db, "code_text")) {
    const { content, offsets } = collected.get(row.fid) ?? {};
    const coding = content && collectCoding(context, codes, row, content);
    if (!coding) continue;
    const { pos0: start, pos1: end } = row;
    if (!isRange(start, end, offsets?.length ?? 0)) {
      context.losses.add("dropped", "Codings outside their text", content.name);
      continue;
    }
    if (row.seltext !== null && row.seltext !== offsets?.slice(start, end)) {
      context.losses.add("changed", "Stored quotes that differ from the text", row.seltext);
    }
    content.passages.push({ guid: context.guidOf("passage", row), ...coding, start, end });
  }
}

function collectAreas(context: ExportContext, codes: CodeGuids, collected: CollectedSources): void {
  type Row = CodingRow & Record<"id" | "x1" | "y1" | "width" | "height", number>;
  for (const row of exchangedRows<Row>(context.project.db, "code_image")) {
    const { content } = collected.get(row.id) ?? {};
    const coding = content && collectCoding(context, codes, row, content);
    if (!coding) continue;
    if (content.kind !== "image") {
      context.losses.add("dropped", "Coded areas of PDF pages", content.name);
      continue;
    }
    if (!areNumbers(row.x1, row.y1, row.width, row.height)) {
      context.losses.add("dropped", "Codings without a position", content.name);
      continue;
    }
    content.areas.push({
      guid: context.guidOf("area", row),
      ...coding,
      x: Math.round(row.x1),
      y: Math.round(row.y1),
      width: Math.round(row.width),
      height: Math.round(row.height),
    });
  }
}

function collectMediaRanges(
  context: ExportContext,
  codes: CodeGuids,
  collected: CollectedSources,
): void {
  type Row = CodingRow & Record<"id" | "pos0" | "pos1", number>;
  for (const row of exchangedRows<Row>(context.project.db, "code_av")) {
    const { content } = collected.get(row.id) ?? {};
    const coding = content && collectCoding(context, codes, row, content);
    if (!coding) continue;
    if (!areNumbers(row.pos0, row.pos1)) {
      context.losses.add("dropped", "Codings without a position", content.name);
      continue;
    }
    const [begin, end] = [Math.round(row.pos0), Math.round(row.pos1)];
    content.mediaRanges.push({ guid: context.guidOf("stretch", row), ...coding, begin, end });
  }
}

function collectCoding(
  context: ExportContext,
  codes: CodeGuids,
  row: CodingRow,
  source: SourceContent,
) {
  const code = context.isHidden(row.owner) ? undefined : codes.get(row.cid);
  if (code === undefined) return undefined;
  if (row.important) context.losses.add("dropped", "Importance of codings", source.name);
  return { code, memo: context.memoOf(row.memo, source.name), ...context.authorshipOf(row) };
}

function collectAnnotations(context: ExportContext, collected: CollectedSources): void {
  type Row = CodingRow & { fid: number; pos0: number; pos1: number };
  for (const row of exchangedRows<Row>(context.project.db, "annotation")) {
    const { content, offsets } = collected.get(row.fid) ?? {};
    if (!content || context.isHidden(row.owner)) continue;
    const memo = context.memoOf(row.memo, content.name);
    const { pos0: start, pos1: end } = row;
    if (memo === "" || !isRange(start, end, offsets?.length ?? 0)) {
      context.losses.add("dropped", "Annotations outside a text, or empty", content.name);
      continue;
    }
    const guid = context.guidOf("annotation", row);
    content.annotations.push({ guid, memo, ...context.authorshipOf(row), start, end });
  }
}

const isRange = (start: number, end: number, length: number): boolean =>
  areNumbers(start, end) && 0 <= start && start < end && end <= length;

/** Any column may contain a value of any type. */
const areNumbers = (...values: readonly unknown[]): boolean =>
  values.every((value) => Number.isFinite(value));
