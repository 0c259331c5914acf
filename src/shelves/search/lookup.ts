import { isAbsolute, relative, sep } from "node:path";
import { contains } from "../../kernel/boundary.ts";
import type { Call } from "../../kernel/call.ts";
import { Failure, invalid } from "../../kernel/failure.ts";
import { leastFar, nearest } from "../../text/similar-names.ts";
import { firstReading, notYet } from "./first-reading.ts";
import type { SearchState } from "./state.ts";
import {
  documentAt,
  documentsByHash,
  documentsEndingWith,
  type TitledDocument,
} from "./storage.ts";
import { fileOf } from "./uri.ts";

/** A document that a caller named, and the part of it that the name ended in. */
export interface Found {
  document: TitledDocument;
  part?: NamedPart;
}

/** `:120`, `:120:40` or `#a-heading` behind a name. */
export interface NamedPart {
  line?: number;
  count?: number;
  anchor?: string;
}

/**
 * Finds the one document that a caller means: `collection/path`, a path in its collection or the
 * end of one, a docid, a `qmd://` URI or a path on disk; behind it may stand `:120` for a line,
 * `:120:40` for so many lines from there, or `#heading`. A name that could mean two documents is
 * an error that lists them, never a guess.
 */
export function lookUp(state: SearchState, given: string): Found {
  const name = (given.startsWith("qmd:") ? fileOf(given) : given)?.trim() ?? "";
  if (name === "") throw invalid("Invalid parameter 'file': a path, a docid or a URI is needed.");
  for (const { bare, part } of readings(name)) {
    const found = [candidates, spelledAlike].map((look) => look(state, bare)).find(isFilled) ?? [];
    if (found.length > 0) return { document: only(found, bare), ...(part && { part }) };
  }
  throw notHere(state, readings(name).at(-1)?.bare ?? name);
}

/** The same; what is not there yet is waited for while its collection is read for the first time. */
export async function lookUpSoon(state: SearchState, given: string, call: Call): Promise<Found> {
  try {
    return lookUp(state, given);
  } catch (error) {
    if (!isMissing(error)) throw error;
    const [root = ""] = (fileOf(given) ?? given).split("/");
    const isNamed = Object.hasOwn(state.config.read().collections, root);
    const unread = await firstReading(state, call, isNamed ? [root] : undefined);
    try {
      return lookUp(state, given);
    } catch (again) {
      throw unread.length > 0 && isMissing(again) ? notYet(unread) : again;
    }
  }
}

const isMissing = (error: unknown): boolean =>
  error instanceof Failure && error.kind === "not-found";

/** The ways to read a name, the one with nothing behind it first: files may be called anything. */
function readings(name: string): { bare: string; part?: NamedPart }[] {
  const all: { bare: string; part?: NamedPart }[] = [{ bare: name }];
  const [, file, line = "", count] = /^(.+?):(\d{1,9})(?::(\d{1,9}))?$/s.exec(name) ?? [];
  if (file !== undefined) {
    const lines = { line: Math.max(Number(line), 1), ...(count && { count: Number(count) }) };
    all.push({ bare: file, part: lines });
  }
  const hash = name.lastIndexOf("#");
  if (hash > 0) all.push({ bare: name.slice(0, hash), part: { anchor: name.slice(hash + 1) } });
  return all;
}

function candidates(state: SearchState, name: string): TitledDocument[] {
  const { db } = state;
  const docid = /^#?([0-9a-f]{6,64})$/i.exec(name)?.[1]?.toLowerCase();
  if (docid) {
    const found = documentsByHash(db, docid);
    if (found.length > 0) return found;
  }
  if (isAbsolute(name)) return atPlace(state, name);
  const path = name.replace(/^\.\//, "");
  const slash = path.indexOf("/");
  const exact = slash > 0 && documentAt(db, path.slice(0, slash), path.slice(slash + 1));
  return exact ? [exact] : documentsEndingWith(db, path);
}

/**
 * A letter with a mark is one sign or two: `é`, or `e` and an accent. Keyboards write the one and
 * some systems name their files by the other, and nobody sees the difference.
 */
function spelledAlike(state: SearchState, name: string): TitledDocument[] {
  if (/^[\0-\x7f]*$/.test(name)) return [];
  const wanted = namesOf(state, name.replace(/^\.\//, "").normalize("NFC"));
  return state.documents.paths().flatMap((file) => {
    const form = file.normalize("NFC");
    if (!wanted.some((one) => form === one || form.endsWith(`/${one}`))) return [];
    const slash = file.indexOf("/");
    return documentAt(state.db, file.slice(0, slash), file.slice(slash + 1)) ?? [];
  });
}

/** What a name may be called in the index: a path on disk, by the collections that hold it. */
function namesOf({ config }: SearchState, name: string): string[] {
  if (!isAbsolute(name)) return [name];
  return Object.entries(config.read().collections).flatMap(([root, { path }]) => {
    const folder = path.normalize("NFC");
    return contains(folder, name) ? [`${root}/${relative(folder, name).split(sep).join("/")}`] : [];
  });
}

const isFilled = (found: readonly unknown[]): boolean => found.length > 0;

function atPlace({ config, db }: SearchState, place: string): TitledDocument[] {
  return Object.entries(config.read().collections).flatMap(([root, { path }]) => {
    if (!contains(path, place)) return [];
    return documentAt(db, root, relative(path, place).split(sep).join("/")) ?? [];
  });
}

function only(found: TitledDocument[], name: string): TitledDocument {
  const [first, ...others] = found;
  const exact = found.filter((document) => document.path === name);
  if (first && others.length === 0) return first;
  if (exact[0] && exact.length === 1) return exact[0];
  const names = found.map(({ root, path }) => `  - ${root}/${path}`);
  throw new Failure("invalid", "ambiguous", `Several documents are called ${name}:`, {
    hints: [...names, "Name one of them in full."],
  });
}

function notHere({ documents }: SearchState, name: string): Failure {
  const similar = similarFiles(name, documents.paths());
  const message = `Document not found: ${name}`;
  if (similar.length === 0) return new Failure("not-found", "not-found", message);
  const list = similar.map((file) => `  - ${file}`).join("\n");
  return new Failure("not-found", "not-found", `${message}\n\nDid you mean one of these?\n${list}`);
}

/** Near by the whole name, by the path in the collection, or by the file's own name. */
function similarFiles(name: string, files: readonly string[]): string[] {
  const shorter = [(file: string) => file, afterFirstSlash, afterLastSlash];
  const names = shorter.flatMap((shorten) => {
    const wanted = shorten === afterLastSlash ? afterLastSlash(name) : name;
    const byName = new Map(files.map((file) => [shorten(file), file]));
    return nearest(wanted, [...byName.keys()]).map((near) => byName.get(near) ?? near);
  });
  const near = [...new Set(names)].slice(0, 3);
  return near.length > 0 ? near : leastFar(name, files);
}

const afterFirstSlash = (path: string): string => path.slice(path.indexOf("/") + 1);
const afterLastSlash = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
