import * as z from "zod";
import { boundedByPlace, pagingShape } from "../../../kernel/bounded.ts";
import { operationsOn } from "../../../kernel/operation.ts";
import { counted } from "../../../text/counted.ts";
import { visible } from "../../../text/visible.ts";
import { type ContentReport, checkContent, missingKinds } from "../content-check.ts";
import { type ContentIssue, shownIssue } from "../content-issue.ts";
import { pagesAt } from "../doc-pages.ts";
import { answering, envelope, partialLine, partially, told } from "../envelope.ts";
import { otherManagerIssues } from "../install-commands.ts";
import type { RepositoryState } from "../state.ts";

const operation = operationsOn<RepositoryState>();

const pathInput = z.string().min(1).describe("Folder or page").meta({ path: true });

const includeCodeValidation = z
  .boolean()
  .default(true)
  .meta({ says: "Look at blocks of code too" });

/** One form for both: what is wrong, page by page. */
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

/** Warnings are for people to weigh. */
const hasFailed = ({ data }: { data: Record<string, unknown> }): boolean => data.errors !== 0;

const validateContent = operation({
  name: "validate_content",
  title: "Check pages",
  summary:
    "Check links, code blocks, and the files and scripts that pages name. Each finding has file, line, evidence and a remedy.",
  input: z.object({
    contentPath: pathInput,
    validationType: z
      .enum(["links", "code", "references", "all"])
      .default("all")
      .meta({ says: "What to look at" }),
    includeCodeValidation,
    followExternalLinks: z.boolean().default(false).describe("Only where a person allows it"),
    ...pagingShape,
  }),
  output: envelope(z.looseObject({ ...Issues })),
  effect: "reads",
  network: true,
  expose: { mcp: true, http: "POST /repository/content", cli: "repository content <contentPath>" },
  example: { contentPath: "handbook" },
  run: answering(async (input, state, call) => {
    const { contentPath, validationType: asked, followExternalLinks } = input;
    const documentation = await pagesAt(state, contentPath, "contentPath", call);
    const isWanted = (kind: typeof asked): boolean => asked === "all" || asked === kind;
    const isOutside = followExternalLinks && state.settings.allowNetwork;
    const report = await checkContent(
      state,
      documentation,
      {
        ...(isWanted("links") && { links: linkOptions(isOutside) }),
        code: isWanted("code") && input.includeCodeValidation,
        references: isWanted("references"),
      },
      call,
    );
    return { data: { ...shown(report, report.issues, input), validationType: asked } };
  }),
  hasFailed,
  present: ({ data, ...said }) => told([...partialLine(data), issueText(data)].join("\n"), said),
});

/** How sure a finding must be to be told. */
const surenesses = { strict: 0, moderate: 0.6, permissive: 0.85 } as const;

