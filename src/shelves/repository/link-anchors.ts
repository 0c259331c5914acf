import { lastLineIn } from "../../text/link-destination.ts";
import { nearest } from "../../text/similar-names.ts";
import type { LinkTarget } from "./link-targets.ts";
import { faulty, type LinkVerdict, skipped, valid } from "./link-verdict.ts";

/** More names than this are not compared with one that is wrong. */
export const mostCompared = 5_000;

/** Whether a place behind `#` is there; `path` is the file that holds it, or should. */
export function judgeAnchor(
  path: string,
  target: LinkTarget,
  fragment: string,
  { type, inSite }: { type: "anchor" | "internal"; inSite: boolean },
): LinkVerdict {
  if (target.kind === "opaque") return valid(type);
  const wanted = fragment.replace(/^user-content-/, "");
  if (target.anchors.has(wanted) || target.anchors.has(fragment)) return valid(type);
  const line = lastLineIn(fragment);
  if (line !== undefined) {
    if (line >= 1 && line <= target.lines) return valid(type);
    return faulty(
      type,
      "missing-line",
      `'${path}' has ${target.lines} lines, so no line ${line}.`,
      () => "Give the line as it is now, or link to a commit.",
    );
  }
  if (target.kind === "code") {
    return faulty(
      type,
      "no-anchors-there",
      `'${path}' is no page, so '#${fragment}' names nothing in it.`,
      () => "Name a line, as in '#L10', or leave the part behind '#' out.",
    );
  }
  if (/^(top|fn(ref)?[-:]?\w+)$/i.test(wanted)) return valid(type);
  if (target.hasOpenHeadings) return skipped(type, "the site generator fills in headings there");
  if (inSite && target.anchors.hasLike(wanted)) return valid(type);
  const other = target.anchors.inOtherCase(wanted);
  if (other?.normalize() === wanted.normalize()) return valid(type);
  if (other !== undefined) {
    return faulty(
      type,
      "wrong-anchor-case",
      `The anchor is spelled '#${other}'.`,
      () => `Write '#${other}': not every browser and site takes '#${fragment}' for it.`,
    );
  }
  return faulty(type, "missing-anchor", `'${path}' has no place '#${fragment}'.`, () => {
    const [like] = nearest(wanted, target.anchors.all().slice(0, mostCompared), 1);
    return like === undefined
      ? "Name one of its headings, or leave the part behind '#' out."
      : `Did you mean '#${like}'?`;
  });
}
