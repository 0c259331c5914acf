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
  const [tag, start] = isName ? [name, name] : ["value", `value name="${escaped(name)}"`];
  return `<${start}>${escaped(text)}</${tag}>`;
}

const escaped = (text: string): string =>
  text
    .toWellFormed()
    // XML 1.0 has no way at all to write these.
    .replace(unwritable, "\ufffd")
    .replace(/[<>&"\r]/g, (sign) => `&#${sign.charCodeAt(0)};`);

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it is for
const unwritable = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g;
