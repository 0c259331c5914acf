import { damaged, unreadable } from "../../../kernel/formats/unreadable.ts";
import { readXml, type XmlElement } from "../../../kernel/formats/xml.ts";
import { type Archive, openArchive } from "../../../kernel/formats/zip.ts";
import { decode } from "../../../text/decoding.ts";
import type { Content } from "./content.ts";
import type { Losses } from "./losses.ts";
import { attributeOf, childrenOf, everyElement } from "./refi-elements.ts";
import type { RefiParts } from "./refi-parts.ts";
import { readRefiProject } from "./refi-reading.ts";

/** A tree of so many elements and attributes fits into our memory beside everything else. */
const mostElements = 2_000_000;

/** The XML of a project or of a code book, as its first element. */
export function refiRoot(text: string): XmlElement {
  const [root] = childrenOf(readXml(text, { most: mostElements }), "Project", "CodeBook");
  if (!root) throw unreadable("it is no REFI-QDA project or code book");
  return root;
}

/** A `.qdpx` archive: its content, and the archive to take files from. */
export async function readQdpx(
  bytes: Uint8Array,
  losses: Losses,
): Promise<{ content: Content; archive: Archive }> {
  const archive = await openArchive(bytes);
  refuseHostile(archive);
  const names = archive.parts.map(({ name }) => name);
  const name =
    names.find((one) => /^project\.qde$/i.test(one)) ??
    names.find((one) => /^[^/]+\.qde$/i.test(one));
  if (name === undefined) throw unreadable("it holds no project.qde");
  const root = refiRoot((await archive.text(name)) ?? "");
  if (root.name !== "Project") throw damaged();
  const parts = await partsOf(root, archive, losses);
  return { content: readRefiProject(root, parts, losses), archive };
}

/** No program that means well writes these; what they could do is not found out. */
function refuseHostile({ parts, isSwollen }: Archive): void {
  const names = new Set(parts.map(({ name }) => name.toLowerCase()));
  if (names.size < parts.length) throw unreadable("it holds two parts of one name");
  if (parts.some(({ isLink }) => isLink)) throw unreadable("it holds a link to another place");
  if (isSwollen) throw unreadable("it unpacks to far more than its size");
}

/** Texts are read before the XML is walked; other files wait until a project is there for them. */
async function partsOf(root: XmlElement, archive: Archive, losses: Losses): Promise<RefiParts> {
  const byName = new Map(archive.parts.map(({ name }) => [name.toLowerCase(), name]));
  const part = (path: string): string | undefined => {
    const inside = /^(?:internal:\/\/\/?)?([^:]+)$/.exec(path.replaceAll("\\", "/"))?.[1];
    const wanted = inside?.replace(/^(\.?\/)*(sources\/)?/i, "").toLowerCase();
    return wanted ? byName.get(`sources/${wanted}`) : undefined;
  };
  const texts = new Map<string, string>();
  for (const element of everyElement(root)) {
    const path = attributeOf(element, "plainTextPath");
    const name = path === undefined || texts.has(path) ? undefined : part(path);
    if (path === undefined || name === undefined) continue;
    const text = decode(await archive.read(name));
    if (text !== undefined) texts.set(path, text);
    else losses.add("missing", "Files that are no text", attributeOf(element, "name"));
  }
  let left = mostLetters;
  return {
    part,
    text(path) {
      const text = texts.get(path);
      left -= text?.length ?? 0;
      if (left < 0) throw unreadable("it unpacks to far more than its size");
      return text;
    },
  };
}

/** One text may be that of several sources, each of which then holds all of it. */
const mostLetters = 256_000_000;
