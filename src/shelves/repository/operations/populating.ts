import * as z from "zod";
import { exactText } from "../../../kernel/file-exchange.ts";
import { operationsOn } from "../../../kernel/operation.ts";
import { counted } from "../../../text/counted.ts";
import { askedAnalysis, partialAdvice } from "../asked-analysis.ts";
import { answering, envelope, told } from "../envelope.ts";
import { textOf } from "../file-text.ts";
import { commandsIn } from "../found-commands.ts";
import { versionsIn } from "../found-versions.ts";
import { ssgNames } from "../generators.ts";
import { type KnownPage, populationLevels } from "../known-page.ts";
import { knownPages } from "../known-pages.ts";
import { pageText } from "../page-text.ts";
import type { RepositoryState } from "../state.ts";
import { categories, structureFiles } from "../structure.ts";
import {
  folderToWrite,
  type PlannedFile,
  writeFiles,
  writingInput,
  writtenShape,
  writtenText,
} from "../writing.ts";

const operation = operationsOn<RepositoryState>();

const PageShown = z.object({
  file: z.string(),
  facts: z.int().describe("What was found in the repository"),
  questions: z.int().describe("What only a person knows"),
  preserved: z.boolean().describe("True where the page was there and stayed"),
});

export const populateContent = operation({
  name: "populate_diataxis_content",
  title: "Fill documentation with facts",
  summary:
    "Write pages of what the repository itself says, each fact with its source. What is not known stands there as a question.",
  input: z.object({
    analysisId: z.string().optional().describe("From analyze_repository"),
    path: z.string().optional().describe("Repository, without an analysisId").meta({ path: true }),
    docsPath: z.string().min(1).describe("The documentation's folder").meta({ path: true }),
    populationLevel: z
      .enum(populationLevels)
      .default("comprehensive")
      .meta({ says: "How many pages" }),
    includeProjectSpecific: z.boolean().default(true).describe("False: questions alone"),
    preserveExisting: z.boolean().default(true).describe("Leave pages that are there"),
    technologyFocus: z.array(z.string()).max(50).default([]).describe("Tools to look for"),
    ...writingInput,
  }),
  output: envelope(
    z.object({
      docsPath: z.string(),
      populationLevel: z.enum(populationLevels),
      pages: z.array(PageShown),
      metrics: z.object({
        coverage: z.int().describe("Kinds of documentation with a fact, in percent"),
        completeness: z.int().describe("Facts among facts and questions, in percent"),
        projectSpecificity: z.int().describe("Pages with a fact, in percent"),
      }),
      ...writtenShape,
    }),
  ),
  effect: "writes",
  expose: {
    mcp: true,
    http: "POST /repository/populate",
    cli: "repository populate <docsPath> [path]",
  },
  example: { path: ".", docsPath: "docs" },
  run: answering(async (input, state, call) => {
    const { docsPath, populationLevel: level, technologyFocus, dry_run, overwrite } = input;
    const depth = level === "intelligent" ? "deep" : "standard";
    const { analysis, root: repository } = await askedAnalysis(state, input, call, depth);
    const { root, below } = folderToWrite(state.boundary, docsPath);
    const manager = analysis.facts.package_managers.find((name) => /^(pnpm|yarn|bun)$/.test(name));
    const commands = commandsIn(state.boundary, repository, manager);
    const versions = versionsIn(state.boundary, repository);
    const all = knownPages({ analysis, commands, versions, level, technologyFocus });
    const pages = input.includeProjectSpecific ? all : all.map(withoutFacts);
    const planned = pages.map((page) => {
      const present = textOf(state.boundary, root, below + page.file);
      const isOurs = present !== undefined && isUntouched(page.file, present);
      const isKept = present !== undefined && !isOurs && input.preserveExisting;
      const text = pageText(page, present);
      const before = isOurs ? exactText(state.boundary, root, below + page.file) : undefined;
      const plan: PlannedFile = { file: page.file, text, ...(before !== undefined && { before }) };
      return { page, plan, isKept };
    });
    const files = planned.filter(({ isKept }) => !isKept).map(({ plan }) => plan);
    const summary = `Filled documentation from the analysis ${analysis.id}`;
    const written = writeFiles(
      state,
      {
        root,
        below,
        files,
        operation: "populate_diataxis_content",
        summary,
        dry_run,
        overwrite,
      },
      call,
    );
    const shown = planned.map(({ page, isKept }) => ({ ...counts(page), preserved: isKept }));
    return {
      analysisId: analysis.id,
      data: {
        docsPath,
        populationLevel: level,
        pages: shown,
        metrics: metricsOf(shown),
        ...written,
      },
      recommendations: [
        ...partialAdvice(analysis),
        {
          type: "info",
          title: "Questions are for people",
          description: "Answer each line that begins with Question, or take it out.",
        },
      ],
      nextSteps: [
        ...(analysis.symbols
          ? []
          : [
              {
                action: "Find the public symbols for a reference of the code",
                toolRequired: "analyze_repository",
                description: "with depth deep, and fill again",
              },
            ]),
        { action: "Check the pages", toolRequired: "validate_diataxis_content" },
      ],
    };
  }),
  present({ data, ...said }) {
    const facts = data.pages.reduce((sum, page) => sum + page.facts, 0);
    const questions = data.pages.reduce((sum, page) => sum + page.questions, 0);
    const preserved = data.pages.filter((page) => page.preserved);
    const kept = preserved.map(({ file }) => `  preserved  ${file}`);
    const head = `${counted(facts, "fact")} and ${counted(questions, "question")}.`;
    return told([head, ...kept, writtenText(data)].join("\n"), said);
  },
});

const withoutFacts = (page: KnownPage): KnownPage => ({
  ...page,
  sections: page.sections.map((section) => ({
    ...section,
    facts: [],
    questions:
      section.facts.length > 0 && section.questions.length === 0
        ? [`What belongs under ${section.heading}?`]
        : section.questions,
  })),
});

/** An example that setup_structure wrote and nobody changed since is nobody's work. */
const isUntouched = (file: string, text: string): boolean =>
  ssgNames.some((ssg) =>
    structureFiles(ssg, true).some((page) => page.file === file && page.text === text),
  );

const counts = ({ file, sections }: KnownPage) => ({
  file,
  facts: sections.reduce((sum, { facts }) => sum + facts.length, 0),
  questions: sections.reduce((sum, { questions }) => sum + questions.length, 0),
});

function metricsOf(pages: readonly { file: string; facts: number; questions: number }[]) {
  const facts = pages.reduce((sum, page) => sum + page.facts, 0);
  const questions = pages.reduce((sum, page) => sum + page.questions, 0);
  const withFacts = pages.filter((page) => page.facts > 0);
  const covered = categories.filter(({ folder }) =>
    withFacts.some(({ file }) => file.startsWith(`${folder}/`)),
  );
  const percent = (part: number, whole: number) => Math.round((100 * part) / Math.max(whole, 1));
  return {
    coverage: percent(covered.length, categories.length),
    completeness: percent(facts, facts + questions),
    projectSpecificity: percent(withFacts.length, pages.length),
  };
}
