import { readObjectHeadings } from "../parsing/object-headings.ts";
import { scanSource } from "../parsing/source.ts";
import { mapField } from "../record.ts";
import { type Fields, textValue } from "../values/value.ts";

/** The definition follows the label, unless brackets or backticks in the label would absorb it. */
export function formatHeading(level: number, label: string, definition: string): string {
  const marks = "#".repeat(level);
  const title = label.replace(/\s+/g, " ").trim();
  const line = [marks, title, definition].filter(Boolean).join(" ");
  if (!/[[`]/.test(title)) return line;
  const [heading] = readObjectHeadings(scanSource(line));
  return heading?.label === title ? line : [marks, definition, title].filter(Boolean).join(" ");
}

/** The characters allowed in an id between double brackets. */
export const sanitiseId = (id: string): string => id.replace(/[[\]:\r\n]+|^#+/g, "_");

/** The parser turns a field outside any object into an object that stores the field type. */
export function danglingFieldKeyword(record: Fields, id: string): string | undefined {
  const syntax = textValue(mapField(record, "__syntax").get(id));
  return syntax && !record.has(id) ? keywords.get(syntax) : undefined;
}

const keywords: ReadonlyMap<string, string> = new Map([
  ["multiline_text", "text"],
  ["markdown_list", "array"],
  ["yaml_object", "yaml"],
  ["json_object", "json"],
  ["map", "map"],
  ["headers", "[__Object]"],
]);
