import { basename, dirname, extname } from "node:path";
import type { Boundary } from "../../../kernel/boundary.ts";
import type { Failure } from "../../../kernel/failure.ts";
import { unreadable } from "../../../kernel/formats/unreadable.ts";
import { decode } from "../../../text/decoding.ts";
import { listedCodes, tabledCodes } from "./code-entries.ts";
import { type Content, emptyContent } from "./content.ts";
import { keepLosses, type Losses } from "./losses.ts";
import type { Found } from "./new-project.ts";
import { readQdpx, refiRoot } from "./qdpx.ts";
import { readRefiCodeBook, readRefiProject } from "./refi-reading.ts";
import { notImported } from "./refusal.ts";
import { readTaguette } from "./taguette.ts";

/** Larger files would have to be read piece by piece. */
const largestFile = 512 * 1024 * 1024;

/** The same as for a text in an archive. */
const largestText = 64 * 1024 * 1024;

/** Reads a file of another program, which is told by what it begins with. */
export async function openExchange(boundary: Boundary, given: string): Promise<Found> {
  const path = boundary.enter(given);
  const bytes = boundary.readFile(path, dirname(path), largestFile);
  const losses = keepLosses();
  return { losses, save: noFiles, ...(await read(bytes, path, losses)) };
}

const noFiles = async (): Promise<void> => {
  throw new Error("This format carries no files.");
};

async function read(
  bytes: Buffer,
  path: string,
  losses: Losses,
): Promise<Pick<Found, "content"> & Partial<Found>> {
  const name = basename(path, extname(path));
  const start = bytes.subarray(0, 16).toString("latin1");
  if (start.startsWith("PK")) {
    const { content, archive } = await readQdpx(bytes, losses);
    return { content: named(content, name), save: archive.save };
  }
  if (start === "SQLite format 3\0") return { content: named(readTaguette(bytes, losses), name) };
  if (bytes.length > largestText) throw unreadable("it is a text of more than 64 MiB");
  const text = decode(bytes);
  if (text === undefined) throw unknownFormat();
  if (text.trimStart().startsWith("<")) return { content: readXmlFile(text, name, losses) };
  const entries = /\.csv$/i.test(path)
    ? tabledCodes(text, losses)
    : /\.(txt|tsv|md)$/i.test(path)
      ? listedCodes(text)
      : undefined;
  if (!entries) throw unknownFormat();
  return { content: { ...emptyContent(name), ...entries } };
}

const named = (content: Content, name: string): Content => ({
  ...content,
  name: content.name || name,
});

function readXmlFile(text: string, name: string, losses: Losses): Content {
  const root = refiRoot(text);
  if (root.name === "CodeBook") return { ...emptyContent(name), ...readRefiCodeBook(root, losses) };
  const nowhere = { text: () => undefined, part: () => undefined };
  return named(readRefiProject(root, nowhere, losses), name);
}

const unknownFormat = (): Failure =>
  notImported(
    "UNKNOWN_FORMAT",
    "This file is no .qdpx, .qdc, .qde, code list (.txt), table of codes (.csv) or Taguette database.",
  );
