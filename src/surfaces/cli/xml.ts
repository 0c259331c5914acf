import { inMarkup } from "../../text/markup.ts";
import { cellOf } from "./csv.ts";
import type { Row } from "./table.ts";

/** `<rows>` of `<row>`, with an element for each value that is there. */
export function xmlOf(columns: readonly string[], rows: readonly Row[]): string {
  const lines = rows.flatMap((row) => [
    "  <row>",
    ...columns
      .filter((name) => row[name] !== undefined && row[name] !== null)
      .map((name) => `    ${element(name, cellOf(row[name]))}`),
    "  </row>",
  ]);
  return `${['<?xml version="1.0" encoding="UTF-8"?>', "<rows>", ...lines, "</rows>"].join("\n")}\n`;
}

/** A key that is no name in XML, such as one with a space, is told by an attribute. */
function element(name: string, text: string): string {
  const isName = /^[A-Za-z_][\w.-]*$/.test(name) && !/^xml/i.test(name);
  const [tag, start] = isName ? [name, name] : ["value", `value name="${inMarkup(name)}"`];
  return `<${start}>${inMarkup(text)}</${tag}>`;
}
