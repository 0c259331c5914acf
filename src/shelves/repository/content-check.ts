import type { House } from "../../kernel/house.ts";
import { type DiataxisType, diataxisOf, diataxisTypes } from "../../text/diataxis.ts";
import { readPage } from "../../text/markdown/page.ts";
import { type CodeCount, codeIssues } from "./code-blocks.ts";
import { type ContentIssue, type PageIssue, placed } from "./content-issue.ts";
import { type Documentation, type PageProblem, throughPages } from "./doc-pages.ts";
import { flavourOf, siteOf } from "./docs-site.ts";
import { type CheckedLink, checkLinks, type LinkOptions } from "./link-check.ts";
import { partOf, type Telling } from "./long-work.ts";
import { mentionableIn, mentionIssues } from "./named-files.ts";
import { isQuestion } from "./open-question.ts";
import { gapIssues } from "./page-gaps.ts";
import { isIndex, kindIssues } from "./page-kind.ts";
import { openTree } from "./repository-tree.ts";

/** What is looked at. */
export interface ContentAspects {
  links?: LinkOptions;
  code?: boolean;
  references?: boolean;
  compliance?: boolean;
  completeness?: boolean;
  /** More that a caller knows to ask of a page. */
  more?: (file: string, page: ReturnType<typeof readPage>) => PageIssue[];
}

export interface ContentReport {
  /** In the order of files and lines. */
  issues: ContentIssue[];
  files: number;
  code: CodeCount;
  links: { total: number; broken: number; skipped: number };
  /** Pages of each kind. */
  kinds: Record<DiataxisType | "unknown", number>;
  /** Pages of no kind that could be told, index pages aside. */
  unknown: string[];
  /** Lines that ask for what is missing. */
  questions: number;
  problems: PageProblem[];
  stoppedAt: string | undefined;
}

/** Goes through the pages once for everything that a page shows by itself, and once for links. */
export async function checkContent(
  house: Pick<House, "boundary">,
  documentation: Documentation,
  aspects: ContentAspects,
  call: Telling,
): Promise<ContentReport> {
  const passes = { parts: aspects.links ? 2 : 1, size: documentation.files.length };
  const yaml = await import("yaml");
  const code: CodeCount = { blocks: 0, checked: 0, invalid: 0 };
  const kinds = { tutorial: 0, "how-to": 0, reference: 0, explanation: 0, unknown: 0 };
  const unknown: string[] = [];
  const problems: PageProblem[] = [];
  const tree = openTree(documentation.root, house.boundary);
  const site = siteOf(house.boundary, tree, documentation.below);
  const mentionable = aspects.references
    ? await mentionableIn(house.boundary, tree, call)
    : undefined;
  let issues: ContentIssue[] = [];
  let [files, questions] = [0, 0];
  let stoppedAt = await throughPages(
    house,
    documentation,
    partOf(call, { part: 0, ...passes }),
    ({ file, lines }) => {
      const page = readPage(lines, flavourOf(file, site));
      const { type } = diataxisOf(file, lines);
      kinds[type]++;
      files++;
      questions += lines.filter(isQuestion).length;
      if (type === "unknown" && !isIndex(file)) unknown.push(file);
      const found = placed(file, page.headings, [
        ...(aspects.code ? codeIssues(page, code, yaml) : []),
        ...(mentionable ? mentionIssues(file, page, mentionable) : []),
        ...(aspects.compliance ? kindIssues(file, lines, page) : []),
        ...(aspects.completeness ? gapIssues(page) : []),
        ...(aspects.more?.(file, page) ?? []),
      ]);
      for (const issue of found) issues.push(issue);
    },
    (problem) => problems.push(problem),
  );
  const links = { total: 0, broken: 0, skipped: 0 };
  if (aspects.links && stoppedAt === undefined) {
    const pass = partOf(call, { part: 1, ...passes });
    const report = await checkLinks(house, documentation, aspects.links, pass);
    stoppedAt = report.stoppedAt;
    links.total = report.links.length;
    links.broken = report.links.filter(({ verdict }) => verdict.status === "broken").length;
    links.skipped = report.links.filter(({ verdict }) => verdict.status === "skipped").length;
    issues = [...issues, ...report.links.flatMap(linkIssue)].sort(
      (a, b) => byFile(a, b) || a.location.line - b.location.line,
    );
  }
  return { issues, files, code, links, kinds, unknown, questions, problems, stoppedAt };
}

const byFile = (a: ContentIssue, b: ContentIssue): number =>
  a.location.file < b.location.file ? -1 : a.location.file > b.location.file ? 1 : 0;

function linkIssue({ file, line, written, verdict }: CheckedLink): ContentIssue[] {
  if (!("fault" in verdict)) return [];
  return [
    {
      type: verdict.status === "broken" ? "error" : "warning",
      category: "links",
      rule: verdict.fault,
      location: { file, line },
      description: verdict.message,
      evidence: written,
      suggestedFix: verdict.remedy,
      confidence: verdict.status === "broken" ? 0.95 : 0.6,
    },
  ];
}

/** Kinds of documentation that no page is of. */
export function missingKinds({ kinds, files }: ContentReport, folder: string): ContentIssue[] {
  if (files === 0) return [];
  return diataxisTypes
    .filter((type) => kinds[type] === 0)
    .map((type) => ({
      type: "warning",
      category: "completeness",
      rule: "missing-kind",
      location: { file: folder, line: 1 },
      description: `No page is ${type === "explanation" ? "an" : "a"} ${type}.`,
      evidence: diataxisTypes.map((one) => `${kinds[one]} ${one}`).join(", "),
      suggestedFix: `Write ${purposes[type]}.`,
      confidence: 0.65,
    }));
}

const purposes: Record<DiataxisType, string> = {
  tutorial: "a lesson that leads a beginner to a first result",
  "how-to": "a page that solves one task for somebody who knows the goal",
  reference: "a page to look things up in, complete and without opinions",
  explanation: "a page that says why things are as they are",
};
