import type { Database } from "../../../kernel/database.ts";
import { offsetsOf } from "../../../text/offsets.ts";
import { listCoder } from "../qda/storage-coders.ts";
import { addRow, describeProject, linkTranscript } from "../qda/storage-exchange.ts";
import { colorAt } from "./colors.ts";
import type { AttributeValue, Content, SourceContent } from "./content.ts";
import { type GuidKind, rememberGuid } from "./guids.ts";
import { parentsFirst } from "./parents-first.ts";

export interface Filling {
  /** Whose the project is, and whose is what has no owner. */
  coder: string;
  /** Of what has no date. */
  date: string;
  /** Where the file of a source lies, as QualCoder writes it. */
  mediapathOf(source: SourceContent): string | null;
}

/** What the parts of the filling share: rows by the GUIDs of what they hold. */
interface Trowel extends Filling {
  db: Database;
  rows: Map<string, number>;
  /** Adds a row, and remembers under which GUID it came. */
  add(kind: GuidKind, guid: string, row: () => number, date?: string | null): number;
}

/** Writes a settled content into a project that was just made, in one transaction. */
export function fillProject(db: Database, content: Content, filling: Filling): void {
  const rows = new Map<string, number>();
  const trowel: Trowel = {
    ...filling,
    db,
    rows,
    add(kind, guid, insert, date = filling.date) {
      const row = insert();
      rows.set(guid, row);
      rememberGuid(db, kind, String(row), { guid, date });
      return row;
    },
  };
  db.transaction(() => {
    describeProject(db, { ...filling, memo: content.memo });
    fillCoders(trowel, content);
    fillCodebook(trowel, content);
    fillFolders(trowel, content);
    for (const source of content.sources) fillSource(trowel, source);
    for (const { guid, transcript } of content.sources) {
      const [recording, text] = [rows.get(guid), rows.get(transcript ?? "")];
      if (recording !== undefined && text !== undefined) linkTranscript(db, recording, text);
    }
    fillCases(trowel, content);
    fillAttributes(trowel, content);
    for (const journal of content.journals) {
      const { name, text: jentry, owner = filling.coder, date = filling.date } = journal;
      const row = () => addRow(db, "journal", { name, jentry, owner, date });
      trowel.add("journal", journal.guid, row, date);
    }
  });
}

function fillCoders({ db, coder }: Trowel, { coders }: Content): void {
  listCoder(db, coder);
  for (const { name, guid } of coders) {
    listCoder(db, name);
    rememberGuid(db, "coder", name, { guid, date: null });
  }
}

function fillCodebook(
  { db, rows, add, coder: owner, date }: Trowel,
  { categories, codes }: Content,
): void {
  for (const { guid, name, memo, parent } of parentsFirst(categories)) {
    const supercatid = rows.get(parent ?? "") ?? null;
    add("category", guid, () => addRow(db, "code_cat", { name, memo, owner, date, supercatid }));
  }
  for (const [place, code] of parentsFirst(codes).entries()) {
    const { guid, name, memo, color, category, parent } = code;
    const catid = rows.get(category ?? "") ?? null;
    const supercid = rows.get(parent ?? "") ?? null;
    const values = { name, memo, owner, date, color: color ?? colorAt(place), catid, supercid };
    add("code", guid, () => addRow(db, "code_name", values));
  }
}

function fillFolders({ db, rows, add }: Trowel, { folders }: Content): void {
  for (const { guid, name, parent } of parentsFirst(folders)) {
    const values = { name, parent_id: rows.get(parent ?? "") ?? null };
    add("folder", guid, () => addRow(db, "lectern_folders", values), null);
  }
}

