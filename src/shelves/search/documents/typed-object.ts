import type { Document } from "../../../kernel/documents/documents.ts";
import type { Steps } from "../../../kernel/storage/steps.ts";
import { objectAtLine } from "../../../text/objects/object-positions.ts";
import { parseFile } from "../../../text/objects/parsing/parse-file.ts";
import { textValue } from "../../../text/objects/values/value.ts";
import type { SearchState } from "../state.ts";
import { readIndexedText } from "./document-text.ts";

/** The typed object that contains a line of a document; most documents have none. */
export function* findTypedObject(
  state: SearchState,
  document: Document,
  line: number,
): Steps<{ id: string; kind: string } | undefined> {
  if (!/\.qmd\.(.*\.)?md$/.test(document.path)) return undefined;
  const text = yield* readIndexedText(state, document);
  const object = text === undefined ? undefined : objectAtLine(parseFile(text).positions, line);
  const id = textValue(object?.get("__id"));
  const kind = textValue(object?.get("__kind"));
  return id === undefined || kind === undefined || kind === "__TextBlock"
    ? undefined
    : { id, kind };
}
