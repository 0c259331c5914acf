import { existsSync, realpathSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { contains } from "../../../kernel/boundary.ts";
import { type Offsets, offsetsOf } from "../../../text/offsets.ts";
import { fileOfSource, isLinked, type SourceType, typeOfSource } from "../mediapath.ts";
import { rowsOf } from "../qda/storage-exchange.ts";
import type { Basket, OwnedRow } from "./basket.ts";
import { emptySource, type FileContent, type SourceContent } from "./content.ts";

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

/** The GUIDs of codes by the numbers of their rows. */
type Codes = ReadonlyMap<number, string>;

/** A source, with positions in its text. */
interface GatheredSource {
  content: SourceContent;
  offsets: Offsets;
}

/** Sources by the numbers of their rows, with what is coded in them. */
export function gatherSources(basket: Basket, codes: Codes): Map<number, SourceContent> {
  const rows = rowsOf<SourceRow>(basket.project.db, "source");
  const gathered = new Map(rows.map((row) => [row.row, gatheredSource(basket, row)]));
  for (const { row, av_text_id: text } of rows) {
    const [recording, transcript] = [gathered.get(row), gathered.get(text ?? 0)];
    if (recording && transcript) recording.content.transcript = transcript.content.guid;
  }
  gatherPassages(basket, codes, gathered);
  gatherAreas(basket, codes, gathered);
  gatherStretches(basket, codes, gathered);
  gatherAnnotations(basket, gathered);
  return new Map([...gathered].map(([row, { content }]) => [row, content]));
}

function gatheredSource(basket: Basket, row: SourceRow): GatheredSource {
  const kind = typeOfSource(row.mediapath);
  const name = row.name ?? "";
  const content: SourceContent = {
    guid: basket.guidOf("source", row),
    name,
    memo: basket.memoOf(row.memo, name),
    ...basket.made(row),
    kind,
    text: textOf(basket, row, kind),
    file: fileOf(basket, name, row.mediapath),
    ...emptySource(),
  };
  return { content, offsets: offsetsOf(content.text ?? "") };
}

/** Pictures and recordings have no text in the formats of others; their transcripts are sources. */
function textOf({ losses }: Basket, row: SourceRow, kind: SourceType): string | null {
  if (kind === "text") return row.fulltext ?? "";
  if (kind === "pdf") return row.fulltext;
  if (row.fulltext) losses.add("dropped", "Texts of pictures and recordings", row.name ?? "");
  return null;
}

/** A file is taken from the project's own folder only, wherever its row says that it lies. */
function fileOf(
  { project, losses }: Basket,
  name: string,
  mediapath: string | null,
): FileContent | null {
  const file = fileOfSource(mediapath);
  if (file === null) return null;
  const shown = { name: basename(file), place: undefined };
  const path = join(project.path, file);
  const isOwn = !isLinked(mediapath) && project.database !== project.path;
  const isFile = isOwn && existsSync(path) && statSync(path).isFile();
  const real = isFile ? realpathSync.native(path) : undefined;
  if (real !== undefined && contains(project.path, real)) return { ...shown, place: real };
  losses.add("missing", "Files that are not in the project's folder", name);
  return shown;
}

type Gathered = ReadonlyMap<number, GatheredSource>;

function gatherPassages(basket: Basket, codes: Codes, gathered: Gathered): void {
  type Row = CodingRow & { fid: number; seltext: string | null; pos0: number; pos1: number };
  for (const row of rowsOf<Row>(basket.project.db, "code_text")) {
    const { content, offsets } = gathered.get(row.fid) ?? {};
    const coding = content && codingOf(basket, codes, row, content);
    if (!coding) continue;
    const { pos0: start, pos1: end } = row;
    if (!isRange(start, end, offsets?.length ?? 0)) {
      basket.losses.add("dropped", "Codings outside of their text", content.name);
      continue;
    }
    if (row.seltext !== null && row.seltext !== offsets?.slice(start, end)) {
      basket.losses.add("changed", "Stored words that differ from the text", row.seltext);
    }
    content.passages.push({ guid: basket.guidOf("passage", row), ...coding, start, end });
  }
}

function gatherAreas(basket: Basket, codes: Codes, gathered: Gathered): void {
  type Row = CodingRow & Record<"id" | "x1" | "y1" | "width" | "height", number>;
  for (const row of rowsOf<Row>(basket.project.db, "code_image")) {
    const { content } = gathered.get(row.id) ?? {};
    const coding = content && codingOf(basket, codes, row, content);
    if (!coding) continue;
    if (content.kind !== "image") {
      basket.losses.add("dropped", "Coded areas of PDF pages", content.name);
      continue;
    }
    if (!areNumbers(row.x1, row.y1, row.width, row.height)) {
      basket.losses.add("dropped", "Codings without a place", content.name);
      continue;
    }
    content.areas.push({
      guid: basket.guidOf("area", row),
      ...coding,
      x: Math.round(row.x1),
      y: Math.round(row.y1),
      width: Math.round(row.width),
      height: Math.round(row.height),
    });
  }
}

function gatherStretches(basket: Basket, codes: Codes, gathered: Gathered): void {
  type Row = CodingRow & Record<"id" | "pos0" | "pos1", number>;
  for (const row of rowsOf<Row>(basket.project.db, "code_av")) {
    const { content } = gathered.get(row.id) ?? {};
    const coding = content && codingOf(basket, codes, row, content);
    if (!coding) continue;
    if (!areNumbers(row.pos0, row.pos1)) {
      basket.losses.add("dropped", "Codings without a place", content.name);
      continue;
    }
    const [begin, end] = [Math.round(row.pos0), Math.round(row.pos1)];
    content.stretches.push({ guid: basket.guidOf("stretch", row), ...coding, begin, end });
  }
}

function codingOf(basket: Basket, codes: Codes, row: CodingRow, source: SourceContent) {
  const code = basket.isHidden(row.owner) ? undefined : codes.get(row.cid);
  if (code === undefined) return undefined;
  if (row.important) basket.losses.add("dropped", "Marks of importance", source.name);
  return { code, memo: basket.memoOf(row.memo, source.name), ...basket.made(row) };
}

function gatherAnnotations(basket: Basket, gathered: Gathered): void {
  type Row = CodingRow & { fid: number; pos0: number; pos1: number };
  for (const row of rowsOf<Row>(basket.project.db, "annotation")) {
    const { content, offsets } = gathered.get(row.fid) ?? {};
    if (!content || basket.isHidden(row.owner)) continue;
    const memo = basket.memoOf(row.memo, content.name);
    const { pos0: start, pos1: end } = row;
    if (memo === "" || !isRange(start, end, offsets?.length ?? 0)) {
      basket.losses.add("dropped", "Annotations outside of a text, or without words", content.name);
      continue;
    }
    const guid = basket.guidOf("annotation", row);
    content.annotations.push({ guid, memo, ...basket.made(row), start, end });
  }
}

const isRange = (start: number, end: number, length: number): boolean =>
  areNumbers(start, end) && 0 <= start && start < end && end <= length;

/** What a column holds is what somebody has put there. */
const areNumbers = (...values: readonly unknown[]): boolean =>
  values.every((value) => Number.isFinite(value));