function fillSource(trowel: Trowel, source: SourceContent): void {
  const { db, rows, add } = trowel;
  const { guid, name, memo, text, owner = trowel.coder, date = trowel.date } = source;
  const values = { name, memo, owner, date, mediapath: trowel.mediapathOf(source) };
  const id = add("source", guid, () => addRow(db, "source", { ...values, fulltext: text }), date);
  const folder_id = rows.get(source.folder ?? "");
  if (folder_id !== undefined) {
    addRow(db, "lectern_sources", { source_id: id, source_date: date, folder_id });
  }
  const offsets = offsetsOf(text ?? "");
  for (const passage of source.passages) {
    const { start: pos0, end: pos1 } = passage;
    const place = { fid: id, pos0, pos1, seltext: offsets.slice(pos0, pos1) };
    addCoding(trowel, "passage", "code_text", passage, place);
  }
  for (const area of source.areas) {
    const { x: x1, y: y1, width, height } = area;
    addCoding(trowel, "area", "code_image", area, { id, x1, y1, width, height });
  }
  for (const stretch of source.stretches) {
    const place = { id, pos0: stretch.begin, pos1: stretch.end };
    addCoding(trowel, "stretch", "code_av", stretch, place);
  }
  for (const annotation of source.annotations) {
    const { start: pos0, end: pos1, memo, ...made } = annotation;
    const { owner = trowel.coder, date = trowel.date } = made;
    const row = () => addRow(db, "annotation", { fid: id, pos0, pos1, memo, owner, date });
    add("annotation", annotation.guid, row, date);
  }
}

function addCoding(
  { db, rows, add, ...trowel }: Trowel,
  kind: "passage" | "area" | "stretch",
  table: "code_text" | "code_image" | "code_av",
  coding: SourceContent["passages" | "areas" | "stretches"][number],
  place: Record<string, number | string>,
): void {
  const { guid, memo, owner = trowel.coder, date = trowel.date } = coding;
  const cid = rows.get(coding.code) ?? null;
  add(kind, guid, () => addRow(db, table, { ...place, cid, memo, owner, date }), date);
}

function fillCases({ db, rows, add, coder: owner, date }: Trowel, content: Content): void {
  const lengths = new Map(
    content.sources.map(({ guid, text }) => [guid, offsetsOf(text ?? "").length]),
  );
  for (const { guid, name, memo, sources, passages } of content.cases) {
    const caseid = add("case", guid, () => addRow(db, "cases", { name, memo, owner, date }));
    const whole = sources.map((source) => ({ source, start: 0, end: lengths.get(source) ?? 0 }));
    for (const { source, start: pos0, end: pos1 } of [...whole, ...passages]) {
      const fid = rows.get(source);
      if (fid === undefined) continue;
      addRow(db, "case_text", { caseid, fid, pos0, pos1, owner, date, memo: "" });
    }
  }
}

/** QualCoder shows an attribute of every case or file, so that each has a row, be it empty. */
const mostEmptyValues = 200_000;

function fillAttributes({ db, rows, coder: owner, date }: Trowel, content: Content): void {
  const { attributes, cases, sources } = content;
  const names = new Map(attributes.map(({ guid, name }) => [guid, name]));
  for (const { guid, name, memo, of: caseOrFile, type: valuetype } of attributes) {
    addRow(db, "attribute_type", { name, date, owner, memo, caseOrFile, valuetype });
    rememberGuid(db, "attribute", name, { guid, date });
  }
  const isFew = attributes.length * (cases.length + sources.length) <= mostEmptyValues;
  const fill = (
    owners: readonly { guid: string; values: AttributeValue[] }[],
    attr_type: "case" | "file",
  ): void => {
    const empty = attributes.filter((one) => isFew && one.of === attr_type);
    for (const one of owners) {
      const id = rows.get(one.guid) ?? null;
      const values = new Map([
        ...empty.map(({ guid }): [string, string] => [guid, ""]),
        ...one.values.map(({ attribute, value }): [string, string] => [attribute, value]),
      ]);
      for (const [guid, value] of values) {
        const name = names.get(guid) ?? "";
        addRow(db, "attribute", { name, attr_type, value, id, date, owner });
      }
    }
  };
  fill(cases, "case");
  fill(sources, "file");
}
