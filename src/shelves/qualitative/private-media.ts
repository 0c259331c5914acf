import { readdirSync } from "node:fs";
import { basename, extname, join, resolve } from "node:path";
import type { Database } from "../../kernel/database.ts";
import { fileOfSource, mediaHomes } from "./mediapath.ts";
import type { Place } from "./place.ts";
import { privateSources } from "./qda/storage-privacy.ts";

/**
 * The files of a project's private sources: where a source says that its file lies, inside the
 * project or outside, and in the project's folders whatever is named like it, since QualCoder keeps
 * the text of a document in a file beside it: `talk.docx` and `talk.docx.txt` or `talk.txt`.
 */
export function privateMediaOf({ path, database }: Place, db: Database): string[] {
  const sources = privateSources(db);
  if (sources.length === 0) return [];
  const hasFolder = database !== path;
  const kept = hasFolder ? mediaIn(path) : [];
  return sources.flatMap(({ name, mediapath }) => {
    const file = fileOfSource(mediapath);
    const isLocated = file !== null && (hasFolder || resolve(file) === file);
    const names = [name, ...(file === null ? [] : [basename(file)])].map(folded);
    return [
      ...(isLocated ? [resolve(path, file)] : []),
      ...kept.filter((place) => names.some((known) => isNamedLike(folded(basename(place)), known))),
    ];
  });
}

const folders = [...new Set(Object.values(mediaHomes).map(({ folder }) => folder))];

function mediaIn(project: string): string[] {
  return folders.flatMap((folder) => {
    try {
      return readdirSync(join(project, folder)).map((name) => join(project, folder, name));
    } catch {
      return [];
    }
  });
}

const folded = (name: string): string => name.normalize("NFC").toLowerCase();

const isNamedLike = (name: string, known: string): boolean =>
  name === known ||
  name.startsWith(`${known}.`) ||
  basename(name, extname(name)) === basename(known, extname(known));
