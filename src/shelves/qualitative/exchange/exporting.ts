import { constants, copyFileSync, linkSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import type { Boundary } from "../../../kernel/boundary.ts";
import { Failure } from "../../../kernel/failure.ts";
import { codeList, codeTable } from "./code-entries.ts";
import type { Content } from "./content.ts";
import type { Losses } from "./losses.ts";
import { packQdpx } from "./packing.ts";
import { refiCodeBook } from "./refi-writing.ts";

const exportFormats = ["qdpx", "qdc", "txt", "csv"] as const;

type ExportFormat = (typeof exportFormats)[number];

export function formatOfFile(file: string): ExportFormat {
  const ending = extname(file).slice(1).toLowerCase();
  const format = exportFormats.find((one) => one === ending);
  if (format) return format;
  throw notExported(
    "UNKNOWN_FORMAT",
    "The file's ending says what is written: .qdpx the whole project; .qdc, .txt or .csv its codes.",
  );
}

/** Writes a new file, whole or not at all. Gives its path. */
export async function exportContent(
  boundary: Boundary,
  file: string,
  content: Content,
  losses: Losses,
): Promise<string> {
  const format = formatOfFile(file);
  const path = join(boundary.enter(dirname(file)), basename(file));
  const fresh = join(dirname(path), `.${basename(path)}.${process.pid}.new`);
  try {
    if (format === "qdpx") await packQdpx(content, fresh, losses);
    else writeFileSync(fresh, codesAs(format, content, losses), { flag: "wx" });
    putNew(fresh, path);
    return path;
  } catch (error) {
    throw asRefusal(error);
  } finally {
    rmSync(fresh, { force: true });
  }
}

function codesAs(format: "qdc" | "txt" | "csv", content: Content, losses: Losses): string {
  if (format === "qdc") return refiCodeBook(content, losses);
  return format === "txt" ? codeList(content, losses) : `\uFEFF${codeTable(content, losses)}`;
}

/** Never over a file that is there; a link fails where the name is taken. */
function putNew(fresh: string, path: string): void {
  try {
    linkSync(fresh, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") throw error;
    // Some file systems know no links.
    copyFileSync(fresh, path, constants.COPYFILE_EXCL);
  }
}

function asRefusal(error: unknown): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (error instanceof Failure || syscall === undefined) return error;
  return code === "EEXIST"
    ? notExported("ALREADY_EXISTS", "There is something of this name already.", "conflict")
    : notExported("NO_PERMISSION", `The file cannot be written there (${code}).`);
}

const notExported = (
  reason: string,
  message: string,
  kind: "invalid" | "conflict" = "invalid",
): Failure => new Failure(kind, `PROJECT_NOT_EXPORTED/${reason}`, message);
