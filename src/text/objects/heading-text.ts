import { headingsOf } from "./headings.ts";
import { mapIn } from "./record.ts";
import { readSource } from "./source.ts";
import { type Fields, textOf } from "./value.ts";

/** The definition stands behind the label, unless brackets or backticks there would take it in. */
export function headingLine(level: number, label: string, definition: string): string {
  const marks = "#".repeat(level);
  const title = label.replace(/\s+/g, " ").trim();
  const line = [marks, title, definition].filter(Boolean).join(" ");
  if (!/[[`]/.test(title)) return line;
  const [heading] = headingsOf(readSource(line));
  return heading?.label === title ? line : [marks, definition, title].filter(Boolean).join(" ");
}

/** What an id may hold between double brackets. */
export const nameIn = (id: string): string => id.replace(/[[\]:\r\n]+|^#+/g, "_");

/** A field that stood under no object became one, and remembers what it was meant to be. */
export function keywordOfDangling(record: Fields, id: string): string | undefined {
  const syntax = textOf(mapIn(record, "__syntax").get(id));
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
