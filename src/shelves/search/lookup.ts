import { isAbsolute, relative, sep } from "node:path";
import { contains } from "../../kernel/boundary.ts";
import { Failure, invalid } from "../../kernel/failure.ts";
import { nearest } from "../../text/similar-names.ts";
import type { SearchState } from "./state.ts";
import {
  documentAt,
  documentsByHash,
  documentsEndingWith,
  type TitledDocument,
} from "./storage.ts";
import { fileOf } from "./uri.ts";

/** A document that a caller named, and the line that the name ended in. */
export interface Found {
  document: TitledDocument;
  line: number | undefined;
}

/**
 * Finds the one document that a caller means: `collection/path`, a path in its collection or the
 * end of one, a docid, a `qmd://` URI or a path on disk; `:120` behind it is a line. A name that
 * could mean two documents is an error that lists them, never a guess.
 */
export function lookUp(state: SearchState, given: string): Found {
  const name = (given.startsWith("qmd:") ? fileOf(given) : given)?.trim() ?? "";
  if (name === "") throw invalid("Invalid parameter 'file': a path, a docid or a URI is needed.");
  const whole = candidates(state, name);
  if (whole.length > 0) return { document: only(whole, name), line: undefined };
  const [, bare, line] = /^(.+):(\d+)$/.exec(name) ?? [];
  const parts = bare ? candidates(state, bare) : [];
  if (bare && parts.length > 0)
    return { document: only(parts, bare), line: Math.max(Number(line), 1) };
  throw notHere(state, bare ?? name);
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

/** Near by the whole name, or by the last part of it where folders were forgotten. */
function similarFiles(name: string, files: readonly string[]): string[] {
  const whole = nearest(name, files);
  if (whole.length >= 3) return whole;
  const last = (path: string) => path.slice(path.lastIndexOf("/") + 1);
  const byName = new Map(files.map((file) => [last(file), file]));
  const rest = nearest(last(name), [...byName.keys()]).map((key) => byName.get(key) ?? key);
  return [...new Set([...whole, ...rest])].slice(0, 3);
}