const validateDiataxisContent = operation({
  name: "validate_diataxis_content",
  title: "Check documentation by Diátaxis",
  summary:
    "Check whether pages are accurate, complete and of one kind each: tutorial, how-to, reference or explanation.",
  input: z.object({
    contentPath: pathInput,
    analysisId: z.string().optional().meta({ says: "From 'repository analyze'" }),
    validationType: z
      .enum(["accuracy", "completeness", "compliance", "all"])
      .default("all")
      .meta({ says: "What to look at" }),
    includeCodeValidation,
    confidence: z
      .enum(["strict", "moderate", "permissive"])
      .default("moderate")
      .describe("Strict also tells weak findings"),
    ...pagingShape,
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
  run: answering(async (input, state, call) => {
    const { contentPath, analysisId, validationType: asked } = input;
    const facts =
      analysisId === undefined ? undefined : state.analyses.named(analysisId).analysis.facts;
    const documentation = await pagesAt(state, contentPath, "contentPath", call);
    const isWanted = (kind: typeof asked): boolean => asked === "all" || asked === kind;
    const isAccuracy = isWanted("accuracy");
    const report = await checkContent(
      state,
      documentation,
      {
        ...(isAccuracy && { links: linkOptions(false), references: true }),
        code: isAccuracy && input.includeCodeValidation,
        compliance: isWanted("compliance"),
        completeness: isWanted("completeness"),
        ...(isAccuracy &&
          facts && { more: (_file, page) => otherManagerIssues(page, facts.lockfiles) }),
      },
      call,
    );
    const isWhole = documentation.files.length > 1 && report.stoppedAt === undefined;
    const kinds =
      isWanted("completeness") && isWhole ? missingKinds(report, documentation.below || ".") : [];
    const all = [...kinds, ...report.issues.map(inThree)];
    const told = all.filter(({ confidence }) => confidence >= surenesses[input.confidence]);
    const { code } = report;
    return {
      analysisId,
      data: {
        ...shown(report, told, input),
        confidence: confidenceOf(report, told),
        uncertainties: uncertaintiesOf(report, all.length - told.length),
        codeValidation: { ...code, overallSuccess: code.invalid === 0 },
        kinds: report.kinds,
      },
      nextSteps:
        kinds.length > 0
          ? [{ action: "Lay out the missing kinds", toolRequired: "setup_structure" }]
          : [],
    };
  }),
  hasFailed,
  present: ({ data, ...said }) => {
    const sure = data.filesChecked === 0 ? "" : `Confidence ${data.confidence.overall} of 100. `;
    return told([...partialLine(data), sure + issueText(data)].join("\n"), said);
  },
});

const linkOptions = (isOutside: boolean) => ({
  internal: true,
  anchors: true,
  isIgnored: () => false,
  ...(isOutside && { outside: { timeoutMs: 5_000, concurrency: 5, mayAskHost: () => true } }),
});

/** The three questions of this tool hold what the other calls links, code and references. */
const inThree = (issue: ContentIssue): ContentIssue =>
  ["links", "code", "references"].includes(issue.category)
    ? { ...issue, category: "accuracy" }
    : issue;

/** A part of the issues, with what is needed to go on. */
function shown(
  report: ContentReport,
  issues: readonly ContentIssue[],
  { limit, cursor }: { limit: number; cursor?: string | undefined },
) {
  const { items, ...paging } = boundedByPlace(issues, { limit, cursor });
  const count = (type: ContentIssue["type"]): number =>
    issues.filter((one) => one.type === type).length;
  return {
    issues: items.map(shownIssue),
    ...paging,
    filesChecked: report.files,
    errors: count("error"),
    warnings: count("warning"),
    links: report.links,
    code: report.code,
    ...(report.problems.length > 0 && { unreadable: report.problems.slice(0, 50) }),
    ...partially(report.stoppedAt),
  };
}

/** The share of pages, from 0 to 100, on which nothing was found; none where none was checked. */
function confidenceOf({ files }: ContentReport, issues: readonly ContentIssue[]) {
  const share = (category?: ContentIssue["category"]): number => {
    const bad = issues.filter(
      ({ type, rule, category: own }) =>
        type !== "info" && rule !== "missing-kind" && (!category || own === category),
    );
    const pages = new Set(bad.map(({ location }) => location.file)).size;
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

function uncertaintiesOf(report: ContentReport, withheld: number): string[] {
  const { unknown, questions, code, links } = report;
  const unjudged = code.blocks - code.checked;
  return [
    ...(questions > 0 ? [`${counted(questions, "question")} on the pages wait for an answer`] : []),
    ...(unknown.length > 0
      ? [
          `${counted(unknown.length, "page")} of no kind that could be told: ${unknown.slice(0, 10).join(", ")}`,
        ]
      : []),
    ...(unjudged > 0
      ? [`${counted(unjudged, "block")} of code in languages that are not read here`]
      : []),
    ...(links.skipped > 0
      ? [`${counted(links.skipped, "link")} not followed, such as those that lead outside`]
      : []),
    ...(withheld > 0
      ? [`${counted(withheld, "weaker finding")} not told; ask with confidence: strict`]
      : []),
  ];
}

interface Told {
  issues: readonly ContentIssueShown[];
  total: number;
  remaining?: number | undefined;
}

type ContentIssueShown = z.output<typeof Issues.issues>[number];

/** Lines that editors can jump by. */
function issueText({ issues, total, remaining = 0 }: Told): string {
  const lines = issues.map(({ type, location, description, suggestedFix }) =>
    visible(`${location.file}:${location.line}: ${type} ${description} ${suggestedFix ?? ""}`),
  );
  const rest = remaining > 0 ? [`… and ${remaining} more.`] : [];
  return [`${counted(total, "finding")}.`, ...lines, ...rest].join("\n");
}

export const contentOperations = [validateContent, validateDiataxisContent];
