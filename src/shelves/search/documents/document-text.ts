import { join } from "node:path";
import type { Document } from "../../../kernel/documents/documents.ts";
import { Failure } from "../../../kernel/failure.ts";
import { sha256Hex } from "../../../kernel/files/hashes.ts";
import type { Steps } from "../../../kernel/storage/steps.ts";
import { decodeText } from "../../../text/formats/text-decoder.ts";
import type { SearchState } from "../state.ts";

/**
 * The current text of a document on disk, which may be newer than the index. For a format that is
 * converted to text, the converted text in the index.
 */
export function* readDocumentText(state: SearchState, document: Document): Steps<string> {
  const converted = yield* findConvertedText(state, document);
  const text = converted ?? decodeText(readBytes(state, document));
  if (text === undefined) throw documentGone(document);
  return text;
}

/** The indexed text of a document; undefined if the file has changed since. */
export function* readIndexedText(
  state: SearchState,
  document: Document,
): Steps<string | undefined> {
  const converted = yield* findConvertedText(state, document);
  if (converted !== undefined) return converted;
  try {
    const bytes = readBytes(state, document);
    return sha256Hex(bytes) === document.hash ? decodeText(bytes) : undefined;
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

function* findConvertedText(
  { reader, conversionCache }: SearchState,
  { path, hash }: Document,
): Steps<string | undefined> {
  const known = reader.needsConversion(path) ? yield* conversionCache.find(hash) : undefined;
  return known && "text" in known ? known.text : undefined;
}

function readBytes({ boundary, config }: SearchState, document: Document): Uint8Array {
  const folder = config.read().collections[document.root]?.path;
  if (!folder) throw documentGone(document);
  return boundary.readFile(join(folder, document.path), folder);
}

const documentGone = ({ root, path }: Document): Failure =>
  new Failure("not-found", "not-found", `Document not found: ${root}/${path}`);
