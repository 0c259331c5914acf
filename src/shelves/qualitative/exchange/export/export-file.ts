import { extname, join } from "node:path";
import { Failure } from "../../../../kernel/failure.ts";
import { createFileAtomically } from "../../../../kernel/files/new-file.ts";
import { withDirectory } from "../../../../kernel/files/safe-directory.ts";
import type { Boundary } from "../../../../kernel/paths/boundary.ts";
import { renderCodeList, renderCodeTable } from "../code-lists.ts";
import type { Content } from "../content.ts";
import type { LossReport } from "../losses.ts";
import { renderRefiCodebook } from "../refi/project-writer.ts";
import { writeQdpx } from "../refi/qdpx-writer.ts";

const exportFormats = ["qdpx", "qdc", "txt", "csv"] as const;

type ExportFormat = (typeof exportFormats)[number];

export function exportFormatOf(file: string): ExportFormat {
  const ending = extname(file).slice(1).toLowerCase();
  const format = exportFormats.find((one) => one === ending);
  if (format) return format;
  throw notExported(
    "UNKNOWN_FORMAT",
    "Use the extension .qdpx for the whole project, or .qdc, .txt or .csv for its codes.",
  );
}

/**
 * Writes a new file atomically and returns its path. Only the owner can read it: it contains what
 * people said in confidence.
 */
export async function exportContent(
  boundary: Boundary,
  file: string,
  content: Content,
  losses: LossReport,
): Promise<string> {
  const format = exportFormatOf(file);
  const { directory, name } = boundary.openParentDirectory(file);
  return withDirectory(directory, async () => {
    try {
      await createFileAtomically(directory, name, async (temporaryFile) => {
        if (format === "qdpx")
          await writeQdpx(
            boundary.unrestricted,
            content,
            directory.stream(temporaryFile, 0o600),
            losses,
          );
        else directory.write(temporaryFile, renderCodes(format, content, losses), 0o600);
      });
      return join(directory.path, name);
    } catch (error) {
      throw toExportFailure(error);
    }
  });
}

function renderCodes(format: "qdc" | "txt" | "csv", content: Content, losses: LossReport): string {
  if (format === "qdc") return renderRefiCodebook(content, losses);
  return format === "txt"
    ? renderCodeList(content, losses)
    : `\uFEFF${renderCodeTable(content, losses)}`;
}

function toExportFailure(error: unknown): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (error instanceof Failure || syscall === undefined) return error;
  return code === "EEXIST"
    ? notExported("ALREADY_EXISTS", "A file or folder with this name already exists.", "conflict")
    : notExported("NO_PERMISSION", `The file cannot be written there (${code}).`);
}

const notExported = (
  reason: string,
  message: string,
  kind: "invalid" | "conflict" = "invalid",
): Failure => new Failure(kind, `PROJECT_NOT_EXPORTED/${reason}`, message);
