import type { MarkdownPage, PageLink } from "../../../text/markdown/page.ts";
import { pluralise } from "../../../text/strings/pluralise.ts";
import type { ContentIssue } from "../content/content-issue.ts";

/**
 * The result of one check. A type alias rather than an interface, so that it is assignable to
 * output types with more fields.
 */
export type ReadmeCheck = {
  id: string;
  status: "pass" | "warning" | "fail";
  /** Its weight in the score. */
  weight: number;
  line?: number;
  evidence: string;
  recommendation?: string;
};

export interface ReadmeInput {
  lines: readonly string[];
  page: MarkdownPage;
  /** File names in the folder of the README. */
  names: readonly string[];
  /** Issues of links, code and mentions; omitted if the check is incomplete. */
  issues?: readonly ContentIssue[];
}

export const passedCheck = (
  id: string,
  weight: number,
  evidence: string,
  line?: number,
): ReadmeCheck => ({
  id,
  status: "pass",
  weight,
  evidence,
  ...(line !== undefined && { line }),
});

export const failedCheck = (
  id: string,
  weight: number,
  status: "warning" | "fail",
  evidence: string,
  recommendation: string,
  line?: number,
): ReadmeCheck => ({
  id,
  status,
  weight,
  evidence,
  recommendation,
  ...(line !== undefined && { line }),
});

export function issuesCheck(
  { issues }: ReadmeInput,
  category: "links" | "code" | "references",
  weight: number,
  recommendation: string,
): ReadmeCheck | undefined {
  const found = issues?.filter((issue) => issue.category === category);
  if (!found) return undefined;
  const [first] = found;
  if (!first) return passedCheck(category, weight, "no problems found");
  const hasError = found.some(({ type }) => type === "error");
  const evidence = `${pluralise(found.length, "finding")}, the first: ${first.description}`;
  return failedCheck(
    category,
    weight,
    hasError ? "fail" : "warning",
    evidence,
    recommendation,
    first.location.line,
  );
}

export const findImages = ({ links }: MarkdownPage): PageLink[] =>
  links.filter(({ kind, written }) => kind === "image" || /^<img\b/i.test(written));

export function imageAltCheck({ page }: ReadmeInput): ReadmeCheck | undefined {
  const images = findImages(page);
  if (images.length === 0) return undefined;
  const undescribed = images.find(
    ({ written }) =>
      /^!\[\s*\]/.test(written) ||
      (/^<img\b/i.test(written) && !/\balt\s*=/i.test(written) && written.endsWith(">")),
  );
  if (!undescribed)
    return passedCheck(
      "pictures",
      1,
      `${pluralise(images.length, "picture")}, each with a description`,
    );
  return failedCheck(
    "pictures",
    1,
    "warning",
    undescribed.written,
    "Describe the picture in the brackets.",
    undescribed.line,
  );
}

export function headingCheck({ page }: ReadmeInput): ReadmeCheck {
  const skipped = page.headings.find(
    ({ depth }, index) => index > 0 && depth > (page.headings[index - 1]?.depth ?? 1) + 1,
  );
  if (!skipped) return passedCheck("headings", 1, pluralise(page.headings.length, "heading"));
  return failedCheck(
    "headings",
    1,
    "warning",
    `'${skipped.title}' has level ${skipped.depth}`,
    "Do not skip heading levels.",
    skipped.line,
  );
}

/** Above this length a README needs a table of contents. */
const maxLinesWithoutContents = 300;

export function lengthCheck({ page, lines }: ReadmeInput): ReadmeCheck {
  const contentsLinks = page.links.filter(({ destination }) => destination?.startsWith("#")).length;
  if (lines.length <= maxLinesWithoutContents || contentsLinks >= 3)
    return passedCheck("length", 1, pluralise(lines.length, "line"));
  return failedCheck(
    "length",
    1,
    "warning",
    `${lines.length} lines without a table of contents`,
    "List the sections at the top, or move some to separate pages.",
  );
}
