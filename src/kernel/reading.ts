import { accessSync, constants, lstatSync } from "node:fs";
import { join } from "node:path";
import type { Boundary } from "./boundary.ts";
import type { Converted } from "./converted.ts";
import type { ReadFile } from "./document-rows.ts";
import type { Root } from "./documents.ts";
import { Failure } from "./failure.ts";
import type { Reader } from "./formats/reader.ts";
import { hashOf } from "./hashing.ts";
import { type FoundFile, isAbsent } from "./walk.ts";

/** A file as it is, or that there is no document in it, and why. */
export type Reading = ReadFile | NoDocument;

interface NoDocument {
  /** Nothing where the file has simply gone meanwhile. */
  reason?: string;
  /** True where it may be read another time, so what is known of it still holds. */
  forNow: boolean;
  /** True where its bytes are the reason, so that nothing is to be hoped for until they change. */
  byContent?: boolean;
}

/** A larger file is no document; taking it in would hold everybody up. */
const mostBytes = 16 * 1024 * 1024;

/** Pictures and fonts make other formats large, whatever they say. */
const mostConvertedBytes = 4 * mostBytes;

/** Where files are read from, and who reads those that are no plain text. */
export interface Sources {
  boundary: Boundary;
  reader: Reader;
  converted: Converted;
}

/** A promise only where the file must be converted. */
export function readDocument(
  { boundary, reader, converted }: Sources,
  root: Root,
  file: FoundFile,
  /** The last recording before now. */
  asOf: number,
): Reading | Promise<Reading> {
  const place = join(root.path, file.path);
  const seen = Date.now();
  try {
    const isPlain = !reader.converts(file.path);
    const { within } = root;
    const confined = within === undefined ? boundary : boundary.confinedTo(within);
    const bytes = confined.readFile(place, root.path, isPlain ? mostBytes : mostConvertedBytes);
    const hash = hashOf(bytes);
    const withText = (text: string): Reading => ({
      ...file,
      root: root.name,
      text,
      hash,
      size: bytes.length,
      seen,
      asOf,
    });
    const known = isPlain ? undefined : converted.find(hash);
    if (known) {
      return "text" in known
        ? withText(known.text)
        : { reason: known.reason, forNow: false, byContent: true };
    }
    const now = reader.readNow(bytes, file.path);
    if (now !== undefined) {
      if (!isPlain) converted.keep(hash, { text: now });
      return withText(now);
    }
    return reader.read(bytes, file.path).then(
      (text) => {
        converted.keep(hash, { text });
        return withText(text);
      },
      (error) => {
        const failed = unreadable(error, place);
        if (!failed.forNow && failed.reason) converted.keep(hash, { reason: failed.reason });
        return failed;
      },
    );
  } catch (error) {
    return unreadable(error, place);
  }
}

function unreadable(error: unknown, place: string): NoDocument {
  if (!(error instanceof Failure)) return { reason: "it cannot be read", forNow: true };
  if (error.kind === "not-found") {
    return isOutOfReach(place) ? { reason: "it cannot be read", forNow: true } : { forNow: false };
  }
  const forNow = isTrouble(error, place);
  const byContent = !forNow && error.kind !== "forbidden";
  return { reason: error.message, forNow, byContent };
}

/** Whether it cannot even be told that a file is gone, as on a mount that is not connected. */
function isOutOfReach(place: string): boolean {
  try {
    lstatSync(place);
    return false;
  } catch (error) {
    return !isAbsent(error);
  }
}

/** A file that changes all the time, or that only the lack of something else keeps from us. */
function isTrouble({ kind, code }: Failure, place: string): boolean {
  if (kind === "unavailable") return true;
  if (code !== "no-permission") return false;
  try {
    accessSync(place, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
