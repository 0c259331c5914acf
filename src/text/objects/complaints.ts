import { referenceTo } from "./ids.ts";
import type { LineIndex } from "./source.ts";
import { type Fields, fieldsOf, numeral, type Value } from "./value.ts";

/** What can be wrong with a file. A complaint never hides the rest of it. */
type ComplaintType =
  | "dangling_field"
  | "duplicate_id"
  | "explicit_system_type"
  | "invalid_id_character"
  | "invalid_map_content"
  | "invalid_map_entry"
  | "mixed_field_keys"
  | "multiple_definitions"
  | "nested_subitems"
  | "ordered_list_in_array"
  | "structured_in_textblock";

/** The complaints about one file, which stand behind its objects as objects of their own. */
export interface Complaints {
  /** About an object or a field of it. */
  ofObject(
    type: ComplaintType,
    objectId: string,
    line: LineIndex,
    about?: { field: string; fieldType?: string },
  ): void;
  /** About a definition, by its letters. With an id of its own it stands for what it refused. */
  ofDefinition(type: ComplaintType, raw: string, line: LineIndex, id?: string): void;
  /** About an id that stands in the file already. */
  ofDuplicate(objectId: string, firstLine: number, line: number): void;
  all(): Fields[];
}

export function complaints(): Complaints {
  const all: Fields[] = [];
  let numbered = 0;
  const add = (type: ComplaintType, id: string | undefined, facts: [string, Value][]) =>
    all.push(
      fieldsOf([
        ["__id", id ?? `error_${numbered++}`],
        ["__kind", "__ParsingError"],
        ["type", type],
        ...facts,
      ]),
    );
  return {
    ofObject(type, objectId, line, about) {
      const facts: [string, Value][] = [];
      if (about) facts.push(["field", about.field]);
      if (about?.fieldType) facts.push(["field_type", about.fieldType]);
      facts.push(["object", referenceTo(objectId)], ["line", numeral(line + 1)]);
      add(type, undefined, facts);
    },
    ofDefinition(type, raw, line, id) {
      add(type, id, [
        ["reference", raw],
        ["line", numeral(line + 1)],
      ]);
    },
    ofDuplicate(objectId, firstLine, line) {
      add("duplicate_id", `__error_dup_${objectId}`, [
        ["message", `Duplicate ID '${objectId}' (first defined on line ${firstLine})`],
        ["object", referenceTo(objectId)],
        ["line", numeral(line)],
      ]);
    },
    all: () => all,
  };
}
