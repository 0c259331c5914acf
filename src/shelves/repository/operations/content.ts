import * as z from "zod";
import { operationsFor } from "../../../kernel/operation.ts";
import { pageByOffset, pagingInputShape } from "../../../kernel/operations/list-page.ts";
import { pluralise } from "../../../text/strings/pluralise.ts";
import { toPrintable } from "../../../text/strings/printable.ts";
import { type ContentReport, checkContent, missingKindIssues } from "../content/content-check.ts";
import { type ContentIssue, toIssueOutput } from "../content/content-issue.ts";
import { packageManagerIssues } from "../content/install-commands.ts";
import { envelope, partialFields, partialLine, renderResult, withEnvelope } from "../envelope.ts";
import { requirePages } from "../pages/page-set.ts";
import type { RepositoryState } from "../state.ts";

const operation = operationsFor<RepositoryState>();

const pathInput = z.string().min(1).describe("Folder or page").meta({ path: true });

const includeCodeValidation = z.boolean().default(true).meta({ help: "Check code blocks too" });

/** The output fields of both operations: issues page by page. */
const Issues = {
  issues: z.array(
    z.looseObject({
      type: z.enum(["error", "warning", "info"]),
      location: z.looseObject({ file: z.string(), line: z.int() }),
      description: z.string(),
    }),
  ),
  total: z.int(),
  remaining: z.int().optional(),
  next_cursor: z.string().optional(),
};

/** Warnings do not fail the call. */
const hasFailed = ({ data }: { data: Record<string, unknown> }): boolean => data.errors !== 0;

const validateContent = operation({
  name: "validate_content",
  title: "Check pages",
  summary:
    "Check links, code blocks, and the files and scripts that pages mention. Each finding has file, line, evidence and a fix.",
  input: z.object({
    contentPath: pathInput,
    validationType: z
      .enum(["links", "code", "references", "all"])
      .default("all")
      .meta({ help: "What to check" }),
    includeCodeValidation,
    followExternalLinks: z.boolean().default(false).describe("Only if a person allows it"),
    ...pagingInputShape,
  }),
  output: envelope(z.looseObject({ ...Issues })),
  effect: "reads",
  network: true,
  expose: { mcp: true, http: "POST /repository/content", cli: "repository content <contentPath>" },
  example: { contentPath: "handbook" },
  run: withEnvelope(async (input, state, call) => {
    const { contentPath, validationType: requestedType, followExternalLinks } = input;
    const documentation = await requirePages(state, contentPath, "contentPath", call);
    const includes = (kind: typeof requestedType): boolean =>
      requestedType === "all" || requestedType === kind;
    const checksExternal = followExternalLinks && state.settings.allowNetwork;
    const report = await checkContent(
      state,
      documentation,
      {
        ...(includes("links") && { links: linkOptions(checksExternal) }),
        code: includes("code") && input.includeCodeValidation,
        references: includes("references"),
      },
      call,
    );
    return {
      data: { ...toIssuesData(report, report.issues, input), validationType: requestedType },
    };
  }),
  hasFailed,
  present: ({ data, ...advice }) =>
    renderResult([...partialLine(data), renderIssues(data)].join("\n"), advice),
});

/** The minimum confidence of reported findings. */
const minConfidence = { strict: 0, moderate: 0.6, permissive: 0.85 } as const;

const validateDiataxisContent = operation({
  name: "validate_diataxis_content",
  title: "Check documentation by Diátaxis",
  summary:
    "Check whether pages are accurate, complete and each of one kind: tutorial, how-to, reference or explanation.",
  input: z.object({
    contentPath: pathInput,
    analysisId: z.string().optional().meta({ help: "From 'repository analyze'" }),
    validationType: z
      .enum(["accuracy", "completeness", "compliance", "all"])
      .default("all")
      .meta({ help: "What to check" }),
    includeCodeValidation,
    confidence: z
      .enum(["strict", "moderate", "permissive"])
      .default("moderate")
      .describe("strict also reports weak findings"),
    ...pagingInputShape,
  }),
  output: envelope(
    z.looseObject({
      confidence: z.looseObject({ overall: z.number() }),
      ...Issues,
      uncertainties: z.array(z.string()),
    }),
  ),
  effect: "reads",
  expose: {
    mcp: true,
    http: "POST /repository/diataxis",
    cli: "repository diataxis <contentPath>",
  },
  example: { contentPath: "handbook" },
  run: withEnvelope(async (input, state, call) => {
    const { contentPath, analysisId, validationType: requestedType } = input;
    const stored =
      analysisId === undefined ? undefined : await state.store.run(state.analyses.get(analysisId));
    const facts = stored?.analysis.facts;
    const documentation = await requirePages(state, contentPath, "contentPath", call);
    const includes = (kind: typeof requestedType): boolean =>
      requestedType === "all" || requestedType === kind;
    const checksAccuracy = includes("accuracy");
    const report = await checkContent(
      state,
      documentation,
      {
        ...(checksAccuracy && { links: linkOptions(false), references: true }),
        code: checksAccuracy && input.includeCodeValidation,
        compliance: includes("compliance"),
        completeness: includes("completeness"),
        ...(checksAccuracy &&
          facts && { extraCheck: (_file, page) => packageManagerIssues(page, facts.lockfiles) }),
      },
      call,
    );
    const isComplete = documentation.files.length > 1 && report.stoppedAt === undefined;
    const kinds =
      includes("completeness") && isComplete
        ? missingKindIssues(report, documentation.relativeFolder || ".")
        : [];
    const all = [...kinds, ...report.issues.map(mergeCategories)];
    const reported = all.filter(({ confidence }) => confidence >= minConfidence[input.confidence]);
    const { code } = report;
    return {
      analysisId,
      data: {
        ...toIssuesData(report, reported, input),
        confidence: contentConfidence(report, reported),
        uncertainties: listUncertainties(report, all.length - reported.length),
        codeValidation: { ...code, overallSuccess: code.invalid === 0 },
        kinds: report.kinds,
      },
      nextSteps:
        kinds.length > 0
          ? [{ action: "Create pages of the missing kinds", toolRequired: "setup_structure" }]
          : [],
    };
  }),
  hasFailed,
  present: ({ data, ...advice }) => {
    const confidenceText =
      data.filesChecked === 0 ? "" : `Confidence ${data.confidence.overall} of 100. `;
    return renderResult(
      [...partialLine(data), confidenceText + renderIssues(data)].join("\n"),
      advice,
    );
  },
});

