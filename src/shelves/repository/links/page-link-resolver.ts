import { posix } from "node:path";
import {
  type LocalDestination,
  parseLinkDestination,
} from "../../../text/markdown/link-destination.ts";
import type { PageLink } from "../../../text/markdown/page.ts";
import { similarNames } from "../../../text/strings/similar-names.ts";
import type { PathLookup, RepoTree } from "../repo/repo-tree.ts";
import { type DocsSite, isGeneratedPath, normalizeAddress } from "../sites/docs-site.ts";
import { checkAnchor, maxCompared } from "./anchor-check.ts";
import { createLinkCandidates, withPageExtensions } from "./link-candidates.ts";
import type { LinkTargets } from "./link-targets.ts";
import { faultyLink, type LinkVerdict, skippedLink, validLink } from "./link-verdict.ts";

/** The inputs of link resolution. */
export interface LinkContext {
  tree: RepoTree;
  /** The folder of the documentation, relative to the repository. */
  docs: string;
  site: DocsSite | undefined;
  targets: LinkTargets;
}

/** Resolves one link of a page; the file is relative to the repository. */
export type PageLinkResolver = (
  file: string,
  link: Pick<PageLink, "destination" | "written" | "definedAt">,
) => LinkVerdict;

export function createPageLinkResolver(context: LinkContext): PageLinkResolver {
  const { tree, docs, site, targets } = context;
  const linkCandidates = createLinkCandidates(docs, site, targets);
  return (file, link) => {
    if (link.destination === undefined) {
      return faultyLink(
        "other",
        "no-definition",
        `'${link.written}' refers to an undefined label.`,
        () => "Define it with '[label]: address', or write the address in parentheses.",
      );
    }
    const destination = parseLinkDestination(link.destination);
    switch (destination.kind) {
      case "empty":
        return faultyLink(
          "other",
          "leads-nowhere",
          "The link has no address.",
          () => "Add one, or remove the link.",
        );
      case "template":
        return skippedLink("other", "the site generator creates it");
      case "outside":
        return {
          status: "skipped",
          type: "external",
          url: destination.url,
          why: "external links are not checked",
        };
      case "other":
        return schemeVerdict(destination.scheme);
      default:
        return destination.path === ""
          ? resolveOnPage(file, destination)
          : resolvePath(file, destination);
    }
  };

  function resolveOnPage(file: string, { fragment }: LocalDestination): LinkVerdict {
    if (fragment !== undefined && fragment !== "") return anchorIn(file, fragment, "anchor");
    return faultyLink(
      "anchor",
      "top-of-page",
      "The link points to the top of its own page.",
      () => "Add a heading's anchor after '#', or remove the link.",
    );
  }

  function resolvePath(file: string, destination: LocalDestination): LinkVerdict {
    const lookups = linkCandidates
      .candidates(file, destination)
      .map((path) => ({ path, found: tree.lookup(path) }));
    const match = pickBestMatch(lookups.map(({ found }) => found));
    if (match?.kind === "file") return atFile(match.path, destination);
    if (match?.kind === "folder") return atFolder(match.path, destination);
    const address =
      site &&
      normalizeAddress(
        destination.isRootRelative
          ? destination.path
          : posix.join(posix.dirname(file), destination.path),
      );
    if (site && address !== undefined) {
      if (linkCandidates.isServed(address)) return validLink("internal");
      if (isGeneratedPath(address))
        return skippedLink("internal", `${site.system} generates this page`);
    }
    return (
      (!site && servedElsewhere(file, destination)) || missingVerdict(file, destination, lookups[0])
    );
  }

  /** Prefers a page over a folder of the same name that has no index page. */
  function pickBestMatch(found: readonly PathLookup[]): PathLookup | undefined {
    const first = found.find(({ kind }) => kind === "file" || kind === "folder");
    if (!site || first?.kind !== "folder" || indexOf(first.path)) return first;
    return found.find(({ kind }) => kind === "file") ?? first;
  }

  function indexOf(folder: string): string | undefined {
    const isIndex = /^(index|readme|_index)\.(mdx?|markdown|html?)$/i;
    return tree.listNames(folder).find((name) => isIndex.test(name));
  }

  /** Pages may be written for a site that is configured in another repository. */
  function servedElsewhere(file: string, destination: LocalDestination): LinkVerdict | undefined {
    const found = linkCandidates
      .candidates(file, destination)
      .flatMap(withPageExtensions)
      .map((path) => tree.lookup(path))
      .find(({ kind }) => kind === "file");
    if (found?.kind !== "file") return undefined;
    const verdict = atFile(found.path, destination);
    if (verdict.status !== "valid") return verdict;
    return faultyLink(
      "internal",
      "needs-site",
      `'${destination.written}' resolves to '${found.path}' only with a site generator.`,
      () => `Write '${relativeLink(file, found.path, destination)}', which works everywhere.`,
    );
  }

  function atFolder(folder: string, { fragment }: LocalDestination): LinkVerdict {
    const index = indexOf(folder);
    if (fragment !== undefined && fragment !== "") {
      if (index) return anchorIn(posix.join(folder, index), fragment, "internal");
      return faultyLink(
        "internal",
        "missing-anchor",
        `The folder '${folder || "."}' has no page, so it has no anchor '#${fragment}'.`,
        () => "Link to a page, or add an index.md to the folder.",
      );
    }
    const isInDocs = docs === "" || folder === docs || folder.startsWith(`${docs}/`);
    if (index || !site || !isInDocs) return validLink("internal");
    return faultyLink(
      "internal",
      "folder-without-page",
      `The folder '${folder}' has no page that ${site.system} could show.`,
      () => "Add an index.md to the folder, or link to a page in it.",
    );
  }

  function atFile(path: string, { fragment }: LocalDestination): LinkVerdict {
    return fragment === undefined || fragment === ""
      ? validLink("internal")
      : anchorIn(path, fragment, "internal");
  }

  function anchorIn(path: string, fragment: string, type: "anchor" | "internal"): LinkVerdict {
    return checkAnchor(path, targets.get(path), fragment, { type, inSite: site !== undefined });
  }

  function missingVerdict(
    file: string,
    destination: LocalDestination,
    first: { path: string; found: PathLookup } | undefined,
  ): LinkVerdict {
    const writtenPath = destination.written;
    if (first?.found.kind === "outside") {
      return faultyLink(
        "internal",
        "leaves-repository",
        `'${writtenPath}' is outside the repository, so it was not followed.`,
        () => "Link to a file of the repository, or to a web address.",
      );
    }
    const similarPath = first?.found.kind === "missing" ? first.found.near : undefined;
    if (similarPath !== undefined) {
      const corrected = relativeLink(file, similarPath, destination);
      return faultyLink(
        "internal",
        "wrong-case",
        `'${writtenPath}' is spelled '${corrected}'.`,
        () => `Write '${corrected}': most systems are case-sensitive.`,
      );
    }
    if (destination.path.includes("\\")) {
      return faultyLink(
        "internal",
        "backslash",
        `'${writtenPath}' contains a backslash, which does not separate paths in an address.`,
        () => `Write '${writtenPath.replaceAll("\\", "/")}'.`,
      );
    }
    if (destination.isBadlyEncoded) {
      return faultyLink(
        "internal",
        "bad-encoding",
        `'${writtenPath}' contains an invalid percent escape.`,
        () => "Write '%25' for a percent sign.",
      );
    }
    return faultyLink("internal", "missing-file", `'${writtenPath}' does not exist.`, () =>
      suggestFix(file, destination, first?.path ?? ""),
    );
  }

  function suggestFix(file: string, destination: LocalDestination, path: string): string {
    const name = posix.basename(path);
    const sameName = targets.findByName(name).filter((other) => other !== file);
    if (sameName[0] !== undefined)
      return `A page of this name is at '${relativeLink(file, sameName[0], destination)}'.`;
    const folder = posix.dirname(path) === "." ? "" : posix.dirname(path);
    const [guess] = similarNames(name, tree.listNames(folder).slice(0, maxCompared), 1);
    return guess === undefined
      ? "Create the file, or remove the link."
      : `Did you mean '${relativeLink(file, posix.join(folder, guess), destination)}'?`;
  }

  /** A path in the form in which a page links to it. */
  function relativeLink(file: string, path: string, { isRootRelative }: LocalDestination): string {
    return isRootRelative ? `/${path}` : posix.relative(posix.dirname(file), path);
  }
}

function schemeVerdict(scheme: string): LinkVerdict {
  if (scheme === "mailto") return skippedLink("mailto", "mail addresses are not checked");
  if (scheme === "file") {
    return faultyLink(
      "other",
      "leaves-repository",
      "The link points to a local file, so it was not followed.",
      () => "Link to a file of the repository.",
    );
  }
  return skippedLink("other", `'${scheme}:' links are opened by other programs`);
}
