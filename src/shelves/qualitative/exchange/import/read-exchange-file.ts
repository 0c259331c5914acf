import { basename, dirname, extname } from "node:path";
import type { Failure } from "../../../../kernel/failure.ts";
import { unreadableFile } from "../../../../kernel/formats/file-errors.ts";
import type { Boundary } from "../../../../kernel/paths/boundary.ts";
import { decodeText } from "../../../../text/formats/text-decoder.ts";
import { parseCodeList, parseCodeTable } from "../code-lists.ts";
import { type Content, emptyContent } from "../content.ts";
import { createLossReport, type LossReport } from "../losses.ts";
import { readRefiCodeBook, readRefiProject } from "../refi/project-reader.ts";
import { parseRefiRoot, readQdpx } from "../refi/qdpx-reader.ts";
import { readTaguette } from "../taguette/taguette.ts";
import { projectNotImported } from "./import-errors.ts";
import type { ExchangeFile } from "./imported-project.ts";

/** Limits memory: files are read as a whole. */
const maxFileBytes = 512 * 1024 * 1024;

/** The limit for a text in an archive. */
const maxTextBytes = 64 * 1024 * 1024;

/** Reads a file of another program; the format is detected from its first bytes. */
export async function readExchangeFile(
  boundary: Boundary,
  requestedPath: string,
): Promise<ExchangeFile> {
  const path = boundary.resolvePath(requestedPath);
  const bytes = boundary.readFile(path, dirname(path), maxFileBytes);
  const losses = createLossReport();
  return { losses, save: rejectFiles, ...(await readByFormat(bytes, path, losses)) };
}

const rejectFiles = async (): Promise<void> => {
  throw new Error("This format contains no files.");
};

async function readByFormat(
  bytes: Buffer,
  path: string,
  losses: LossReport,
): Promise<Pick<ExchangeFile, "content"> & Partial<ExchangeFile>> {
  const name = basename(path, extname(path));
  const start = bytes.subarray(0, 16).toString("latin1");
  if (start.startsWith("PK")) {
    const { content, archive } = await readQdpx(bytes, losses);
    return { content: withDefaultName(content, name), save: archive.save };
  }
  if (start === "SQLite format 3\0")
    return { content: withDefaultName(readTaguette(bytes, losses), name) };
  if (bytes.length > maxTextBytes) throw unreadableFile("it is a text of more than 64 MiB");
  const text = decodeText(bytes);
  if (text === undefined) throw unknownFormat();
  if (text.trimStart().startsWith("<")) return { content: readXmlFile(text, name, losses) };
  const entries = /\.csv$/i.test(path)
    ? parseCodeTable(text, losses)
    : /\.(txt|tsv|md)$/i.test(path)
      ? parseCodeList(text)
      : undefined;
  if (!entries) throw unknownFormat();
  return { content: { ...emptyContent(name), ...entries } };
}

const withDefaultName = (content: Content, name: string): Content => ({
  ...content,
  name: content.name || name,
});

function readXmlFile(text: string, name: string, losses: LossReport): Content {
  const root = parseRefiRoot(text);
  if (root.name === "CodeBook") return { ...emptyContent(name), ...readRefiCodeBook(root, losses) };
  const noArchive = { text: () => undefined, part: () => undefined };
  return withDefaultName(readRefiProject(root, noArchive, losses), name);
}

const unknownFormat = (): Failure =>
  projectNotImported(
    "UNKNOWN_FORMAT",
    "This file is not a .qdpx, .qdc, .qde, code list (.txt), table of codes (.csv) or Taguette database.",
  );
