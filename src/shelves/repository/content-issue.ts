import type { PageHeading } from "../../text/markdown/page.ts";

/** Something that is wrong with a page, or looks so. A type, since an answer may hold more fields. */
export type ContentIssue = {
  type: "error" | "warning" | "info";
  category: "accuracy" | "completeness" | "compliance" | "links" | "code" | "references";
  rule: string;
  location: { file: string; line: number; section?: string };
  description: string;
  /** What was seen there. */
  evidence: string;
  /** A function where it takes long to find, so that it is found only for what is shown. */
  suggestedFix: string | (() => string);
  /** From 0 to 1. */
  confidence: number;
};

/** What is said of a place on a page; file and section are filled in by `placed`. */
export type PageIssue = Omit<ContentIssue, "location"> & { line: number };

/** What is the same wherever a rule is broken. */
export interface ContentRule {
  type: ContentIssue["type"];
  confidence: number;
  suggestedFix: string;
}

/** Makes issues of one category from a table of its rules. */
export const issuesBy =
  <Rule extends string>(
    category: ContentIssue["category"],
    rules: Readonly<Record<Rule, ContentRule>>,
  ) =>
  (
    rule: Rule,
    found: { line: number; description: string; evidence: string; suggestedFix?: string },
  ): PageIssue => ({ category, rule, ...rules[rule], ...found });

/** Puts issues of one page in the order of its lines, each with the heading that it stands under. */
export function placed(
  file: string,
  headings: readonly PageHeading[],
  issues: readonly PageIssue[],
): ContentIssue[] {
  let above = 0;
  return [...issues]
    .sort((a, b) => a.line - b.line)
    .map(({ line, ...issue }) => {
      while ((headings[above]?.line ?? Number.POSITIVE_INFINITY) <= line) above++;
      const section = headings[above - 1]?.title;
      return { ...issue, location: { file, line, ...(section !== undefined && { section }) } };
    });
}

/** As it is told. */
export const shownIssue = ({ suggestedFix, ...issue }: ContentIssue) => ({
  ...issue,
  suggestedFix: typeof suggestedFix === "string" ? suggestedFix : suggestedFix(),
});
