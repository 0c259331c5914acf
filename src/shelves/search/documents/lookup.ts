import { isAbsolute, relative, sep } from "node:path";
import type { Call } from "../../../kernel/call.ts";
import { Failure, invalid } from "../../../kernel/failure.ts";
import { containsPath } from "../../../kernel/paths/boundary.ts";
import type { Steps } from "../../../kernel/storage/steps.ts";
import { similarNames } from "../../../text/strings/similar-names.ts";
import { notYetScanned, waitForInitialScan } from "../indexing/initial-scan.ts";
import type { SearchState } from "../state.ts";
import {
  findDocumentAt,
  findDocumentsByHash,
  findDocumentsBySuffix,
  type TitledDocument,
} from "../storage.ts";
import { parseDocumentUri } from "./document-uri.ts";
import { findByNoteName, findByTitle } from "./note-names.ts";

/** The document for a name, and the part of it at the end of the name. */
export interface LookupResult {
  document: TitledDocument;
  part?: RequestedPart;
}

/** `:120`, `:120:40`, `:120-159` or `#a-heading` after a name. */
export interface RequestedPart {
  line?: number;
  count?: number;
  anchor?: string;
}

/**
 * Finds a document by `collection/path`, by a path in its collection or the end of one, by docid, by
 * `qmd://` URI, by path on disk, as `[[name]]` does or by title. The name may end in `:120` for a line,
 * `:120:40` for 40 lines from there, `:120-159` for the same lines, or `#heading`. An ambiguous name
 * is an error that lists the candidates.
 */
export function* lookUpDocument(state: SearchState, given: string): Steps<LookupResult> {
  const name = nameOf(given);
  const found = yield* findDocument(state, name);
  if (!found) throw yield* documentNotFound(state, name);
  return found;
}

/** The same, but waits for the initial scan of a collection if the document is not found. */
export async function lookUpWhenScanned(
  state: SearchState,
  given: string,
  call: Call,
): Promise<LookupResult> {
  const name = nameOf(given);
  const { store } = state;
  const revision = await store.run(state.revision());
  const found = await store.run(findDocument(state, name));
  if (found) return found;
  const [root = ""] = (parseDocumentUri(given) ?? given).split("/");
  const isNamed = Object.hasOwn(state.config.read().collections, root);
  const unscanned = await waitForInitialScan(state, call, isNamed ? [root] : undefined);
  const isSame = (await store.run(state.revision())) === revision;
  const foundLater = isSame ? undefined : await store.run(findDocument(state, name));
  if (foundLater) return foundLater;
  throw unscanned.length > 0
    ? notYetScanned(unscanned)
    : await store.run(documentNotFound(state, name));
}

function nameOf(given: string): string {
  const name = (given.startsWith("qmd:") ? parseDocumentUri(given) : given)?.trim() ?? "";
  if (name === "") throw invalid("Invalid parameter 'file': give a path, a docid or a URI.");
  return name;
}

function* findDocument(state: SearchState, name: string): Steps<LookupResult | undefined> {
  const meanings = parseName(name);
  // A file of exactly this name takes precedence over a note or alias that is called like it, and
  // these over a title.
  for (const findAny of [findByPath, findByNoteName, findByTitle]) {
    for (const { bare, part } of meanings) {
      const found = yield* findAny(state, bare);
      if (found.length === 0) continue;
      if ((part?.count ?? 0) < 0)
        throw invalid(`Invalid parameter 'file': '${name}' ends before it begins.`);
      return { document: requireSingle(found, bare), ...(part && { part }) };
    }
  }
  return undefined;
}

/** The possible meanings of a name. The one without a part is first, because file names may contain `:` and `#`. */
function parseName(given: string): { bare: string; part?: RequestedPart }[] {
  const name = /^\[\[([^|[\]]+)(?:\|[^[\]]*)?\]\]$/.exec(given)?.[1]?.trim() ?? given;
  const all: { bare: string; part?: RequestedPart }[] = [{ bare: name }];
  const [, file, line = "", count] = /^(.+?):(\d{1,9})(?::(\d{1,9}))?$/s.exec(name) ?? [];
  if (file !== undefined) {
    const lines = { line: Math.max(Number(line), 1), ...(count && { count: Number(count) }) };
    all.push({ bare: file, part: lines });
  }
  const [, ranged, first = "", last = ""] = /^(.+?):(\d{1,9})-(\d{1,9})$/s.exec(name) ?? [];
  if (ranged !== undefined) {
    const line = Math.max(Number(first), 1);
    const count = Number(last) < line ? -1 : Number(last) - line + 1;
    all.push({ bare: ranged, part: { line, count } });
  }
  const hash = name.lastIndexOf("#");
  if (hash > 0) all.push({ bare: name.slice(0, hash), part: { anchor: name.slice(hash + 1) } });
  return all;
}

