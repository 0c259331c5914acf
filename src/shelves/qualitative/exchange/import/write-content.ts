import type { Database } from "../../../../kernel/storage/database.ts";
import { codePointOffsets } from "../../../../text/spans/offsets.ts";
import { ensureCoderListed } from "../../qda/storage-coders.ts";
import { insertExchangedRow, linkTranscript, saveProjectInfo } from "../../qda/storage-exchange.ts";
import { defaultColorAt } from "../colors.ts";
import type { AttributeValueContent, Content, SourceContent } from "../content.ts";
import { sortParentsFirst } from "../parents-first.ts";
import { type GuidKind, insertGuid } from "../stored-guids.ts";

export interface ImportOptions {
  /** The owner of the project, and of items without an owner. */
  coder: string;
  /** For items without a date. */
  date: string;
  /** The media path of a source in QualCoder's notation. */
  mediapathOf(source: SourceContent): string | null;
}

/** Shared state of an import: row ids by GUID. */
interface ImportContext extends ImportOptions {
  db: Database;
  rows: Map<string, number>;
  /** Adds a row and stores its GUID. */
  add(kind: GuidKind, guid: string, row: () => number, date?: string | null): number;
}

/** Writes normalized content into a new project, in one transaction. */
export function writeContent(db: Database, content: Content, options: ImportOptions): void {
  const rows = new Map<string, number>();
  const context: ImportContext = {
    ...options,
    db,
    rows,
    add(kind, guid, insert, date = options.date) {
      const row = insert();
      rows.set(guid, row);
      insertGuid(db, kind, String(row), { guid, date });
      return row;
    },
  };
  db.transaction(() => {
    saveProjectInfo(db, { ...options, memo: content.memo });
    writeCoders(context, content);
    writeCodebook(context, content);
    writeFolders(context, content);
    for (const source of content.sources) writeSource(context, source);
    for (const { guid, transcript } of content.sources) {
      const [recording, text] = [rows.get(guid), rows.get(transcript ?? "")];
      if (recording !== undefined && text !== undefined) linkTranscript(db, recording, text);
    }
    writeCases(context, content);
    writeAttributes(context, content);
    for (const journal of content.journals) {
      const { name, text: jentry, owner = options.coder, date = options.date } = journal;
      const row = () => insertExchangedRow(db, "journal", { name, jentry, owner, date });
      context.add("journal", journal.guid, row, date);
    }
  });
}

function writeCoders({ db, coder }: ImportContext, { coders }: Content): void {
  ensureCoderListed(db, coder);
  for (const { name, guid } of coders) {
    ensureCoderListed(db, name);
    insertGuid(db, "coder", name, { guid, date: null });
  }
}

function writeCodebook(
  { db, rows, add, coder: owner, date }: ImportContext,
  { categories, codes }: Content,
): void {
  for (const { guid, name, memo, parent } of sortParentsFirst(categories)) {
    const supercatid = rows.get(parent ?? "") ?? null;
    add("category", guid, () =>
      insertExchangedRow(db, "code_cat", { name, memo, owner, date, supercatid }),
    );
  }
  for (const [place, code] of sortParentsFirst(codes).entries()) {
    const { guid, name, memo, color, category, parent } = code;
    const catid = rows.get(category ?? "") ?? null;
    const supercid = rows.get(parent ?? "") ?? null;
    const values = {
      name,
      memo,
      owner,
      date,
      color: color ?? defaultColorAt(place),
      catid,
      supercid,
    };
    add("code", guid, () => insertExchangedRow(db, "code_name", values));
  }
}

function writeFolders({ db, rows, add }: ImportContext, { folders }: Content): void {
  for (const { guid, name, parent } of sortParentsFirst(folders)) {
    const values = { name, parent_id: rows.get(parent ?? "") ?? null };
    add("folder", guid, () => insertExchangedRow(db, "lectern_folders", values), null);
  }
}

