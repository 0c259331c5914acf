import { basename, extname } from "node:path";
import { Failure, invalid } from "../../../kernel/failure.ts";
import { createFileAtomically } from "../../../kernel/files/new-file.ts";
import { withDirectory } from "../../../kernel/files/safe-directory.ts";
import type { Boundary } from "../../../kernel/paths/boundary.ts";
import { renderReportCsv } from "./csv.ts";
import { renderReportHtml } from "./html.ts";
import { renderReportMarkdown } from "./markdown.ts";
import type { Report } from "./report.ts";

export const fileFormats = ["csv", "xlsx", "html", "md"] as const;

export type FileFormat = (typeof fileFormats)[number];

export const mimeTypes: Record<FileFormat, string> = {
  csv: "text/csv",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  html: "text/html",
  md: "text/markdown",
};

export async function renderReportFile(report: Report, format: FileFormat): Promise<Buffer> {
  switch (format) {
    case "csv":
      return Buffer.from(renderReportCsv(report));
    case "html":
      return Buffer.from(renderReportHtml(report));
    case "md":
      return Buffer.from(renderReportMarkdown(report));
    case "xlsx": {
      const { renderXlsx } = await import("./xlsx.ts");
      return renderXlsx(report);
    }
  }
}

/** Derives the format from the file extension. */
export function reportFormatOf(name: string): FileFormat {
  const ending = extname(name).slice(1).toLowerCase();
  const format = fileFormats.find((one) => one === (extensionAliases[ending] ?? ending));
  if (format) return format;
  throw invalid(
    `Invalid parameter 'to': the extension of '${basename(name)}' is not a known format.`,
    [`Use ${fileFormats.map((format) => `.${format}`).join(", ")}, or give 'as'.`],
  );
}

const extensionAliases: Record<string, string> = { htm: "html", markdown: "md" };

/**
 * Writes a new file atomically, which only its owner can read, because reports quote sources. An
 * existing file is replaced only with `overwrite`.
 */
export async function writeReportFile(
  boundary: Boundary,
  path: string,
  bytes: Uint8Array,
  { overwrite }: { overwrite: boolean },
): Promise<void> {
  const { directory, name } = boundary.openParentDirectory(path);
  const write = (temporaryName: string): void => directory.write(temporaryName, bytes, 0o600);
  try {
    await withDirectory(directory, () =>
      createFileAtomically(directory, name, write, { overwrite }),
    );
  } catch (error) {
    throw notWritten(name, error);
  }
}

function notWritten(name: string, error: unknown): Failure {
  if (error instanceof Failure) return error;
  const { code } = error as NodeJS.ErrnoException;
  if (code === "EEXIST") {
    return new Failure("conflict", "exists", `'${name}' already exists.`, {
      hints: ["Choose another name, or set overwrite."],
    });
  }
  return new Failure("unavailable", "not-writable", `'${name}' cannot be written (${code}).`, {
    hints: ["Check the permissions and the free disk space."],
    cause: error,
  });
}
