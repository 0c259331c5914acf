import { readdirSync, statSync } from "node:fs";
import { basename, extname, join, resolve } from "node:path";
import type { Database } from "../../../kernel/storage/database.ts";
import { privateSources } from "../qda/storage-privacy.ts";
import { mediaFileOf, mediaFoldersByType } from "../sources/media-path.ts";
import type { ProjectLocation } from "./project-location.ts";

/**
 * The files of a project's private sources: the file that a source names, inside or outside the
 * project, and every file in the project's folders with a similar name. QualCoder stores the text
 * of a document beside it: `talk.docx` and `talk.docx.txt` or `talk.txt`.
 */
export function privateMediaFiles({ path, database }: ProjectLocation, db: Database): string[] {
  const sources = privateSources(db);
  if (sources.length === 0) return [];
  const hasFolder = database !== path;
  const mediaFiles = hasFolder ? listMedia(path) : [];
  return sources.flatMap(({ name, mediapath }) => {
    const file = mediaFileOf(mediapath);
    const isLocated = file !== null && (hasFolder || resolve(file) === file);
    const names = [name, ...(file === null ? [] : [basename(file)])].map(foldName);
    return [
      ...(isLocated ? [resolve(path, file)].filter((found) => !isFolder(found)) : []),
      ...mediaFiles.filter((file) =>
        names.some((sourceName) => isNamedLike(foldName(basename(file)), sourceName)),
      ),
    ];
  });
}

/** A source is a file; a project that names a folder would hide everything in it. */
const isFolder = (path: string): boolean => {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return false;
  }
};

const mediaFolderNames = [
  ...new Set(Object.values(mediaFoldersByType).map(({ folder }) => folder)),
];

function listMedia(project: string): string[] {
  return mediaFolderNames.flatMap((folder) => {
    try {
      return readdirSync(join(project, folder)).map((name) => join(project, folder, name));
    } catch {
      return [];
    }
  });
}

const foldName = (name: string): string => name.normalize("NFC").toLowerCase();

const isNamedLike = (name: string, sourceName: string): boolean =>
  name === sourceName ||
  name.startsWith(`${sourceName}.`) ||
  basename(name, extname(name)) === basename(sourceName, extname(sourceName));
