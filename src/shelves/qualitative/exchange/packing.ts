import { dirname } from "node:path";
import type { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { ZipFile } from "yazl";
import type { Boundary } from "../../../kernel/boundary.ts";
import type { Content } from "./content.ts";
import type { Losses } from "./losses.ts";
import { hasRichText, mediaFile, representationGuid, textFile } from "./refi-pen.ts";
import { refiProject } from "./refi-writing.ts";

/** Writes a `.qdpx` archive. */
export async function packQdpx(
  boundary: Boundary,
  content: Content,
  archive: Writable,
  losses: Losses,
): Promise<void> {
  const zip = new ZipFile();
  zip.addBuffer(Buffer.from(refiProject(content, losses)), "project.qde");
  for (const [guid, text] of textsOf(content)) {
    zip.addBuffer(plainText(text), `sources/${textFile(guid)}`);
  }
  for (const source of content.sources) {
    const { kind, file, name } = source;
    if (!file?.place) continue;
    const { place } = file;
    if (kind !== "text" || hasRichText(source)) {
      // Pictures, recordings and documents are packed already.
      zip.addReadStreamLazy(`sources/${mediaFile(source)}`, { compress: false }, (give) => {
        try {
          give(null, boundary.streamFile(place, dirname(place)));
        } catch (error) {
          give(error, undefined as never);
        }
      });
    } else if (!/\.(txt|md)$/i.test(file.name)) {
      losses.add("dropped", "Original documents of another kind than .docx", name);
    }
  }
  zip.end();
  // The archive itself does not end its stream where a file in it cannot be read.
  zip.on("error", (error: Error) => archive.destroy(error));
  await pipeline(zip.outputStream, archive);
}

/** Texts by the GUIDs under which they lie in the archive. */
function textsOf({ sources, journals }: Content): [guid: string, text: string][] {
  return [
    ...sources.flatMap((source): [string, string][] => {
      if (source.kind === "text") return [[source.guid, source.text ?? ""]];
      return source.text === null ? [] : [[representationGuid(source), source.text]];
    }),
    ...journals.map(({ guid, text }): [string, string] => [guid, text]),
  ];
}

/**
 * Every reader takes one byte order mark at the start of a file for the file's own. A text that
 * begins with such a mark, which counts in its positions, is therefore written behind another one.
 */
const plainText = (text: string): Buffer =>
  Buffer.from(text.startsWith("\uFEFF") ? `\uFEFF${text}` : text);
