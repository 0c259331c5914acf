import { Failure } from "../../../kernel/failure.ts";
import {
  type AttributeOwner,
  type AttributeRow,
  allAttributeTypes,
  attributeOwnerIds,
  findAttribute,
  linksOfCase,
} from "../qda/storage-cases.ts";
import { assertInsideText, readSourceText, requireSource } from "../sources/source.ts";
import type { WriteContext } from "./project.ts";

/** Null deletes the value. */
export type NewAttributeValue = string | number | null;

/** Links a case to whole sources or to parts of them. An existing link is not duplicated. */
export function linkCase(
  { writer, db, owner, date }: WriteContext,
  caseId: number,
  links: readonly {
    source_id: number;
    start_pos?: number | undefined;
    end_pos?: number | undefined;
  }[],
): void {
  const existingLinks = new Set(
    linksOfCase(db, caseId).map(({ source, start, end }) => `${source} ${start} ${end}`),
  );
  for (const { source_id, start_pos, end_pos } of links) {
    requireSource(db, source_id);
    const text = readSourceText(db, source_id);
    const start = start_pos ?? 0;
    const end = end_pos ?? text.length;
    // A recording or picture has no text and is linked as a whole: QualCoder writes 0, 0.
    if (text.length > 0) assertInsideText(text, start, end);
    if (existingLinks.has(`${source_id} ${start} ${end}`)) continue;
    existingLinks.add(`${source_id} ${start} ${end}`);
    const link = { caseid: caseId, fid: source_id, pos0: start, pos1: end };
    writer.insert("case_text", { ...link, owner, date, memo: "" });
  }
}

export function unlinkCase(
  { writer, db }: WriteContext,
  caseId: number,
  sources: readonly number[],
): void {
  for (const link of linksOfCase(db, caseId)) {
    if (sources.includes(link.source)) writer.remove("case_text", link.id);
  }
}

/**
 * Sets attributes. A missing attribute is defined first, as numeric if its first value is a number.
 */
export function setAttributes(
  context: WriteContext,
  of: AttributeOwner,
  id: number,
  values: Readonly<Record<string, NewAttributeValue>>,
): void {
  const { writer, db, owner, date } = context;
  for (const [name, value] of Object.entries(values)) {
    const row = () => findAttribute(db, { of, whose: id, name });
    if (value === null && !row()) continue;
    const type = typeof value === "number" ? "numeric" : "character";
    const definedType = defineAttribute(context, { name, of, type });
    if (definedType === "numeric" && value !== null && !Number.isFinite(Number(value))) {
      throw new Failure("invalid", "NOT_A_NUMBER", `Attribute '${name}' is numeric`, {
        hints: ["Give a number, or null."],
      });
    }
    const written = value === null ? "" : String(value);
    const before = row();
    if (!before)
      writer.insert("attribute", { name, attr_type: of, value: written, id, date, owner });
    else if (before.value !== written) writer.update("attribute", before.id, { value: written });
  }
}

/**
 * Returns the type of an attribute, and defines the attribute if it is missing. QualCoder expects a
 * row for every case or source, with an empty value if there is none.
 */
export function defineAttribute(
  { writer, db, owner, date }: WriteContext,
  { name, of, type, memo = "" }: { name: string; of: AttributeOwner; type: string; memo?: string },
): string {
  const existing = allAttributeTypes(db).find(
    (one) => one.name.toLowerCase() === name.toLowerCase(),
  );
  if (existing && (existing.owner !== of || existing.name !== name)) {
    throw new Failure(
      "conflict",
      "ATTRIBUTE_NOT_MADE/DUPLICATE_NAME",
      `An attribute '${existing.name}' of each ${existing.owner} already exists`,
    );
  }
  if (existing) return existing.type;
  if (name.trim() === "" || !name.isWellFormed()) {
    throw new Failure("invalid", "ATTRIBUTE_NOT_MADE/EMPTY_NAME", "An attribute needs a name");
  }
  writer.insert("attribute_type", { name, date, owner, memo, caseOrFile: of, valuetype: type });
  for (const id of attributeOwnerIds(db, of)) {
    writer.insert("attribute", { name, attr_type: of, value: "", id, date, owner });
  }
  return type;
}

/** Inserts an empty value of every case attribute for a new case. */
export function insertEmptyAttributes(
  { writer, db, owner, date }: WriteContext,
  of: AttributeOwner,
  id: number,
): void {
  for (const { name, owner: whose } of allAttributeTypes(db)) {
    if (whose === of)
      writer.insert("attribute", { name, attr_type: of, value: "", id, date, owner });
  }
}

/** Non-empty values by attribute name; empty values exist only for QualCoder. */
export const attributeValuesByName = (rows: readonly AttributeRow[]): Record<string, string> =>
  Object.fromEntries(rows.flatMap(({ name, value }) => (value ? [[name, value]] : [])));
