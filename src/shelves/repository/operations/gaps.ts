import * as z from "zod";
import { boundedByPlace, boundedShape, pagingShape } from "../../../kernel/bounded.ts";
import { operationsOn } from "../../../kernel/operation.ts";
import { counted } from "../../../text/counted.ts";
import { type DiataxisType, diataxisTypes } from "../../../text/diataxis.ts";
import { visible } from "../../../text/visible.ts";
import { codeAndPages } from "../code-and-pages.ts";
import { answering, envelope, partialLine, partially, told } from "../envelope.ts";
import { type Gap, type GapReport, gapDepths, gapsIn } from "../gaps.ts";
import { logEnd } from "../long-work.ts";
import { openReferences } from "../references.ts";
import type { RepositoryState } from "../state.ts";
import { subjectOf } from "../subject.ts";

const operation = operationsOn<RepositoryState>();

const ShownGap = z.looseObject({
  symbol: z.string(),
  relatedCode: z.string().describe("file:line"),
  page: z.string().describe("Where it belongs"),
  priority: z.string(),
});

export const detectDocumentationGaps = operation({
  name: "detect_documentation_gaps",
  title: "Find what is not documented",
  summary:
    "Public symbols that no page speaks of, each with file:line and the page that should hold it; and which kinds of pages are missing.",
  input: z.object({
    repositoryPath: z.string().min(1).describe("Repository").meta({ path: true }),
    documentationPath: z.string().min(1).optional().describe("Folder of pages; all by default"),
    analysisId: z.string().optional().meta({ says: "From 'repository analyze'" }),
    depth: z
      .enum(gapDepths)
      .default("standard")
      .describe("quick: no methods; comprehensive: also types, constants and comments"),
    ...pagingShape,
  }),
  output: envelope(
    z.looseObject({ overallScore: z.int(), gaps: z.array(ShownGap), ...boundedShape }),
  ),
  effect: "reads",
  expose: {
    mcp: true,
    http: "POST /repository/gaps",
    cli: "repository gaps <repositoryPath>",
  },
  example: { repositoryPath: "." },
  run: answering(async (input, state, call) => {
    const { repositoryPath, documentationPath, analysisId, depth, limit, cursor } = input;
    if (analysisId !== undefined) state.analyses.named(analysisId);
    const subject = subjectOf(state.boundary, repositoryPath, {
      given: documentationPath,
      parameter: "documentationPath",
    });
    const { survey, pages, offered, stopped_at } = await codeAndPages(state, subject, call);
    const { symbols, problems } = offered;
    const references = openReferences(pages.values(), subject.root, symbols);
    const docsFolder =
      subject.pages || survey.folders.find((folder) => /^docs?$/i.test(folder)) || "docs";
    const report = await gapsIn(symbols, pages, references, { depth, docsFolder });
    const { items, ...paging } = boundedByPlace(report.gaps, { limit, cursor });
    logEnd(call, "Gap detection", stopped_at !== undefined);
    return {
      data: {
        overallScore: scoreOf(report),
        gaps: items.map(shownGap),
        ...paging,
        strengths: strengthsOf(report),
        recommendations: plansOf(report),
        missingStructure: missingKinds(report),
        contentCoverage: coverageOf(report),
        ...(problems.length > 0 && { unreadable: problems.slice(0, 50) }),
        ...partially(stopped_at),
      },
      analysisId,
      // A part does not show what is missing from the whole.
      nextSteps: stopped_at === undefined ? nextSteps(report) : [],
    };
  }),
  present: ({ data, ...said }) => {
    const lines = data.gaps.map(({ relatedCode, symbol, page, priority }) =>
      visible(`${relatedCode}: ${priority} ${symbol} belongs on ${page}`),
    );
    const rest = data.remaining === undefined ? [] : [`… and ${data.remaining} more.`];
    const head = `Score ${data.overallScore} of 100, ${counted(data.total, "gap")}.`;
    return told([...partialLine(data), head, ...lines, ...rest].join("\n"), said);
  },
});

function shownGap({ symbol, gapType, priority, page, members, decisions }: Gap) {
  const { name, kind, file, line, signature } = symbol;
  const isComment = gapType === "uncommented";
  const verb = page.exists ? "Add it to" : "Write";
  return {
    category: "reference",
    gapType: `${gapType}_${kind}`,
    symbol: name,
    relatedCode: `${file}:${line}`,
    signature: signature.split("\n")[0] ?? "",
    page: page.file,
    pageExists: page.exists,
    priority,
    description: isComment
      ? `${name} has no comment where it is declared.`
      : `No page speaks of the ${kind} ${name}${members > 0 ? ` and ${counted(members, "member")} of it` : ""}.`,
    recommendation: isComment ? "Say above it what it is for." : `${verb} ${page.file}.`,
    estimatedEffort: members > 5 ? "large" : members > 0 ? "medium" : "small",
    ...(decisions.length > 0 && {
      decisions: decisions.map(({ page: file, line }) => ({ page: file, line })),
    }),
  };
}

const shareOf = ({ documented, total }: GapReport): number =>
  total === 0 ? 100 : Math.round((documented / total) * 100);

/** Three parts for symbols on pages, one for having all four kinds of pages. */
function scoreOf(report: GapReport): number {
  const kinds = ((4 - missingKinds(report).length) / 4) * 100;
  return Math.round(report.total === 0 ? kinds : shareOf(report) * 0.75 + kinds * 0.25);
}

const missingKinds = ({ pages }: GapReport): DiataxisType[] =>
  diataxisTypes.filter((type) => pages[type] === 0);

const coverageOf = (report: GapReport) => ({
  symbols: shareOf(report),
  tutorials: report.pages.tutorial,
  howTo: report.pages["how-to"],
  reference: report.pages.reference,
  explanation: report.pages.explanation,
});

const strengthsOf = (report: GapReport): string[] => [
  ...(report.documented > 0
    ? [`Documented: ${report.documented} of ${counted(report.total, "public symbol")}.`]
    : []),
  ...diataxisTypes
    .filter((type) => report.pages[type] > 0)
    .map((type) => {
      const pages = counted(report.pages[type], `${type} page`);
      return `There ${report.pages[type] === 1 ? "is" : "are"} ${pages}.`;
    }),
];

function plansOf(report: GapReport) {
  const count = (priority: Gap["priority"]) =>
    report.gaps.filter((gap) => gap.priority === priority).length;
  const plan = (number: number, words: string) => (number > 0 ? [`${words} (${number})`] : []);
  return {
    immediate: plan(count("high"), "Document what others meet first"),
    shortTerm: plan(count("medium"), "Document the other functions and classes"),
    longTerm: [
      ...plan(count("low"), "Document methods, constants and types"),
      ...missingKinds(report).map((type) => `Write a first ${type} page`),
    ],
  };
}

const nextSteps = (report: GapReport) => [
  ...(missingKinds(report).length > 0
    ? [{ action: "Lay out the missing kinds of pages", toolRequired: "setup_structure" }]
    : []),
  ...(report.total > 0
    ? [{ action: "Remember the symbols, to hear of changes", toolRequired: "sync_code_to_docs" }]
    : []),
];
