import { readDestination, wayMeant } from "../../text/link-destination.ts";
import { wikiKey, wikiKeysOf, wikiNamesIn } from "../../text/wiki-links.ts";

/** More than anybody writes by hand; a page with more was made by a program. */
const mostTargets = 1_000;

/** What looks like a link to another file: `](there.md)`, or `[label]: there.md` on its own line. */
const written =
  /(?:\]\(|^ {0,3}\[[^\]\n]{1,200}\]:)[ \t]*(?:<([^<>\n]{1,1000})>|([^()\s<>]{1,1000}))/gm;

/**
 * Where the links of a document lead, as paths from the folder of its collection, out of which `../`
 * leads; of wiki links, which any document of that name may be meant by, the name. It is asked of every document, so it looks for brackets alone: what stands in code is taken
 * too, and dropped when it is shown.
 */
export function targetsIn(text: string, path: string): string[] {
  const targets = new Set<string>();
  for (const [, enclosed, bare] of text.matchAll(written)) {
    if (targets.size >= mostTargets) break;
    const target = targetOf(enclosed ?? bare ?? "", path);
    if (target !== undefined && target !== path) targets.add(target);
  }
  for (const name of wikiNamesIn(text)) {
    if (targets.size >= mostTargets) break;
    targets.add(byName(wikiKey(name)));
  }
  return [...targets];
}

/** The path that a destination means on the page at `path`; undefined where it leads elsewhere. */
export function targetOf(destination: string, path: string): string | undefined {
  const read = readDestination(destination);
  return read.kind === "local" && read.path !== "" ? wayMeant(read, path) : undefined;
}

/** Told from a path by its brackets. */
const byName = (key: string): string => `[[${key}]]`;

/** The targets by which wiki links of its collection may mean a document. */
export const wikiTargetsOf = (path: string): string[] => wikiKeysOf(path).map(byName);

/** The targets by which a document is meant: sites leave out endings, and name a folder for its index. */
export function namesOf(path: string): string[] {
  const bare = path.replace(/\.[^./]+$/, "");
  const isIndex = /(^|\/)(?:readme|index)$/i.test(bare);
  return [...new Set([path, bare, ...(isIndex ? [bare.replace(/\/?[^/]*$/, "")] : [])])];
}
