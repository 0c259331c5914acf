import { createHash } from "node:crypto";
import { frontmatterFacts, frontmatterTitle } from "../../../text/markdown/frontmatter.ts";
import { readHeadings } from "../../../text/markdown/headings.ts";
import { splitLines } from "../../../text/strings/lines.ts";
import { toPrintable } from "../../../text/strings/printable.ts";
import { truncateText } from "../../../text/strings/truncate.ts";

/** The document categories in listing order, named like their folders. */
export const documentCategories = ["guidelines", "patterns", "adr"] as const;

export type DocumentCategory = (typeof documentCategories)[number];

/** The singular noun of each category. */
export const categoryNouns = { guidelines: "guideline", patterns: "pattern", adr: "adr" } as const;

/** An architecture document. Re-reading the file creates a new object. */
export interface ArchitectureDocument {
  category: DocumentCategory;
  /**
   * Its path below the folder of its category, without the extension: `data/repository-pattern`.
   */
  name: string;
  /** As in every list and notice. */
  uri: string;
  title: string;
  /** Relative to the root, with forward slashes. Internal: no output contains it. */
  file: string;
  text: string;
  lines: readonly string[];
  /** In bytes. */
  size: number;
  /** ISO 8601. */
  modified: string;
  checksum: string;
}

export interface DocumentSource {
  category: DocumentCategory;
  name: string;
  file: string;
  text: string;
  bytes: Uint8Array;
  modified: Date;
}

export function createDocument(source: DocumentSource): ArchitectureDocument {
  const { category, name, file, bytes, modified } = source;
  const text = source.text.replace(/^\uFEFF/, "");
  const lines = splitLines(text);
  return {
    category,
    name,
    uri: architectureUri(category, name),
    title: documentTitle(lines, name),
    file,
    text,
    lines,
    size: bytes.length,
    modified: modified.toISOString(),
    // Not for security: the founding project publishes MD5, and clients compare it.
    checksum: createHash("md5").update(bytes).digest("hex"),
  };
}

/** A description like `Pattern: Repository`, worded as in the founding project. */
export function describeDocument({ category, title }: ArchitectureDocument): string {
  const noun = categoryNouns[category];
  return `${noun[0]?.toUpperCase()}${noun.slice(1)}: ${title}`;
}

/** Each segment is encoded separately to preserve the slashes. */
export const architectureUri = (category: DocumentCategory, name: string): string =>
  `architecture://${category}/${name.split("/").map(encodeURIComponent).join("/")}`;

/** Escapes the characters that would end the path of an address. */
export const escapeDocumentName = (name: string): string =>
  name.replace(/[%#]/g, encodeURIComponent);

export const uriFragment = (anchor: string): string =>
  anchor === "" ? "" : `#${encodeURIComponent(anchor)}`;

const maxTitleLength = 300;

/** The first level-one heading, the front matter's title, or the file name. */
function documentTitle(lines: readonly string[], name: string): string {
  let heading: string | undefined;
  for (const { depth, title } of readHeadings(lines)) {
    if (depth !== 1 || toPrintable(title) === "") continue;
    heading = title;
    break;
  }
  const title = toPrintable(heading ?? frontmatterTitle(frontmatterFacts(lines)) ?? "");
  const chosen = title === "" ? toPrintable(name.slice(name.lastIndexOf("/") + 1)) : title;
  return truncateText(chosen, maxTitleLength);
}
