import { join } from "node:path";
import type { Document } from "../../kernel/documents.ts";
import { Failure } from "../../kernel/failure.ts";
import { hashOf } from "../../kernel/hashing.ts";
import { decode } from "../../text/decoding.ts";
import type { SearchState } from "./state.ts";

/**
 * The text of a document: as it is on disk now, which may be newer than the index; of what is no
 * plain text, what the index was made from.
 */
export function textOf(state: SearchState, document: Document): string {
  const text = convertedText(state, document) ?? decode(bytesOf(state, document));
  if (text === undefined) throw gone(document);
  return text;
}

/** The text that the index was made from, or nothing where the file says something else by now. */
export function textAsIndexed(state: SearchState, document: Document): string | undefined {
  const converted = convertedText(state, document);
  if (converted !== undefined) return converted;
  try {
    const bytes = bytesOf(state, document);
    return hashOf(bytes) === document.hash ? decode(bytes) : undefined;
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

function convertedText({ reader, converted }: SearchState, { path, hash }: Document) {
  const known = reader.converts(path) ? converted.find(hash) : undefined;
  return known && "text" in known ? known.text : undefined;
}

function bytesOf({ boundary, config }: SearchState, document: Document): Uint8Array {
  const folder = config.read().collections[document.root]?.path;
  if (!folder) throw gone(document);
  return boundary.readFile(join(folder, document.path), folder);
}

const gone = ({ root, path }: Document): Failure =>
  new Failure("not-found", "not-found", `Document not found: ${root}/${path}`);
