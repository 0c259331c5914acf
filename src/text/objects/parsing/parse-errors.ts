import { referenceTo } from "../ids.ts";
import { createFields, type Fields, numeral, type Value } from "../values/value.ts";
import type { LineIndex } from "./source.ts";

/** The errors a file can have. An error never hides the rest of the file. */
type ParseErrorType =
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

/** The errors of one file, appended to its objects as objects. */
export interface ParseErrors {
  /** Reports an error in an object or one of its fields. */
  addForObject(
    type: ParseErrorType,
    objectId: string,
    line: LineIndex,
    about?: { field: string; fieldType?: string },
  ): void;
  /**
   * Reports an error in a definition, with its position. With an id it replaces the rejected
   * object.
   */
  addForDefinition(type: ParseErrorType, raw: string, line: LineIndex, id?: string): void;
  /** Reports a duplicate id. */
  addForDuplicate(objectId: string, firstLine: number, line: number): void;
  all(): Fields[];
}

export function createParseErrors(): ParseErrors {
  const all: Fields[] = [];
  let numbered = 0;
  const add = (type: ParseErrorType, id: string | undefined, facts: [string, Value][]) =>
    all.push(
      createFields([
        ["__id", id ?? `error_${numbered++}`],
        ["__kind", "__ParsingError"],
        ["type", type],
        ...facts,
      ]),
    );
  return {
    addForObject(type, objectId, line, about) {
      const facts: [string, Value][] = [];
      if (about) facts.push(["field", about.field]);
      if (about?.fieldType) facts.push(["field_type", about.fieldType]);
      facts.push(["object", referenceTo(objectId)], ["line", numeral(line + 1)]);
      add(type, undefined, facts);
    },
    addForDefinition(type, raw, line, id) {
      add(type, id, [
        ["reference", raw],
        ["line", numeral(line + 1)],
      ]);
    },
    addForDuplicate(objectId, firstLine, line) {
      add("duplicate_id", `__error_dup_${objectId}`, [
        ["message", `Duplicate ID '${objectId}' (first defined on line ${firstLine})`],
        ["object", referenceTo(objectId)],
        ["line", numeral(line)],
      ]);
    },
    all: () => all,
  };
}