const linkOptions = (checksExternal: boolean) => ({
  internal: true,
  anchors: true,
  isIgnored: () => false,
  ...(checksExternal && {
    outside: { timeoutMs: 5_000, concurrency: 5, isHostAllowed: () => true },
  }),
});

/** This tool reports links, code and references as accuracy. */
const mergeCategories = (issue: ContentIssue): ContentIssue =>
  ["links", "code", "references"].includes(issue.category)
    ? { ...issue, category: "accuracy" }
    : issue;

/** One page of the issues, with its cursor. */
function toIssuesData(
  report: ContentReport,
  issues: readonly ContentIssue[],
  { limit, cursor }: { limit: number; cursor?: string | undefined },
) {
  const { items, ...paging } = pageByOffset(issues, { limit, cursor });
  const count = (type: ContentIssue["type"]): number =>
    issues.filter((one) => one.type === type).length;
  return {
    issues: items.map(toIssueOutput),
    ...paging,
    filesChecked: report.files,
    errors: count("error"),
    warnings: count("warning"),
    links: report.links,
    code: report.code,
    ...(report.problems.length > 0 && { unreadable: report.problems.slice(0, 50) }),
    ...partialFields(report.stoppedAt),
  };
}

/** The percentage of pages without findings; 0 if no page was checked. */
function contentConfidence({ files }: ContentReport, issues: readonly ContentIssue[]) {
  const share = (category?: ContentIssue["category"]): number => {
    const failing = issues.filter(
      ({ type, rule, category: issueCategory }) =>
        type !== "info" && rule !== "missing-kind" && (!category || issueCategory === category),
    );
    const pages = new Set(failing.map(({ location }) => location.file)).size;
    return files === 0 ? 0 : Math.round(100 * (1 - Math.min(pages, files) / files));
  };
  const breakdown = {
    accuracy: share("accuracy"),
    completeness: share("completeness"),
    compliance: share("compliance"),
  };
  if (files === 0) return { overall: 0, breakdown, riskFactors: ["no page was checked"] };
  const riskFactors = Object.entries(breakdown)
    .filter(([, value]) => value < 80)
    .map(([name, value]) => `${name}: ${100 - value} percent of the pages have a finding`);
  return { overall: share(), breakdown, riskFactors };
}

function listUncertainties(report: ContentReport, withheld: number): string[] {
  const { unclassifiedPages, openQuestions, code, links } = report;
  const uncheckedBlocks = code.blocks - code.checked;
  return [
    ...(openQuestions > 0
      ? [`${pluralise(openQuestions, "question")} on the pages are unanswered`]
      : []),
    ...(unclassifiedPages.length > 0
      ? [
          `${pluralise(unclassifiedPages.length, "page")} of unknown kind: ${unclassifiedPages.slice(0, 10).join(", ")}`,
        ]
      : []),
    ...(uncheckedBlocks > 0
      ? [`${pluralise(uncheckedBlocks, "block")} of code in languages that cannot be checked`]
      : []),
    ...(links.skipped > 0
      ? [`${pluralise(links.skipped, "link")} not followed, such as external ones`]
      : []),
    ...(withheld > 0
      ? [`${pluralise(withheld, "weaker finding")} hidden; use confidence: strict to include them`]
      : []),
  ];
}

interface IssueList {
  issues: readonly IssueOutput[];
  total: number;
  remaining?: number | undefined;
}

type IssueOutput = z.output<typeof Issues.issues>[number];

/** Lines in the `file:line:` format that editors can follow. */
function renderIssues({ issues, total, remaining = 0 }: IssueList): string {
  const lines = issues.map(({ type, location, description, suggestedFix }) =>
    toPrintable(`${location.file}:${location.line}: ${type} ${description} ${suggestedFix ?? ""}`),
  );
  const rest = remaining > 0 ? [`… and ${remaining} more.`] : [];
  return [`${pluralise(total, "finding")}.`, ...lines, ...rest].join("\n");
}

export const contentOperations = [validateContent, validateDiataxisContent];
