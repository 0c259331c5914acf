import { invalid } from "../../../kernel/failure.ts";
import { globMatcher } from "../../../text/patterns/glob.ts";
import { requireCollection } from "../documents/collections.ts";
import { parseDocumentUri } from "../documents/document-uri.ts";
import type { SearchState } from "../state.ts";

export interface NoteTarget {
  /** The collection. */
  root: string;
  /** Relative to the collection, with slashes. */
  path: string;
}

/**
 * The place of a new note, `collection/path`, with `.md` added if it has no ending. Throws unless
 * the collection would index it, since nobody would find it otherwise.
 */
export function newNoteTarget(state: SearchState, given: string): NoteTarget {
  const { root, path } = splitName(state, (parseDocumentUri(given) ?? given).trim());
  const file = /\.[\p{L}\p{N}]{1,8}$/u.test(path) ? path : `${path}.md`;
  if (file.split("/").some((name) => !isPlainName(name))) throw badName(given);
  if (state.reader.needsConversion(file)) {
    throw invalid("Invalid parameter 'file': a note is a text file.", [
      "Use an ending such as .md.",
    ]);
  }
  const { pattern, ignore = [] } = requireCollection(state.config.read(), root);
  const matches = (glob: string) => globMatcher(glob, { anyEnding: true })(file);
  if (!matches(pattern) || ignore.some(matches)) {
    throw invalid(`Collection '${root}' would not index '${file}'.`, [
      `It indexes ${[pattern, ...ignore.map((glob) => `not ${glob}`)].join(", ")}.`,
    ]);
  }
  return { root, path: file };
}

/** Without a collection, the name is meant in the only one. */
function splitName({ config }: SearchState, name: string): NoteTarget {
  const names = Object.keys(config.read().collections);
  const slash = name.indexOf("/");
  const root = name.slice(0, Math.max(slash, 0));
  if (names.includes(root)) return { root, path: name.slice(slash + 1) };
  const [only, ...others] = names;
  if (only !== undefined && others.length === 0) return { root: only, path: name };
  throw invalid("Invalid parameter 'file': write it as collection/path.", [
    names.length > 0 ? `Collections: ${names.join(", ")}.` : "There is no collection yet.",
  ]);
}

/** Names with a leading dot are not indexed; the others mean something to the file system. */
const isPlainName = (name: string): boolean =>
  name !== "" && !/^[.\s]|[\p{Cc}\\:*?"<>|]|[\s.]$/u.test(name) && Buffer.byteLength(name) <= 200;

const badName = (given: string) =>
  invalid(`Invalid parameter 'file': '${given.slice(0, 200)}' is not a valid name of a note.`, [
    "Write collection/folder/name, without '..', hidden names and the characters \\ : * ? \" < > |.",
  ]);
