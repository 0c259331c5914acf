import { parseXml, type XmlElement } from "../../../../kernel/formats/containers/xml.ts";
import { openZip, type ZipArchive } from "../../../../kernel/formats/containers/zip-reader.ts";
import { damagedFile, unreadableFile } from "../../../../kernel/formats/file-errors.ts";
import { decodeText } from "../../../../text/formats/text-decoder.ts";
import type { Content } from "../content.ts";
import type { LossReport } from "../losses.ts";
import type { RefiArchiveFiles } from "./archive-files.ts";
import { childElements, elementAttribute, walkElements } from "./elements.ts";
import { readRefiProject } from "./project-reader.ts";

/** Limits the memory of the parsed tree, counting elements and attributes. */
const maxElements = 2_000_000;

/** Parses the XML of a project or codebook and returns its root element. */
export function parseRefiRoot(text: string): XmlElement {
  const [root] = childElements(parseXml(text, { maxNodes: maxElements }), "Project", "CodeBook");
  if (!root) throw unreadableFile("it is not a REFI-QDA project or codebook");
  return root;
}

/** Reads a `.qdpx` archive and returns its content, and the archive for its files. */
export async function readQdpx(
  bytes: Uint8Array,
  losses: LossReport,
): Promise<{ content: Content; archive: ZipArchive }> {
  const archive = await openZip(bytes);
  assertSafeArchive(archive);
  const names = archive.entries.map(({ name }) => name);
  const name =
    names.find((one) => /^project\.qde$/i.test(one)) ??
    names.find((one) => /^[^/]+\.qde$/i.test(one));
  if (name === undefined) throw unreadableFile("it contains no project.qde");
  const root = parseRefiRoot((await archive.readText(name)) ?? "");
  if (root.name !== "Project") throw damagedFile();
  const parts = await readArchiveFiles(root, archive, losses);
  return { content: readRefiProject(root, parts, losses), archive };
}

/** Rejects duplicate names, links and zip bombs. */
function assertSafeArchive({ entries, isZipBomb }: ZipArchive): void {
  const names = new Set(entries.map(({ name }) => name.toLowerCase()));
  if (names.size < entries.length) throw unreadableFile("it contains two entries with one name");
  if (entries.some(({ isLink }) => isLink)) throw unreadableFile("it contains a link");
  if (isZipBomb) throw unreadableFile("it unpacks to far more than its size");
}

/** Reads the texts into memory. Other files are extracted after the project is created. */
async function readArchiveFiles(
  root: XmlElement,
  archive: ZipArchive,
  losses: LossReport,
): Promise<RefiArchiveFiles> {
  const byName = new Map(archive.entries.map(({ name }) => [name.toLowerCase(), name]));
  const part = (path: string): string | undefined => {
    const inside = /^(?:internal:\/\/\/?)?([^:]+)$/.exec(path.replaceAll("\\", "/"))?.[1];
    const entryName = inside?.replace(/^(\.?\/)*(sources\/)?/i, "").toLowerCase();
    return entryName ? byName.get(`sources/${entryName}`) : undefined;
  };
  const texts = new Map<string, string>();
  for (const element of walkElements(root)) {
    const path = elementAttribute(element, "plainTextPath");
    const name = path === undefined || texts.has(path) ? undefined : part(path);
    if (path === undefined || name === undefined) continue;
    const text = decodeText(await archive.read(name));
    if (text !== undefined) texts.set(path, text);
    else losses.add("missing", "Files that are not text", elementAttribute(element, "name"));
  }
  let remainingChars = maxTextChars;
  return {
    part,
    text(path) {
      const text = texts.get(path);
      remainingChars -= text?.length ?? 0;
      if (remainingChars < 0) throw unreadableFile("it unpacks to far more than its size");
      return text;
    },
  };
}

/** Several sources may refer to one text, and each then stores a copy. */
const maxTextChars = 256_000_000;
