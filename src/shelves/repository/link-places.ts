import { posix } from "node:path";
import type { LocalDestination } from "../../text/link-destination.ts";
import { addressesOf, type DocsSite, plainAddress } from "./docs-site.ts";
import type { LinkTargets } from "./link-targets.ts";

/** Where the paths of links lead, in a repository alone or in a site that is made of it. */
export interface LinkPlaces {
  /** Paths that may be meant, relative to the repository, the plainest meaning first. */
  candidates(file: string, place: LocalDestination): string[];
  /** Whether a page says of itself that it answers to this address. */
  isServed(address: string): boolean;
}

/** Endings under which a site serves a page that is named without one. */
const cleanEndings = [".md", ".mdx", ".markdown", ".html"];

export function openPlaces(
  docs: string,
  site: DocsSite | undefined,
  targets: LinkTargets,
): LinkPlaces {
  let served: Set<string> | undefined;
  return { candidates, isServed };

  function candidates(file: string, place: LocalDestination): string[] {
    const isFromTop = place.isRootRelative || (site && place.path.startsWith("@site/"));
    const paths = isFromTop
      ? fromTops(place.path.replace(/^@site/, ""))
      : fromPage(file, place.path);
    return site ? paths.flatMap((path) => [path, ...withEndings(path)]) : paths;
  }

  function fromPage(file: string, path: string): string[] {
    const beside = posix.join(posix.dirname(file), path);
    // A site serves `guide.md` as `guide/`, so that a browser starts there.
    const inside = posix.join(file.replace(/\.[^./]+$/, ""), path);
    return site && !/\.(md|mdx|markdown)$/i.test(path) ? [beside, inside] : [beside];
  }

  /** On GitHub a leading slash means the repository, in a site the folder that it is made from. */
  function fromTops(path: string): string[] {
    const prefix = site?.prefix ?? "";
    const inner =
      prefix !== "" && path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : undefined;
    const tops = [...new Set(["", docs, ...(site?.tops ?? [])])];
    return [path, ...(inner === undefined ? [] : [inner])].flatMap((one) =>
      tops.map((top) => posix.join(top, one.replace(/^\/+/, "./"))),
    );
  }

  function isServed(address: string): boolean {
    served ??= new Set(targets.pages().flatMap(({ file, facts }) => [...addressesOf(file, facts)]));
    const prefix = plainAddress(site?.prefix ?? "");
    const inner =
      prefix !== "" && address.startsWith(`${prefix}/`)
        ? address.slice(prefix.length + 1)
        : address;
    const places = [address, inner, inner.replace(/^docs\//, "")];
    const tops = ["", ...(site?.tops ?? [])];
    return places.some((one) =>
      tops.some((top) => served?.has(plainAddress(posix.join(top, one)))),
    );
  }
}

/** A page's address with the ending that its file has. */
export function withEndings(path: string): string[] {
  const bare = path.replace(/\/$/, "");
  const stem = bare.replace(/\.html?$/i, "");
  return [
    ...cleanEndings.map((ending) => bare + ending),
    ...(stem === bare ? [] : [`${stem}.md`, `${stem}.mdx`]),
  ];
}
