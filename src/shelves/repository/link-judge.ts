import { posix } from "node:path";
import { type LocalDestination, readDestination } from "../../text/link-destination.ts";
import type { PageLink } from "../../text/markdown/page.ts";
import { nearest } from "../../text/similar-names.ts";
import { type DocsSite, isMadeBySite, plainAddress } from "./docs-site.ts";
import { judgeAnchor, mostCompared } from "./link-anchors.ts";
import { openPlaces, withEndings } from "./link-places.ts";
import type { LinkTargets } from "./link-targets.ts";
import { faulty, type LinkVerdict, skipped, valid } from "./link-verdict.ts";
import type { Found, RepositoryTree } from "./repository-tree.ts";

/** What links are judged by. */
export interface Ground {
  tree: RepositoryTree;
  /** The folder of the documentation, relative to the repository. */
  docs: string;
  site: DocsSite | undefined;
  targets: LinkTargets;
}

/** Judges one link of a page; the file is relative to the repository. */
export type LinkJudge = (
  file: string,
  link: Pick<PageLink, "destination" | "written" | "definedAt">,
) => LinkVerdict;

export function makeJudge(ground: Ground): LinkJudge {
  const { tree, docs, site, targets } = ground;
  const places = openPlaces(docs, site, targets);
  return (file, link) => {
    if (link.destination === undefined) {
      return faulty(
        "other",
        "no-definition",
        `'${link.written}' refers to a label that is defined nowhere.`,
        () => "Define it, '[label]: address', or write the address in parentheses.",
      );
    }
    const place = readDestination(link.destination);
    switch (place.kind) {
      case "empty":
        return faulty(
          "other",
          "leads-nowhere",
          "The link has no address.",
          () => "Give it one, or leave the link out.",
        );
      case "template":
        return skipped("other", "the site generator fills it in");
      case "outside":
        return {
          status: "skipped",
          type: "external",
          url: place.url,
          why: "outside links are not checked",
        };
      case "other":
        return otherScheme(place.scheme);
      default:
        return place.path === "" ? onPage(file, place) : elsewhere(file, place);
    }
  };

  function onPage(file: string, { fragment }: LocalDestination): LinkVerdict {
    if (fragment !== undefined && fragment !== "") return anchorIn(file, fragment, "anchor");
    return faulty(
      "anchor",
      "top-of-page",
      "The link leads to the top of its own page.",
      () => "Name a heading behind '#', or leave the link out.",
    );
  }

  function elsewhere(file: string, place: LocalDestination): LinkVerdict {
    const tried = places.candidates(file, place).map((path) => ({ path, found: tree.at(path) }));
    const hit = bestOf(tried.map(({ found }) => found));
    if (hit?.kind === "file") return atFile(hit.path, place);
    if (hit?.kind === "folder") return atFolder(hit.path, place);
    const address =
      site &&
      plainAddress(place.isRootRelative ? place.path : posix.join(posix.dirname(file), place.path));
    if (site && address !== undefined) {
      if (places.isServed(address)) return valid("internal");
      if (isMadeBySite(address)) return skipped("internal", `${site.system} makes this page`);
    }
    return (!site && servedElsewhere(file, place)) || missing(file, place, tried[0]);
  }

  /** A page beside a folder of the same name is meant rather than a folder that has none. */
  function bestOf(found: readonly Found[]): Found | undefined {
    const first = found.find(({ kind }) => kind === "file" || kind === "folder");
    if (!site || first?.kind !== "folder" || indexOf(first.path)) return first;
    return found.find(({ kind }) => kind === "file") ?? first;
  }

  function indexOf(folder: string): string | undefined {
    const isIndex = /^(index|readme|_index)\.(mdx?|markdown|html?)$/i;
    return tree.names(folder).find((name) => isIndex.test(name));
  }

  /** Pages may be written for a site whose configuration lies in another repository. */
  function servedElsewhere(file: string, place: LocalDestination): LinkVerdict | undefined {
    const found = places
      .candidates(file, place)
      .flatMap(withEndings)
      .map((path) => tree.at(path))
      .find(({ kind }) => kind === "file");
    if (found?.kind !== "file") return undefined;
    const inside = atFile(found.path, place);
    if (inside.status !== "valid") return inside;
    return faulty(
      "internal",
      "needs-site",
      `'${place.written}' leads to '${found.path}' only where a site generator makes it so.`,
      () => `Write '${from(file, found.path, place)}', which works everywhere.`,
    );
  }

  function atFolder(folder: string, { fragment }: LocalDestination): LinkVerdict {
    const index = indexOf(folder);
    if (fragment !== undefined && fragment !== "") {
      if (index) return anchorIn(posix.join(folder, index), fragment, "internal");
      return faulty(
        "internal",
        "missing-anchor",
        `The folder '${folder || "."}' has no page, so no place '#${fragment}'.`,
        () => "Link to a page, or give the folder an index.md.",
      );
    }
    const isInDocs = docs === "" || folder === docs || folder.startsWith(`${docs}/`);
    if (index || !site || !isInDocs) return valid("internal");
    return faulty(
      "internal",
      "folder-without-page",
      `The folder '${folder}' has no page that ${site.system} could show.`,
      () => "Give the folder an index.md, or link to a page in it.",
    );
  }

  function atFile(path: string, { fragment }: LocalDestination): LinkVerdict {
    return fragment === undefined || fragment === ""
      ? valid("internal")
      : anchorIn(path, fragment, "internal");
  }

  function anchorIn(path: string, fragment: string, type: "anchor" | "internal"): LinkVerdict {
    return judgeAnchor(path, targets.at(path), fragment, { type, inSite: site !== undefined });
  }

  function missing(
    file: string,
    place: LocalDestination,
    first: { path: string; found: Found } | undefined,
  ): LinkVerdict {
    const shown = place.written;
    if (first?.found.kind === "outside") {
      return faulty(
        "internal",
        "leaves-repository",
        `'${shown}' leads out of the repository, so it was not followed.`,
        () => "Link to a file of the repository, or to an address of the web.",
      );
    }
    const near = first?.found.kind === "missing" ? first.found.near : undefined;
    if (near !== undefined) {
      const right = from(file, near, place);
      return faulty(
        "internal",
        "wrong-case",
        `'${shown}' is spelled '${right}'.`,
        () => `Write '${right}': most systems tell upper from lower case.`,
      );
    }
    if (place.path.includes("\\")) {
      return faulty(
        "internal",
        "backslash",
        `'${shown}' holds a backslash, which is no separator in an address.`,
        () => `Write '${shown.replaceAll("\\", "/")}'.`,
      );
    }
    if (place.isBadlyEncoded) {
      return faulty(
        "internal",
        "bad-encoding",
        `'${shown}' holds a percent sign that stands for no letter.`,
        () => "Write '%25' for the sign itself.",
      );
    }
    return faulty("internal", "missing-file", `'${shown}' is not there.`, () =>
      advice(file, place, first?.path ?? ""),
    );
  }

  function advice(file: string, place: LocalDestination, path: string): string {
    const name = posix.basename(path);
    const moved = targets.named(name).filter((other) => other !== file);
    if (moved[0] !== undefined)
      return `A page of this name is at '${from(file, moved[0], place)}'.`;
    const folder = posix.dirname(path) === "." ? "" : posix.dirname(path);
    const [like] = nearest(name, tree.names(folder).slice(0, mostCompared), 1);
    return like === undefined
      ? "Make the file, or leave the link out."
      : `Did you mean '${from(file, posix.join(folder, like), place)}'?`;
  }

  /** A path as a page would write it. */
  function from(file: string, path: string, { isRootRelative }: LocalDestination): string {
    return isRootRelative ? `/${path}` : posix.relative(posix.dirname(file), path);
  }
}

function otherScheme(scheme: string): LinkVerdict {
  if (scheme === "mailto") return skipped("mailto", "mail addresses are not checked");
  if (scheme === "file") {
    return faulty(
      "other",
      "leaves-repository",
      "The link leads to a file of one machine, so it was not followed.",
      () => "Link to a file of the repository.",
    );
  }
  return skipped("other", `'${scheme}:' is for another program`);
}
