import { posix } from "node:path";
import type { LocalDestination } from "../../../text/markdown/link-destination.ts";
import { type DocsSite, normalizeAddress, pageAddresses } from "../sites/docs-site.ts";
import type { LinkTargets } from "./link-targets.ts";

/** Maps link paths to files, in a plain repository or in a generated site. */
export interface LinkCandidates {
  /** Candidate paths relative to the repository, the most literal first. */
  candidates(file: string, destination: LocalDestination): string[];
  /** Whether a page declares this address in its front matter. */
  isServed(address: string): boolean;
}

/** Extensions that a site adds to a link without one. */
const pageExtensions = [".md", ".mdx", ".markdown", ".html"];

export function createLinkCandidates(
  docs: string,
  site: DocsSite | undefined,
  targets: LinkTargets,
): LinkCandidates {
  let served: Set<string> | undefined;
  return { candidates, isServed };

  function candidates(file: string, destination: LocalDestination): string[] {
    const isFromTop = destination.isRootRelative || (site && destination.path.startsWith("@site/"));
    const paths = isFromTop
      ? fromRootFolders(destination.path.replace(/^@site/, ""))
      : fromPage(file, destination.path);
    return site ? paths.flatMap((path) => [path, ...withPageExtensions(path)]) : paths;
  }

  function fromPage(file: string, path: string): string[] {
    const relative = posix.join(posix.dirname(file), path);
    // A site serves `guide.md` as `guide/`, and browsers resolve relative links from there.
    const inside = posix.join(file.replace(/\.[^./]+$/, ""), path);
    return site && !/\.(md|mdx|markdown)$/i.test(path) ? [relative, inside] : [relative];
  }

  /** A leading slash means the repository root on GitHub, and the source folder in a site. */
  function fromRootFolders(path: string): string[] {
    const prefix = site?.prefix ?? "";
    const withoutPrefix =
      prefix !== "" && path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : undefined;
    const rootFolders = [...new Set(["", docs, ...(site?.rootFolders ?? [])])];
    return [path, ...(withoutPrefix === undefined ? [] : [withoutPrefix])].flatMap((one) =>
      rootFolders.map((top) => posix.join(top, one.replace(/^\/+/, "./"))),
    );
  }

  function isServed(address: string): boolean {
    served ??= new Set(
      targets.pages().flatMap(({ file, facts }) => [...pageAddresses(file, facts)]),
    );
    const prefix = normalizeAddress(site?.prefix ?? "");
    const withoutPrefix =
      prefix !== "" && address.startsWith(`${prefix}/`)
        ? address.slice(prefix.length + 1)
        : address;
    const addresses = [address, withoutPrefix, withoutPrefix.replace(/^docs\//, "")];
    const rootFolders = ["", ...(site?.rootFolders ?? [])];
    return addresses.some((path) =>
      rootFolders.some((top) => served?.has(normalizeAddress(posix.join(top, path)))),
    );
  }
}

/** A page's address with each possible file extension. */
export function withPageExtensions(path: string): string[] {
  const bare = path.replace(/\/$/, "");
  const stem = bare.replace(/\.html?$/i, "");
  return [
    ...pageExtensions.map((ending) => bare + ending),
    ...(stem === bare ? [] : [`${stem}.md`, `${stem}.mdx`]),
  ];
}
