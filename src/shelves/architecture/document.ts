import { createHash } from "node:crypto";
import { cleanStart } from "../../text/clean-start.ts";
import { factsOf, frontmatterTitle } from "../../text/frontmatter.ts";
import { headingsOf } from "../../text/headings.ts";
import { linesOf } from "../../text/lines.ts";
import { visible } from "../../text/visible.ts";

/** The kinds of documents, in the order in which they are listed, by the folders they lie in. */
export const categories = ["guidelines", "patterns", "adr"] as const;

export type Category = (typeof categories)[number];

/** What one document of a kind is called. */
export const nounOf = { guidelines: "guideline", patterns: "pattern", adr: "adr" } as const;

/** A text about the architecture. One that was read anew is another object. */
export interface ArchitectureDocument {
  category: Category;
  /** Its path below the folder of its kind, without the ending: `data/repository-pattern`. */
  name: string;
  /** As every list and notice has it. */
  uri: string;
  title: string;
  /** Relative to the root, with forward slashes. For ourselves; no answer shows it. */
  file: string;
  text: string;
  lines: readonly string[];
  /** In bytes. */
  size: number;
  /** ISO. */
  modified: string;
  checksum: string;
}

export interface DocumentSource {
  category: Category;
  name: string;
  file: string;
  text: string;
  bytes: Uint8Array;
  modified: Date;
}

export function makeDocument(source: DocumentSource): ArchitectureDocument {
  const { category, name, file, bytes, modified } = source;
  const text = source.text.replace(/^\uFEFF/, "");
  const lines = linesOf(text);
  return {
    category,
    name,
    uri: uriOf(category, name),
    title: titleOf(lines, name),
    file,
    text,
    lines,
    size: bytes.length,
    modified: modified.toISOString(),
    // Not for safety: the founding project tells this one, and clients compare it.
    checksum: createHash("md5").update(bytes).digest("hex"),
  };
}

/** `Pattern: Repository`, as the founding project words it. */
export function describe({ category, title }: ArchitectureDocument): string {
  const noun = nounOf[category];
  return `${noun[0]?.toUpperCase()}${noun.slice(1)}: ${title}`;
}

/** Each step is encoded by itself, so that a slash stays a slash. */
export const uriOf = (category: Category, name: string): string =>
  `architecture://${category}/${name.split("/").map(encodeURIComponent).join("/")}`;

/** A name as it may stand in an address that is read: what else would end it is encoded. */
export const asStep = (name: string): string => name.replace(/[%#]/g, encodeURIComponent);

export const fragmentOf = (anchor: string): string =>
  anchor === "" ? "" : `#${encodeURIComponent(anchor)}`;

const longestTitle = 300;

/** The first heading of the first level, the front matter's title, or the file's name. */
function titleOf(lines: readonly string[], name: string): string {
  let heading: string | undefined;
  for (const { depth, title } of headingsOf(lines)) {
    if (depth !== 1 || visible(title) === "") continue;
    heading = title;
    break;
  }
  const title = visible(heading ?? frontmatterTitle(factsOf(lines)) ?? "");
  const own = title === "" ? visible(name.slice(name.lastIndexOf("/") + 1)) : title;
  return cleanStart(own, longestTitle);
}