function writeSource(context: ImportContext, source: SourceContent): void {
  const { db, rows, add } = context;
  const { guid, name, memo, text, owner = context.coder, date = context.date } = source;
  const values = { name, memo, owner, date, mediapath: context.mediapathOf(source) };
  const id = add(
    "source",
    guid,
    () => insertExchangedRow(db, "source", { ...values, fulltext: text }),
    date,
  );
  const folder_id = rows.get(source.folder ?? "");
  if (folder_id !== undefined) {
    insertExchangedRow(db, "lectern_sources", { source_id: id, source_date: date, folder_id });
  }
  const offsets = codePointOffsets(text ?? "");
  for (const passage of source.passages) {
    const { start: pos0, end: pos1 } = passage;
    const columns = { fid: id, pos0, pos1, seltext: offsets.slice(pos0, pos1) };
    writeCoding(context, "passage", "code_text", passage, columns);
  }
  for (const area of source.areas) {
    const { x: x1, y: y1, width, height } = area;
    writeCoding(context, "area", "code_image", area, { id, x1, y1, width, height });
  }
  for (const range of source.mediaRanges) {
    const columns = { id, pos0: range.begin, pos1: range.end };
    writeCoding(context, "stretch", "code_av", range, columns);
  }
  for (const annotation of source.annotations) {
    const { start: pos0, end: pos1, memo, ...made } = annotation;
    const { owner = context.coder, date = context.date } = made;
    const row = () =>
      insertExchangedRow(db, "annotation", { fid: id, pos0, pos1, memo, owner, date });
    add("annotation", annotation.guid, row, date);
  }
}

function writeCoding(
  { db, rows, add, ...context }: ImportContext,
  kind: "passage" | "area" | "stretch",
  table: "code_text" | "code_image" | "code_av",
  coding: SourceContent["passages" | "areas" | "mediaRanges"][number],
  columns: Record<string, number | string>,
): void {
  const { guid, memo, owner = context.coder, date = context.date } = coding;
  const cid = rows.get(coding.code) ?? null;
  add(
    kind,
    guid,
    () => insertExchangedRow(db, table, { ...columns, cid, memo, owner, date }),
    date,
  );
}

function writeCases({ db, rows, add, coder: owner, date }: ImportContext, content: Content): void {
  const lengths = new Map(
    content.sources.map(({ guid, text }) => [guid, codePointOffsets(text ?? "").length]),
  );
  for (const { guid, name, memo, sources, passages } of content.cases) {
    const caseid = add("case", guid, () =>
      insertExchangedRow(db, "cases", { name, memo, owner, date }),
    );
    const whole = sources.map((source) => ({ source, start: 0, end: lengths.get(source) ?? 0 }));
    for (const { source, start: pos0, end: pos1 } of [...whole, ...passages]) {
      const fid = rows.get(source);
      if (fid === undefined) continue;
      insertExchangedRow(db, "case_text", { caseid, fid, pos0, pos1, owner, date, memo: "" });
    }
  }
}

/** QualCoder needs a row for each attribute of each case or file, even if it is empty. */
const maxEmptyValues = 200_000;

function writeAttributes({ db, rows, coder: owner, date }: ImportContext, content: Content): void {
  const { attributes, cases, sources } = content;
  const names = new Map(attributes.map(({ guid, name }) => [guid, name]));
  for (const { guid, name, memo, of: caseOrFile, type: valuetype } of attributes) {
    insertExchangedRow(db, "attribute_type", { name, date, owner, memo, caseOrFile, valuetype });
    insertGuid(db, "attribute", name, { guid, date });
  }
  const writesEmptyValues = attributes.length * (cases.length + sources.length) <= maxEmptyValues;
  const fill = (
    owners: readonly { guid: string; values: AttributeValueContent[] }[],
    attr_type: "case" | "file",
  ): void => {
    const empty = attributes.filter(({ of }) => writesEmptyValues && of === attr_type);
    for (const one of owners) {
      const id = rows.get(one.guid) ?? null;
      const values = new Map([
        ...empty.map(({ guid }): [string, string] => [guid, ""]),
        ...one.values.map(({ attribute, value }): [string, string] => [attribute, value]),
      ]);
      for (const [guid, value] of values) {
        const name = names.get(guid) ?? "";
        insertExchangedRow(db, "attribute", { name, attr_type, value, id, date, owner });
      }
    }
  };
  fill(cases, "case");
  fill(sources, "file");
}
