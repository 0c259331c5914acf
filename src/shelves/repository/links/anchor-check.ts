import { lastLineOfFragment } from "../../../text/markdown/link-destination.ts";
import { similarNames } from "../../../text/strings/similar-names.ts";
import type { LinkTarget } from "./link-targets.ts";
import { faultyLink, type LinkVerdict, skippedLink, validLink } from "./link-verdict.ts";

/** Maximum number of names compared for a suggestion. */
export const maxCompared = 5_000;

/** Checks a fragment; `path` is the file it should be in. */
export function checkAnchor(
  path: string,
  target: LinkTarget,
  fragment: string,
  { type, inSite }: { type: "anchor" | "internal"; inSite: boolean },
): LinkVerdict {
  if (target.kind === "opaque") return validLink(type);
  const anchor = fragment.replace(/^user-content-/, "");
  if (target.anchors.has(anchor) || target.anchors.has(fragment)) return validLink(type);
  const line = lastLineOfFragment(fragment);
  if (line !== undefined) {
    if (line >= 1 && line <= target.lines) return validLink(type);
    return faultyLink(
      type,
      "missing-line",
      `'${path}' has only ${target.lines} lines, not ${line}.`,
      () => "Use the current line, or link to a commit.",
    );
  }
  if (target.kind === "code") {
    return faultyLink(
      type,
      "no-anchors-there",
      `'${path}' is not a page, so '#${fragment}' has no target in it.`,
      () => "Link to a line, as in '#L10', or remove the fragment.",
    );
  }
  if (/^(top|fn(ref)?[-:]?\w+)$/i.test(anchor)) return validLink(type);
  if (target.hasOpenHeadings) return skippedLink(type, "the site generator creates headings there");
  if (inSite && target.anchors.hasSimilar(anchor)) return validLink(type);
  const similar = target.anchors.findIgnoringCase(anchor);
  if (similar?.normalize() === anchor.normalize()) return validLink(type);
  if (similar !== undefined) {
    return faultyLink(
      type,
      "wrong-anchor-case",
      `The anchor is spelled '#${similar}'.`,
      () => `Write '#${similar}': not every browser and site accepts '#${fragment}'.`,
    );
  }
  return faultyLink(type, "missing-anchor", `'${path}' has no anchor '#${fragment}'.`, () => {
    const [guess] = similarNames(anchor, target.anchors.all().slice(0, maxCompared), 1);
    return guess === undefined
      ? "Link to one of its headings, or remove the fragment."
      : `Did you mean '#${guess}'?`;
  });
}
