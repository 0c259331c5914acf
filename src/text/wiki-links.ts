import { byLetters } from "./by-letters.ts";
import { wayMeant } from "./link-destination.ts";

/** A link by a document's name, as vaults of notes have them: `[[folder/Note#Heading|shown]]`. */
export interface WikiLink {
  /** A name, a path or the end of one, with `.md` or without. */
  name: string;
  /** What stands behind `#`; empty where nothing does. */
  heading: string;
  /** What a reader sees of it, as a pair of places. */
  words: [number, number];
  end: number;
}

/**
 * No name has a colon or begins with `#`: `[[lamp: Light]]` and `[[#lamp]]` are typed objects. In a
 * table the bar stands behind a backslash.
 */
const form =
  /(?<mark>!?\[\[)(?<name>[^[\]|#:\\`\n]{1,400})(?:#(?<heading>[^[\]|\\`\n]{0,400}))?(?:\\?\|(?<shown>[^[\]\n]{0,400}))?\]\]/;

/** The one that begins here. What is to be embedded, `![[Note|200]]`, is seen by its name. */
export function wikiLinkAt(text: string, from: number): WikiLink | undefined {
  if (!text.startsWith("[[", text[from] === "!" ? from + 1 : from)) return undefined;
  const link = new RegExp(form, "dy");
  link.lastIndex = from;
  const { groups = {}, indices } = link.exec(text) ?? {};
  const name = groups.name?.trim() ?? "";
  const whole = indices?.[0];
  const named = indices?.groups?.name;
  if (name === "" || !whole || !named) return undefined;
  const isShown = groups.shown?.trim() && !groups.mark?.startsWith("!");
  const behind = indices.groups?.heading?.[1] ?? named[1];
  return {
    name,
    heading: (groups.heading ?? "").trim(),
    words: (isShown && indices.groups?.shown) || [named[0], behind],
    end: whole[1],
  };
}

/** Every name that a text may link by; what stands in code is among them. */
export const wikiNamesIn = (text: string): string[] =>
  text.includes("[[")
    ? [...text.matchAll(new RegExp(form, "g"))].map(({ groups }) => groups?.name?.trim() ?? "")
    : [];

/** A short text as it is read: of each link, the words that are seen. */
export const withWikiWords = (text: string): string =>
  text.replace(new RegExp(form, "g"), (link) => link.slice(...(wikiLinkAt(link, 0)?.words ?? [])));

/** Names are the same whatever their case, and whichever way a system writes accents. */
const folded = (name: string): string => name.normalize("NFC").toLowerCase();

/** By which links and documents find each other: the last step of the name. */
export const wikiKey = (name: string): string => folded(name.slice(name.lastIndexOf("/") + 1));

/** The keys of the links that may mean a document. */
export const wikiKeysOf = (path: string): string[] => spellings(wikiKey(path));

const spellings = (path: string): string[] => [...new Set([path, path.replace(/\.md$/, "")])];

/**
 * The path that a link on the page at `from` means, out of those there are. A name that several have
 * means the one in the page's own folder, else that at the root, else the nearest.
 */
export function pathOfName(
  name: string,
  from: string,
  paths: readonly string[],
): string | undefined {
  const isPlace = /^\.{0,2}\//.test(name);
  const wanted = folded(
    isPlace ? wayMeant({ path: name, isRootRelative: name[0] === "/" }, from) : name,
  );
  const isAt = (path: string, place: string): boolean => spellings(folded(path)).includes(place);
  const beside = folded(from.slice(0, from.lastIndexOf("/") + 1)) + wanted;
  const rank = (path: string): number[] => [
    isAt(path, beside) ? 0 : isAt(path, wanted) ? 1 : 2,
    stepsBetween(from, path),
    path.includes(name) ? 0 : 1,
  ];
  return paths
    .filter((path) =>
      isPlace
        ? isAt(path, wanted)
        : spellings(folded(path)).some((known) => `/${known}`.endsWith(`/${wanted}`)),
    )
    .map((path) => ({ path, rank: rank(path) }))
    .sort((a, b) => firstDifference(a.rank, b.rank) || byLetters(a.path, b.path))[0]?.path;
}

const firstDifference = (some: readonly number[], others: readonly number[]): number =>
  some.map((number, at) => number - (others[at] ?? 0)).find((difference) => difference !== 0) ?? 0;

/** How many folders one goes up and down from a file to another. */
function stepsBetween(from: string, to: string): number {
  const [there, back] = [from.split("/").slice(0, -1), to.split("/").slice(0, -1)];
  const parting = there.findIndex((step, at) => step !== back[at]);
  const shared = parting < 0 ? there.length : parting;
  return there.length + back.length - 2 * shared;
}
