import { Failure } from "../../kernel/failure.ts";
import type { Hand } from "./project.ts";
import {
  type AttributeOwner,
  type AttributeRow,
  attributeTypes,
  findAttribute,
  linksOfCase,
  possibleOwners,
} from "./qda/storage-cases.ts";
import { readText, refuseOutside, sourceById } from "./source.ts";

/** A value of an attribute; null takes it away. */
export type AttributeValue = string | number | null;

/** Links a case to sources: to all of one, or to a part. A link that is there already stays one. */
export function linkCase(
  { pen, db, owner, date }: Hand,
  caseId: number,
  links: readonly {
    source_id: number;
    start_pos?: number | undefined;
    end_pos?: number | undefined;
  }[],
): void {
  const known = new Set(
    linksOfCase(db, caseId).map(({ source, start, end }) => `${source} ${start} ${end}`),
  );
  for (const { source_id, start_pos, end_pos } of links) {
    sourceById(db, source_id);
    const text = readText(db, source_id);
    const start = start_pos ?? 0;
    const end = end_pos ?? text.length;
    // A recording or picture has no text, and belongs to a case as a whole: QualCoder writes 0, 0.
    if (text.length > 0) refuseOutside(text, start, end);
    if (known.has(`${source_id} ${start} ${end}`)) continue;
    known.add(`${source_id} ${start} ${end}`);
    const place = { caseid: caseId, fid: source_id, pos0: start, pos1: end };
    pen.insert("case_text", { ...place, owner, date, memo: "" });
  }
}

export function unlinkCase({ pen, db }: Hand, caseId: number, sources: readonly number[]): void {
  for (const link of linksOfCase(db, caseId)) {
    if (sources.includes(link.source)) pen.remove("case_text", link.id);
  }
}

/** Sets attributes; one that nobody has yet is made, as a number where its first value is one. */
export function setAttributes(
  hand: Hand,
  of: AttributeOwner,
  id: number,
  values: Readonly<Record<string, AttributeValue>>,
): void {
  const { pen, db, owner, date } = hand;
  for (const [name, value] of Object.entries(values)) {
    const row = () => findAttribute(db, { of, whose: id, name });
    if (value === null && !row()) continue;
    const type = typeof value === "number" ? "numeric" : "character";
    const known = defineAttribute(hand, { name, of, type });
    if (known === "numeric" && value !== null && !Number.isFinite(Number(value))) {
      throw new Failure("invalid", "NOT_A_NUMBER", `Attribute '${name}' is a number`, {
        hints: ["Give a number, or null."],
      });
    }
    const written = value === null ? "" : String(value);
    const before = row();
    if (!before) pen.insert("attribute", { name, attr_type: of, value: written, id, date, owner });
    else if (before.value !== written) pen.update("attribute", before.id, { value: written });
  }
}

/**
 * The type of an attribute, which is made where there is none of this name. QualCoder expects a row
 * for everybody who can have it, be it an empty one.
 */
export function defineAttribute(
  { pen, db, owner, date }: Hand,
  { name, of, type, memo = "" }: { name: string; of: AttributeOwner; type: string; memo?: string },
): string {
  const known = attributeTypes(db).find((one) => one.name.toLowerCase() === name.toLowerCase());
  if (known && (known.owner !== of || known.name !== name)) {
    throw new Failure(
      "conflict",
      "ATTRIBUTE_NOT_MADE/DUPLICATE_NAME",
      `There is an attribute '${known.name}' of each ${known.owner} already`,
    );
  }
  if (known) return known.type;
  if (name.trim() === "" || !name.isWellFormed()) {
    throw new Failure("invalid", "ATTRIBUTE_NOT_MADE/EMPTY_NAME", "An attribute needs a name");
  }
  pen.insert("attribute_type", { name, date, owner, memo, caseOrFile: of, valuetype: type });
  for (const id of possibleOwners(db, of)) {
    pen.insert("attribute", { name, attr_type: of, value: "", id, date, owner });
  }
  return type;
}

/** The empty rows that a new case gets, one for each attribute of cases. */
export function fillAttributes(
  { pen, db, owner, date }: Hand,
  of: AttributeOwner,
  id: number,
): void {
  for (const { name, owner: whose } of attributeTypes(db)) {
    if (whose === of) pen.insert("attribute", { name, attr_type: of, value: "", id, date, owner });
  }
}

/** Values that somebody has given; the empty ones are only kept for QualCoder. */
export const shownAttributes = (rows: readonly AttributeRow[]): Record<string, string> =>
  Object.fromEntries(rows.flatMap(({ name, value }) => (value ? [[name, value]] : [])));
