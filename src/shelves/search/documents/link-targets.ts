import { parseLinkDestination, resolveLinkPath } from "../../../text/markdown/link-destination.ts";
import { findWikiNames, wikiKey, wikiKeysOf } from "../../../text/markdown/wiki-links.ts";

/** The maximum number of targets per document; only generated pages have more. */
const maxTargets = 1_000;

/** A Markdown link to a file: `](there.md)`, or a definition `[label]: there.md`. */
const linkPattern =
  /(?:\]\(|^ {0,3}\[[^\]\n]{1,200}\]:)[ \t]*(?:<([^<>\n]{1,1000})>|([^()\s<>]{1,1000}))/gm;

/** The same without definitions: most documents have none, and this is several times as fast. */
const inlineLinkPattern = /\]\([ \t]*(?:<([^<>\n]{1,1000})>|([^()\s<>]{1,1000}))/g;

/**
 * The link targets of a document, as paths relative to its collection (with `../` outside it). The
 * target of a wiki link is a name, which can match any document of that name. This runs for every
 * document, so it does not parse Markdown: links in code are included and filtered out when shown.
 */
export function findLinkTargets(text: string, path: string): string[] {
  const targets = new Set<string>();
  const pattern = text.includes("]:") ? linkPattern : inlineLinkPattern;
  for (const [, enclosed, bare] of text.matchAll(pattern)) {
    if (targets.size >= maxTargets) break;
    const target = resolveLinkTarget(enclosed ?? bare ?? "", path);
    if (target !== undefined && target !== path) targets.add(target);
  }
  for (const name of findWikiNames(text)) {
    if (targets.size >= maxTargets) break;
    targets.add(wikiTarget(wikiKey(name)));
  }
  return [...targets];
}

/** Resolves a link destination on the page at `path`; undefined if it is not a local file. */
export function resolveLinkTarget(destination: string, path: string): string | undefined {
  const read = parseLinkDestination(destination);
  return read.kind === "local" && read.path !== "" ? resolveLinkPath(read, path) : undefined;
}

/** The brackets distinguish the name of a wiki link from a path. */
const wikiTarget = (key: string): string => `[[${key}]]`;

/** The wiki link targets that match a document with these aliases. */
export const wikiLinkTargetsOf = (path: string, aliases: readonly string[]): string[] =>
  [...new Set([...wikiKeysOf(path), ...aliases.map(wikiKey)])].map(wikiTarget);

/** The link targets that match a document: links may omit the extension, or name a folder for its index page. */
export function linkTargetsOf(path: string): string[] {
  const bare = path.replace(/\.[^./]+$/, "");
  const isIndex = /(^|\/)(?:readme|index)$/i.test(bare);
  return [...new Set([path, bare, ...(isIndex ? [bare.replace(/\/?[^/]*$/, "")] : [])])];
}
