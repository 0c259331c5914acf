import type { Document } from "../../kernel/documents.ts";
import { parseFile } from "../../text/objects/file.ts";
import { objectAtLine } from "../../text/objects/places.ts";
import { textOf } from "../../text/objects/value.ts";
import { textAsIndexed } from "./reading.ts";
import type { SearchState } from "./state.ts";

/** The typed object that a line of a document lies in; most documents have none. */
export function typedObjectAt(state: SearchState, document: Document, lineOf: () => number) {
  if (!/\.qmd\.(.*\.)?md$/.test(document.path)) return undefined;
  const text = textAsIndexed(state, document);
  const object = text === undefined ? undefined : objectAtLine(parseFile(text).places, lineOf());
  const id = textOf(object?.get("__id"));
  const kind = textOf(object?.get("__kind"));
  return id === undefined || kind === undefined || kind === "__TextBlock"
    ? undefined
    : { id, kind };
}
