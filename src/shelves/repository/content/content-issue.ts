import type { PageHeading } from "../../../text/markdown/page.ts";

/**
 * A problem, or a likely problem, of a page. A type alias rather than an interface, so that it is
 * assignable to output types with more fields.
 */
export type ContentIssue = {
  type: "error" | "warning" | "info";
  category: "accuracy" | "completeness" | "compliance" | "links" | "code" | "references";
  rule: string;
  location: { file: string; line: number; section?: string };
  description: string;
  /** The text that shows the problem. */
  evidence: string;
  /**
   * A function if the fix is expensive to find, so that it is computed only for displayed issues.
   */
  suggestedFix: string | (() => string);
  /** From 0 to 1. */
  confidence: number;
};

/** An issue without its file and section, which `locateIssues` adds. */
export type PageIssue = Omit<ContentIssue, "location"> & { line: number };

/** The properties that all issues of a rule share. */
export interface ContentRule {
  type: ContentIssue["type"];
  confidence: number;
  suggestedFix: string;
}

/** Creates issues of one category from a table of its rules. */
export const issueBuilder =
  <Rule extends string>(
    category: ContentIssue["category"],
    rules: Readonly<Record<Rule, ContentRule>>,
  ) =>
  (
    rule: Rule,
    details: { line: number; description: string; evidence: string; suggestedFix?: string },
  ): PageIssue => ({ category, rule, ...rules[rule], ...details });

/** Sorts the issues of a page by line and adds the heading above each. */
export function locateIssues(
  file: string,
  headings: readonly PageHeading[],
  issues: readonly PageIssue[],
): ContentIssue[] {
  let nextHeading = 0;
  return [...issues]
    .sort((a, b) => a.line - b.line)
    .map(({ line, ...issue }) => {
      while ((headings[nextHeading]?.line ?? Number.POSITIVE_INFINITY) <= line) nextHeading++;
      const section = headings[nextHeading - 1]?.title;
      return { ...issue, location: { file, line, ...(section !== undefined && { section }) } };
    });
}

/** The output form of an issue. */
export const toIssueOutput = ({ suggestedFix, ...issue }: ContentIssue) => ({
  ...issue,
  suggestedFix: typeof suggestedFix === "string" ? suggestedFix : suggestedFix(),
});
