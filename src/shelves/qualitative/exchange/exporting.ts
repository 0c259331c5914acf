import { extname, join } from "node:path";
import type { Boundary } from "../../../kernel/boundary.ts";
import { Failure } from "../../../kernel/failure.ts";
import { makeFile } from "../../../kernel/new-file.ts";
import { inDirectory } from "../../../kernel/safe-directory.ts";
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
  const { directory, name } = boundary.openParent(file);
  return inDirectory(directory, async () => {
    try {
      await makeFile(directory, name, async (fresh) => {
        if (format === "qdpx")
          await packQdpx(boundary.unrestricted, content, directory.stream(fresh), losses);
        else directory.write(fresh, codesAs(format, content, losses));
      });
      return join(directory.path, name);
    } catch (error) {
      throw asRefusal(error);
    }
  });
}

function codesAs(format: "qdc" | "txt" | "csv", content: Content, losses: Losses): string {
  if (format === "qdc") return refiCodeBook(content, losses);
  return format === "txt" ? codeList(content, losses) : `\uFEFF${codeTable(content, losses)}`;
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
