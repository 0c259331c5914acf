import { counted } from "../../text/counted.ts";
import type { Page, PageLink } from "../../text/markdown/page.ts";
import { lack, pass, type ReadmeCheck, type ReadmeSight } from "./readme-check.ts";

export function faultCheck(
  { issues }: ReadmeSight,
  category: "links" | "code" | "references",
  weight: number,
  recommendation: string,
): ReadmeCheck | undefined {
  const found = issues?.filter((issue) => issue.category === category);
  if (!found) return undefined;
  const [first] = found;
  if (!first) return pass(category, weight, "nothing wrong was found");
  const isBad = found.some(({ type }) => type === "error");
  const evidence = `${counted(found.length, "finding")}, the first: ${first.description}`;
  return lack(
    category,
    weight,
    isBad ? "fail" : "warning",
    evidence,
    recommendation,
    first.location.line,
  );
}

export const picturesIn = ({ links }: Page): PageLink[] =>
  links.filter(({ kind, written }) => kind === "image" || /^<img\b/i.test(written));

export function pictureCheck({ page }: ReadmeSight): ReadmeCheck | undefined {
  const pictures = picturesIn(page);
  if (pictures.length === 0) return undefined;
  const silent = pictures.find(
    ({ written }) =>
      /^!\[\s*\]/.test(written) ||
      (/^<img\b/i.test(written) && !/\balt\s*=/i.test(written) && written.endsWith(">")),
  );
  if (!silent)
    return pass("pictures", 1, `${counted(pictures.length, "picture")}, each with words`);
  return lack(
    "pictures",
    1,
    "warning",
    silent.written,
    "Say in the brackets what the picture shows.",
    silent.line,
  );
}

export function headingCheck({ page }: ReadmeSight): ReadmeCheck {
  const skipped = page.headings.find(
    ({ depth }, index) => index > 0 && depth > (page.headings[index - 1]?.depth ?? 1) + 1,
  );
  if (!skipped) return pass("headings", 1, counted(page.headings.length, "heading"));
  return lack(
    "headings",
    1,
    "warning",
    `'${skipped.title}' is of level ${skipped.depth}`,
    "Go down one level at a time.",
    skipped.line,
  );
}

/** Longer than this, a reader needs help to find the way. */
const longPage = 300;

export function lengthCheck({ page, lines }: ReadmeSight): ReadmeCheck {
  const inside = page.links.filter(({ destination }) => destination?.startsWith("#")).length;
  if (lines.length <= longPage || inside >= 3)
    return pass("length", 1, counted(lines.length, "line"));
  return lack(
    "length",
    1,
    "warning",
    `${lines.length} lines without a table of contents`,
    "List the sections at the top, or move some to pages of their own.",
  );
}
