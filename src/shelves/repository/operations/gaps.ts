import * as z from "zod";
import { operationsFor } from "../../../kernel/operation.ts";
import {
  listPageShape,
  pageByOffset,
  pagingInputShape,
} from "../../../kernel/operations/list-page.ts";
import { elementAt } from "../../../text/arrays/element-at.ts";
import { type DiataxisType, diataxisTypes } from "../../../text/software/diataxis.ts";
import { pluralise } from "../../../text/strings/pluralise.ts";
import { toPrintable } from "../../../text/strings/printable.ts";
import { readCodeAndDocs } from "../drift/code-and-docs.ts";
import { resolveDocsScope } from "../drift/docs-scope.ts";
import { findGaps, type Gap, type GapReport, gapDepths } from "../drift/gaps.ts";
import { createSymbolReferences } from "../drift/symbol-references.ts";
import { envelope, partialFields, partialLine, renderResult, withEnvelope } from "../envelope.ts";
import { logOutcome } from "../progress.ts";
import type { RepositoryState } from "../state.ts";

const operation = operationsFor<RepositoryState>();

const gapOutput = z.looseObject({
  symbol: z.string(),
  relatedCode: z.string().describe("file:line"),
  page: z.string().describe("Page that should document it"),
  priority: z.string(),
});

export const detectDocumentationGaps = operation({
  name: "detect_documentation_gaps",
  title: "Find documentation gaps",
  summary:
    "Public symbols that no page mentions, each with file:line and the page that should document it; and which kinds of pages are missing.",
  input: z.object({
    repositoryPath: z.string().min(1).describe("Repository").meta({ path: true }),
    documentationPath: z.string().min(1).optional().describe("Folder of pages; all by default"),
    analysisId: z.string().optional().meta({ help: "From 'repository analyze'" }),
    depth: z
      .enum(gapDepths)
      .default("standard")
      .describe("quick: no methods; comprehensive: also types, constants and comments"),
    ...pagingInputShape,
  }),
  output: envelope(
    z.looseObject({ overallScore: z.int(), gaps: z.array(gapOutput), ...listPageShape }),
  ),
  effect: "reads",
  expose: {
    mcp: true,
    http: "POST /repository/gaps",
    cli: "repository gaps <repositoryPath>",
  },
  example: { repositoryPath: "." },
  run: withEnvelope(async (input, state, call) => {
    const { repositoryPath, documentationPath, analysisId, depth, limit, cursor } = input;
    if (analysisId !== undefined) await state.store.run(state.analyses.get(analysisId));
    const subject = resolveDocsScope(state.boundary, repositoryPath, {
      given: documentationPath,
      parameter: "documentationPath",
    });
    const { inventory, pages, codeScan, stopped_at } = await readCodeAndDocs(state, subject, call);
    const { symbols, problems } = codeScan;
    const references = createSymbolReferences(pages.values(), subject.root, symbols);
    const docsFolder =
      subject.pages || inventory.folders.find((folder) => /^docs?$/i.test(folder)) || "docs";
    const report = await findGaps(symbols, pages, references, { depth, docsFolder });
    const { items, ...paging } = pageByOffset(report.gaps, { limit, cursor });
    logOutcome(call, "Gap detection", stopped_at !== undefined);
    return {
      data: {
        overallScore: overallScore(report),
        gaps: items.map(toGapOutput),
        ...paging,
        strengths: listStrengths(report),
        recommendations: gapPlan(report),
        missingStructure: missingPageTypes(report),
        contentCoverage: contentCoverage(report),
        ...(problems.length > 0 && { unreadable: problems.slice(0, 50) }),
        ...partialFields(stopped_at),
      },
      analysisId,
      // A partial scan does not show what is missing overall.
      nextSteps: stopped_at === undefined ? nextSteps(report) : [],
    };
  }),
  present: ({ data, ...advice }) => {
    const lines = data.gaps.map(({ relatedCode, symbol, page, priority }) =>
      toPrintable(`${relatedCode}: ${priority} ${symbol} belongs on ${page}`),
    );
    const rest = data.remaining === undefined ? [] : [`… and ${data.remaining} more.`];
    const head = `Score ${data.overallScore} of 100, ${pluralise(data.total, "gap")}.`;
    return renderResult([...partialLine(data), head, ...lines, ...rest].join("\n"), advice);
  },
});

function toGapOutput({ symbol, gapType, priority, page, members, decisions }: Gap) {
  const { name, kind, file, line, signature } = symbol;
  const isComment = gapType === "uncommented";
  const verb = page.exists ? "Add it to" : "Write";
  return {
    category: "reference",
    gapType: `${gapType}_${kind}`,
    symbol: name,
    relatedCode: `${file}:${line}`,
    signature: elementAt(signature.split("\n"), 0),
    page: page.file,
    pageExists: page.exists,
    priority,
    description: isComment
      ? `${name} has no comment at its declaration.`
      : `No page mentions the ${kind} ${name}${members > 0 ? ` and ${pluralise(members, "member")} of it` : ""}.`,
    recommendation: isComment ? "Add a comment that says what it is for." : `${verb} ${page.file}.`,
    estimatedEffort: members > 5 ? "large" : members > 0 ? "medium" : "small",
    ...(decisions.length > 0 && {
      decisions: decisions.map(({ page: file, line }) => ({ page: file, line })),
    }),
  };
}

const documentedShare = ({ documented, total }: GapReport): number =>
  total === 0 ? 100 : Math.round((documented / total) * 100);

/** Documented symbols count 75 %, the four kinds of pages 25 %. */
function overallScore(report: GapReport): number {
  const kinds = ((4 - missingPageTypes(report).length) / 4) * 100;
  return Math.round(report.total === 0 ? kinds : documentedShare(report) * 0.75 + kinds * 0.25);
}

const missingPageTypes = ({ pages }: GapReport): DiataxisType[] =>
  diataxisTypes.filter((type) => pages[type] === 0);

const contentCoverage = (report: GapReport) => ({
  symbols: documentedShare(report),
  tutorials: report.pages.tutorial,
  howTo: report.pages["how-to"],
  reference: report.pages.reference,
  explanation: report.pages.explanation,
});

const listStrengths = (report: GapReport): string[] => [
  ...(report.documented > 0
    ? [`Documented: ${report.documented} of ${pluralise(report.total, "public symbol")}.`]
    : []),
  ...diataxisTypes
    .filter((type) => report.pages[type] > 0)
    .map((type) => {
      const pages = pluralise(report.pages[type], `${type} page`);
      return `There ${report.pages[type] === 1 ? "is" : "are"} ${pages}.`;
    }),
];

function gapPlan(report: GapReport) {
  const count = (priority: Gap["priority"]) =>
    report.gaps.filter((gap) => gap.priority === priority).length;
  const entry = (number: number, action: string) => (number > 0 ? [`${action} (${number})`] : []);
  return {
    immediate: entry(count("high"), "Document the main entry points"),
    shortTerm: entry(count("medium"), "Document the other functions and classes"),
    longTerm: [
      ...entry(count("low"), "Document methods, constants and types"),
      ...missingPageTypes(report).map((type) => `Write a first ${type} page`),
    ],
  };
}

const nextSteps = (report: GapReport) => [
  ...(missingPageTypes(report).length > 0
    ? [{ action: "Create pages of the missing kinds", toolRequired: "setup_structure" }]
    : []),
  ...(report.total > 0
    ? [{ action: "Save the symbols to detect changes", toolRequired: "sync_code_to_docs" }]
    : []),
];
