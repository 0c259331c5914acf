import { dirname } from "node:path";
import type { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { ZipFile } from "yazl";
import type { Boundary } from "../../../../kernel/paths/boundary.ts";
import type { Content } from "../content.ts";
import type { LossReport } from "../losses.ts";
import { renderRefiProject } from "./project-writer.ts";
import { hasWordDocument, mediaFileName, representationGuid, textFileName } from "./writer.ts";

/** Writes a `.qdpx` archive. */
export async function writeQdpx(
  boundary: Boundary,
  content: Content,
  archive: Writable,
  losses: LossReport,
): Promise<void> {
  const zip = new ZipFile();
  zip.addBuffer(Buffer.from(renderRefiProject(content, losses)), "project.qde");
  for (const [guid, text] of archiveTextsOf(content)) {
    zip.addBuffer(toPlainTextBytes(text), `sources/${textFileName(guid)}`);
  }
  for (const source of content.sources) {
    const { kind, file, name } = source;
    if (!file?.location) continue;
    const { location } = file;
    if (kind !== "text" || hasWordDocument(source)) {
      // Pictures, recordings and documents are already compressed.
      zip.addReadStreamLazy(`sources/${mediaFileName(source)}`, { compress: false }, (give) => {
        try {
          give(null, boundary.streamFile(location, dirname(location)));
        } catch (error) {
          give(error, undefined as never);
        }
      });
    } else if (!/\.(txt|md)$/i.test(file.name)) {
      losses.add("dropped", "Original documents other than .docx", name);
    }
  }
  zip.end();
  // The archive stream does not fail by itself if a file cannot be read.
  zip.on("error", (error: Error) => archive.destroy(error));
  await pipeline(zip.outputStream, archive);
}

/** Texts by the GUID that names them in the archive. */
function archiveTextsOf({ sources, journals }: Content): [guid: string, text: string][] {
  return [
    ...sources.flatMap((source): [string, string][] => {
      if (source.kind === "text") return [[source.guid, source.text ?? ""]];
      return source.text === null ? [] : [[representationGuid(source), source.text]];
    }),
    ...journals.map(({ guid, text }): [string, string] => [guid, text]),
  ];
}

/**
 * Readers strip one byte order mark at the start of a file. If a text itself starts with one, which
 * counts in its positions, another is written before it.
 */
const toPlainTextBytes = (text: string): Buffer =>
  Buffer.from(text.startsWith("\uFEFF") ? `\uFEFF${text}` : text);
