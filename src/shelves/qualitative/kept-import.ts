import { constants } from "node:fs";
import { copyFile, mkdir, rm, writeFile } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";
import type { Boundary } from "../../kernel/boundary.ts";
import { Failure } from "../../kernel/failure.ts";
import { type ImportFile, notImported, readInWords } from "./importing.ts";
import { mediaHomes } from "./mediapath.ts";
import type { Place } from "./place.ts";

/** A file that belongs to the project now; `remove` takes it away again where nothing came of it. */
export interface KeptFile {
  mediapath: string | null;
  remove(): Promise<void>;
}

/**
 * Copies a file into the project's folder under a name that is free there, unless it is there. A
 * project that is a database alone has no folder: then a text is in the database, and the rest stays
 * where it is.
 */
export async function keepImport(
  boundary: Boundary,
  { path: project, database }: Place,
  file: ImportFile,
): Promise<KeptFile> {
  const { folder, word } = mediaHomes[file.type];
  if (database === project) {
    const mediapath = file.type === "text" ? null : `${word}:${file.path}`;
    return { mediapath, remove: async () => {} };
  }
  await mkdir(join(project, folder), { recursive: true });
  const place = boundary.admit(join(project, folder));
  if (dirname(file.path) === place) {
    return { mediapath: `/${word}/${basename(file.path)}`, remove: async () => {} };
  }
  const extension = extname(file.name);
  const stem = basename(file.name, extension);
  for (let count = 1; ; count++) {
    const name = count === 1 ? file.name : `${stem}_${count}${extension}`;
    const copy = join(place, name);
    if (!(await isCopied(boundary, file, copy))) continue;
    return { mediapath: `/${word}/${name}`, remove: () => rm(copy, { force: true }) };
  }
}

/** More is not read into memory at once. */
const largestFenced = 1024 * 1024 * 1024;

/** False where something of this name is there already. */
async function isCopied(boundary: Boundary, { path }: ImportFile, copy: string): Promise<boolean> {
  try {
    if (boundary.isFenced) {
      const bytes = readInWords(() => boundary.readFile(path, dirname(path), largestFenced));
      await writeFile(copy, bytes, { flag: "wx" });
    } else await copyFile(path, copy, constants.COPYFILE_EXCL);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return false;
    if (error instanceof Failure) throw error;
    await rm(copy, { force: true });
    throw notImported("NOT_COPIED", `The file cannot be copied into the project (${code})`, {
      kind: "unavailable",
      hints: ["Check permissions and free space."],
    });
  }
}
