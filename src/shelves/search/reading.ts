import { join } from "node:path";
import type { Document } from "../../kernel/documents.ts";
import { Failure } from "../../kernel/failure.ts";
import { decode } from "../../text/decoding.ts";
import type { SearchState } from "./state.ts";

/**
 * The text of a document: as it is on disk now, which may be newer than the index; of what is no
 * plain text, what the index was made from.
 */
export function textOf(state: SearchState, { root, path, hash }: Document): string {
  const { boundary, config, reader, converted } = state;
  const folder = config.read().collections[root]?.path;
  const gone = () => new Failure("not-found", "not-found", `Document not found: ${root}/${path}`);
  if (!folder) throw gone();
  const known = reader.converts(path) ? converted.find(hash) : undefined;
  if (known && "text" in known) return known.text;
  const text = decode(boundary.readFile(join(folder, path), folder));
  if (text === undefined) throw gone();
  return text;
}
