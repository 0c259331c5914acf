import type { Runtime } from "../../../kernel/runtime/runtime.ts";
import { parseMarkdownPage } from "../../../text/markdown/page.ts";
import {
  classifyDiataxis,
  type DiataxisType,
  diataxisTypes,
} from "../../../text/software/diataxis.ts";
import { type CheckedLink, checkLinks, type LinkOptions } from "../links/link-check.ts";
import { isOpenQuestion } from "../pages/open-question.ts";
import { type PageProblem, type PageSet, visitPages } from "../pages/page-set.ts";
import { subtask, type TaskContext } from "../progress.ts";
import { createRepoTree } from "../repo/repo-tree.ts";
import { detectDocsSite, markdownFlavour } from "../sites/docs-site.ts";
import { type CodeBlockCounts, codeIssues } from "./code-blocks.ts";
import { completenessIssues } from "./completeness.ts";
import { type ContentIssue, locateIssues, type PageIssue } from "./content-issue.ts";
import { isIndexPage, pageKindIssues } from "./page-kind.ts";
import { findMentionTargets, mentionIssues } from "./path-mentions.ts";

/** The checks to run. */
export interface ContentChecks {
  links?: LinkOptions;
  code?: boolean;
  references?: boolean;
  compliance?: boolean;
  completeness?: boolean;
  /** An additional check of the caller. */
  extraCheck?: (file: string, page: ReturnType<typeof parseMarkdownPage>) => PageIssue[];
}

export interface ContentReport {
  /** Sorted by file and line. */
  issues: ContentIssue[];
  files: number;
  code: CodeBlockCounts;
  links: { total: number; broken: number; skipped: number };
  /** Number of pages by kind. */
  kinds: Record<DiataxisType | "unknown", number>;
  /** Pages of unknown kind, except index pages. */
  unclassifiedPages: string[];
  /** Number of lines that ask the author for missing text. */
  openQuestions: number;
  problems: PageProblem[];
  stoppedAt: string | undefined;
}

/** Checks pages in two passes: one for everything visible on the page itself, one for links. */
export async function checkContent(
  runtime: Pick<Runtime, "boundary">,
  documentation: PageSet,
  aspects: ContentChecks,
  call: TaskContext,
): Promise<ContentReport> {
  const passes = { parts: aspects.links ? 2 : 1, size: documentation.files.length };
  const yaml = await import("yaml");
  const code: CodeBlockCounts = { blocks: 0, checked: 0, invalid: 0 };
  const kinds = { tutorial: 0, "how-to": 0, reference: 0, explanation: 0, unknown: 0 };
  const unclassifiedPages: string[] = [];
  const problems: PageProblem[] = [];
  const repoTree = createRepoTree(documentation.root, runtime.boundary);
  const site = detectDocsSite(runtime.boundary, repoTree, documentation.relativeFolder);
  const mentionTargets = aspects.references
    ? await findMentionTargets(runtime.boundary, repoTree, call)
    : undefined;
  let issues: ContentIssue[] = [];
  let [files, openQuestions] = [0, 0];
  let stoppedAt = await visitPages(
    runtime,
    documentation,
    subtask(call, { part: 0, ...passes }),
    ({ file, lines }) => {
      const page = parseMarkdownPage(lines, markdownFlavour(file, site));
      const { type } = classifyDiataxis(file, lines);
      kinds[type]++;
      files++;
      openQuestions += lines.filter(isOpenQuestion).length;
      if (type === "unknown" && !isIndexPage(file)) unclassifiedPages.push(file);
      const pageIssues = locateIssues(file, page.headings, [
        ...(aspects.code ? codeIssues(page, code, yaml) : []),
        ...(mentionTargets ? mentionIssues(file, page, mentionTargets) : []),
        ...(aspects.compliance ? pageKindIssues(file, lines, page) : []),
        ...(aspects.completeness ? completenessIssues(page) : []),
        ...(aspects.extraCheck?.(file, page) ?? []),
      ]);
      for (const issue of pageIssues) issues.push(issue);
    },
    (problem) => problems.push(problem),
  );
  const links = { total: 0, broken: 0, skipped: 0 };
  if (aspects.links && stoppedAt === undefined) {
    const pass = subtask(call, { part: 1, ...passes });
    const report = await checkLinks(runtime, documentation, aspects.links, pass);
    stoppedAt = report.stoppedAt;
    links.total = report.links.length;
    links.broken = report.links.filter(({ verdict }) => verdict.status === "broken").length;
    links.skipped = report.links.filter(({ verdict }) => verdict.status === "skipped").length;
    issues = [...issues, ...report.links.flatMap(toLinkIssues)].sort(
      (a, b) => compareByFile(a, b) || a.location.line - b.location.line,
    );
  }
  return {
    issues,
    files,
    code,
    links,
    kinds,
    unclassifiedPages,
    openQuestions,
    problems,
    stoppedAt,
  };
}

const compareByFile = (a: ContentIssue, b: ContentIssue): number =>
  a.location.file < b.location.file ? -1 : a.location.file > b.location.file ? 1 : 0;

function toLinkIssues({ file, line, written, verdict }: CheckedLink): ContentIssue[] {
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

/** An issue for each Diátaxis kind without pages. */
export function missingKindIssues({ kinds, files }: ContentReport, folder: string): ContentIssue[] {
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
      suggestedFix: `Write ${kindDescriptions[type]}.`,
      confidence: 0.65,
    }));
}

const kindDescriptions: Record<DiataxisType, string> = {
  tutorial: "a lesson that leads a beginner to a first result",
  "how-to": "a page that solves one task for a reader who knows the goal",
  reference: "a page to look things up, complete and without opinions",
  explanation: "a page that gives the background and the reasons",
};
