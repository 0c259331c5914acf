import { elementAt } from "../arrays/element-at.ts";
import { compareText } from "../strings/compare-text.ts";
import { resolveLinkPath } from "./link-destination.ts";

/** A link by document name, as in Obsidian: `[[folder/Note#Heading|shown]]`. */
export interface WikiLink {
  /** A name, a path or the end of a path, with or without `.md`. */
  name: string;
  /** The part after `#`; empty if there is none. */
  heading: string;
  /** The offsets of the visible text. */
  textRange: [number, number];
  end: number;
}

/**
 * Names contain no colon and do not start with `#`: `[[lamp: Light]]` and `[[#lamp]]` are typed
 * objects. In tables, the `|` is escaped.
 */
const linkPattern =
  /(?<mark>!?\[\[)(?<name>[^[\]|#:\\`\n]{1,400})(?:#(?<heading>[^[\]|\\`\n]{0,400}))?(?:\\?\|(?<shown>[^[\]\n]{0,400}))?\]\]/;

/** The wiki link at an offset. For an embed, `![[Note|200]]`, the visible text is the name. */
export function wikiLinkAt(text: string, from: number): WikiLink | undefined {
  if (!text.startsWith("[[", text[from] === "!" ? from + 1 : from)) return undefined;
  const link = new RegExp(linkPattern, "dy");
  link.lastIndex = from;
  const { groups = {}, indices } = link.exec(text) ?? {};
  const name = groups.name?.trim() ?? "";
  const whole = indices?.[0];
  const named = indices?.groups?.name;
  if (name === "" || !whole || !named) return undefined;
  const isShown = groups.shown?.trim() && !groups.mark?.startsWith("!");
  const nameEnd = indices.groups?.heading?.[1] ?? named[1];
  return {
    name,
    heading: (groups.heading ?? "").trim(),
    textRange: (isShown && indices.groups?.shown) || [named[0], nameEnd],
    end: whole[1],
  };
}

/** All names that a text may link to, including those in code. */
export const findWikiNames = (text: string): string[] =>
  text.includes("[[")
    ? [...text.matchAll(new RegExp(linkPattern, "g"))].map(
        ({ groups }) => groups?.name?.trim() ?? "",
      )
    : [];

/** Replaces wiki links by their visible text. */
export const wikiLinksAsText = (text: string): string =>
  text.replace(new RegExp(linkPattern, "g"), (link) =>
    link.slice(...(wikiLinkAt(link, 0)?.textRange ?? [])),
  );

/** Names are compared case-insensitively and in NFC, because systems normalize file names differently. */
export const foldName = (name: string): string => name.normalize("NFC").toLowerCase();

/** The lookup key of a link or document: the last component of the path. */
export const wikiKey = (name: string): string => foldName(name.slice(name.lastIndexOf("/") + 1));

/** The keys of the links that may refer to a document. */
export const wikiKeysOf = (path: string): string[] => spellings(wikiKey(path));

const spellings = (path: string): string[] => [...new Set([path, path.replace(/\.md$/, "")])];

/**
 * Resolves a wiki link on the page at `from` to one of the paths. If several match, prefers the
 * folder of the page, then the root, then the fewest folders between.
 */
export function resolveWikiLink(
  name: string,
  from: string,
  paths: readonly string[],
): string | undefined {
  const isPath = /^\.{0,2}\//.test(name);
  const wanted = foldName(
    isPath ? resolveLinkPath({ path: name, isRootRelative: name[0] === "/" }, from) : name,
  );
  const isAt = (path: string, location: string): boolean =>
    spellings(foldName(path)).includes(location);
  const inSameFolder = foldName(from.slice(0, from.lastIndexOf("/") + 1)) + wanted;
  const rank = (path: string): number[] => [
    isAt(path, inSameFolder) ? 0 : isAt(path, wanted) ? 1 : 2,
    folderDistance(from, path),
    path.includes(name) ? 0 : 1,
  ];
  return paths
    .filter((path) =>
      isPath
        ? isAt(path, wanted)
        : spellings(foldName(path)).some((spelling) => `/${spelling}`.endsWith(`/${wanted}`)),
    )
    .map((path) => ({ path, rank: rank(path) }))
    .sort((a, b) => firstDifference(a.rank, b.rank) || compareText(a.path, b.path))[0]?.path;
}

/** Of documents with the same alias, the one with the fewest folders between. */
export const nearestPath = (from: string, paths: readonly string[]): string | undefined =>
  paths
    .map((path) => ({ path, distance: folderDistance(from, path) }))
    .sort((a, b) => a.distance - b.distance || compareText(a.path, b.path))[0]?.path;

const firstDifference = (a: readonly number[], b: readonly number[]): number =>
  a.map((rank, index) => rank - elementAt(b, index)).find((difference) => difference !== 0) ?? 0;

/** The number of steps up and down the folder tree from one file to another. */
function folderDistance(from: string, to: string): number {
  const [fromFolders, toFolders] = [from.split("/").slice(0, -1), to.split("/").slice(0, -1)];
  const firstDifferent = fromFolders.findIndex((folder, depth) => folder !== toFolders[depth]);
  const shared = firstDifferent < 0 ? fromFolders.length : firstDifferent;
  return fromFolders.length + toFolders.length - 2 * shared;
}