function* findByPath(state: SearchState, name: string): Steps<TitledDocument[]> {
  const found = yield* findByName(state, name);
  return found.length > 0 ? found : yield* findByNormalizedName(state, name);
}

function* findByName(state: SearchState, name: string): Steps<TitledDocument[]> {
  const docid = /^#?([0-9a-f]{6,64})$/i.exec(name)?.[1]?.toLowerCase();
  if (docid) {
    const found = yield* findDocumentsByHash(docid);
    if (found.length > 0) return found;
  }
  if (isAbsolute(name)) return yield* findByDiskPath(state, name);
  const path = name.replace(/^\.\//, "");
  const slash = path.indexOf("/");
  const exact = slash > 0 && (yield* findDocumentAt(path.slice(0, slash), path.slice(slash + 1)));
  return exact ? [exact] : yield* findDocumentsBySuffix(path);
}

/**
 * Compares names in Unicode normalization form C. An accented character can be one code point or two;
 * keyboards produce the first form (NFC), and some file systems store the second (NFD).
 */
function* findByNormalizedName(state: SearchState, name: string): Steps<TitledDocument[]> {
  if (/^[\0-\x7f]*$/.test(name)) return [];
  const wanted = indexedNamesOf(state, name.replace(/^\.\//, "").normalize("NFC"));
  const found: TitledDocument[] = [];
  for (const file of yield* state.documents.paths()) {
    const form = file.normalize("NFC");
    if (!wanted.some((name) => form === name || form.endsWith(`/${name}`))) continue;
    const slash = file.indexOf("/");
    const document = yield* findDocumentAt(file.slice(0, slash), file.slice(slash + 1));
    if (document) found.push(document);
  }
  return found;
}

/** The indexed names for a name: for a path on disk, one per collection that contains it. */
function indexedNamesOf({ config }: SearchState, name: string): string[] {
  if (!isAbsolute(name)) return [name];
  return Object.entries(config.read().collections).flatMap(([root, { path }]) => {
    const folder = path.normalize("NFC");
    return containsPath(folder, name)
      ? [`${root}/${relative(folder, name).split(sep).join("/")}`]
      : [];
  });
}

function* findByDiskPath({ config }: SearchState, diskPath: string): Steps<TitledDocument[]> {
  const found: TitledDocument[] = [];
  for (const [root, { path }] of Object.entries(config.read().collections)) {
    if (!containsPath(path, diskPath)) continue;
    const document = yield* findDocumentAt(root, relative(path, diskPath).split(sep).join("/"));
    if (document) found.push(document);
  }
  return found;
}

function requireSingle(found: TitledDocument[], name: string): TitledDocument {
  const [first, ...others] = found;
  const exact = found.filter((document) => document.path === name);
  if (first && others.length === 0) return first;
  if (exact[0] && exact.length === 1) return exact[0];
  const names = found.map(({ root, path }) => `  - ${root}/${path}`);
  throw new Failure("invalid", "ambiguous", `Several documents match ${name}:`, {
    hints: [...names, "Use one of these names."],
  });
}

function* documentNotFound({ documents }: SearchState, name: string): Steps<Failure> {
  const bare = parseName(name).at(-1)?.bare ?? name;
  const similar = similarFiles(bare, yield* documents.paths());
  const message = `Document not found: ${bare}`;
  if (similar.length === 0) return new Failure("not-found", "not-found", message);
  const list = similar.map((file) => `  - ${file}`).join("\n");
  return new Failure("not-found", "not-found", `${message}\n\nDid you mean one of these?\n${list}`);
}

/** Files with a similar full name, path in the collection, or file name. */
function similarFiles(name: string, files: readonly string[]): string[] {
  const shorter = [(file: string) => file, afterFirstSlash, afterLastSlash];
  const names = shorter.flatMap((shorten) => {
    const wanted = withoutExtension(shorten === afterLastSlash ? afterLastSlash(name) : name);
    const shortNames = files.map((file) => withoutExtension(shorten(file)));
    return similarNames(wanted, shortNames).flatMap(
      (near) => files[shortNames.lastIndexOf(near)] ?? [],
    );
  });
  return [...new Set(names)].slice(0, 3);
}

/** Equal extensions do not make names similar. */
function withoutExtension(path: string): string {
  const dot = path.lastIndexOf(".");
  return dot > path.lastIndexOf("/") && dot < path.length - 1 ? path.slice(0, dot) : path;
}

const afterFirstSlash = (path: string): string => path.slice(path.indexOf("/") + 1);
const afterLastSlash = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
