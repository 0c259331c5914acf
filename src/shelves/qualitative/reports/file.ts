import { basename, extname } from "node:path";
import type { Boundary } from "../../../kernel/boundary.ts";
import { Failure, invalid } from "../../../kernel/failure.ts";
import { makeFile } from "../../../kernel/new-file.ts";
import { inDirectory } from "../../../kernel/safe-directory.ts";
import { csvOf } from "./csv.ts";
import { htmlOf } from "./html.ts";
import { markdownOf } from "./markdown.ts";
import type { Report } from "./report.ts";

export const fileFormats = ["csv", "xlsx", "html", "md"] as const;

export type FileFormat = (typeof fileFormats)[number];

export const mimeTypes: Record<FileFormat, string> = {
  csv: "text/csv",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  html: "text/html",
  md: "text/markdown",
};

/** A report as the bytes of a file. */
export async function fileOf(report: Report, format: FileFormat): Promise<Buffer> {
  switch (format) {
    case "csv":
      return Buffer.from(csvOf(report));
    case "html":
      return Buffer.from(htmlOf(report));
    case "md":
      return Buffer.from(markdownOf(report));
    case "xlsx": {
      const { xlsxOf } = await import("./xlsx.ts");
      return xlsxOf(report);
    }
  }
}

/** What a file's name says about its format. */
export function formatOf(name: string): FileFormat {
  const ending = extname(name).slice(1).toLowerCase();
  const format = fileFormats.find((one) => one === (endings[ending] ?? ending));
  if (format) return format;
  throw invalid(`Invalid parameter 'to': '${basename(name)}' does not say which format it is.`, [
    `End it in ${fileFormats.map((one) => `.${one}`).join(", ")}, or give 'as'.`,
  ]);
}

const endings: Record<string, string> = { htm: "html", markdown: "md" };

/** Writes a new file; one of that name stays, unless it shall be replaced as a whole. */
export async function writeNew(
  boundary: Boundary,
  given: string,
  bytes: Uint8Array,
  { overwrite }: { overwrite: boolean },
): Promise<void> {
  const { directory, name } = boundary.openParent(given);
  const write = (fresh: string): void => directory.write(fresh, bytes);
  try {
    await inDirectory(directory, () => makeFile(directory, name, write, { overwrite }));
  } catch (error) {
    throw notWritten(name, error);
  }
}

function notWritten(name: string, error: unknown): Failure {
  if (error instanceof Failure) return error;
  const { code } = error as NodeJS.ErrnoException;
  if (code === "EEXIST") {
    return new Failure("conflict", "exists", `'${name}' is there already.`, {
      hints: ["Name another file, or give overwrite."],
    });
  }
  return new Failure("unavailable", "not-writable", `'${name}' cannot be written (${code}).`, {
    hints: ["Check permissions and free space."],
    cause: error,
  });
}
