import * as z from "zod";
import { readExactText } from "../../../kernel/files/file-changes.ts";
import { operationsFor } from "../../../kernel/operation.ts";
import { pluralise } from "../../../text/strings/pluralise.ts";
import { partialAdvice, resolveAnalysis } from "../analysis/resolve-analysis.ts";
import { envelope, renderResult, withEnvelope } from "../envelope.ts";
import {
  type PlannedFile,
  renderWriteResult,
  resolveOutputFolder,
  writeFiles,
  writeOptionsShape,
  writeResultShape,
} from "../files/file-writer.ts";
import { diataxisCategories, diataxisFiles } from "../pages/diataxis-structure.ts";
import { type DraftPage, populationLevels, renderDraftPage } from "../pages/draft-page.ts";
import { createDraftPages } from "../pages/draft-pages.ts";
import { listDeclaredCommands } from "../repo/declared-commands.ts";
import { listDeclaredVersions } from "../repo/declared-versions.ts";
import { readRepositoryText } from "../repo/file-text.ts";
import { ssgNames } from "../sites/site-generators.ts";
import type { RepositoryState } from "../state.ts";

const operation = operationsFor<RepositoryState>();

const pageOutput = z.object({
  file: z.string(),
  facts: z.int().describe("Number of facts found in the repository"),
  questions: z.int().describe("Number of questions for a person"),
  preserved: z.boolean().describe("True if an existing page was kept"),
});

export const populateContent = operation({
  name: "populate_diataxis_content",
  title: "Fill documentation with facts",
  summary:
    "Write pages of facts from the repository, each with its source. Unknown information becomes a question.",
  input: z.object({
    analysisId: z.string().optional().describe("From analyze_repository"),
    path: z.string().optional().describe("Repository, without an analysisId").meta({ path: true }),
    docsPath: z.string().min(1).describe("The documentation's folder").meta({ path: true }),
    populationLevel: z
      .enum(populationLevels)
      .default("comprehensive")
      .meta({ help: "How many pages" }),
    includeProjectSpecific: z.boolean().default(true).describe("false: questions only"),
    preserveExisting: z.boolean().default(true).describe("Keep existing pages"),
    technologyFocus: z.array(z.string()).max(50).default([]).describe("Tools to look for"),
    ...writeOptionsShape,
  }),
  output: envelope(
    z.object({
      docsPath: z.string(),
      populationLevel: z.enum(populationLevels),
      pages: z.array(pageOutput),
      metrics: z.object({
        coverage: z.int().describe("Kinds of documentation with a fact, in percent"),
        completeness: z.int().describe("Facts among facts and questions, in percent"),
        projectSpecificity: z.int().describe("Pages with a fact, in percent"),
      }),
      ...writeResultShape,
    }),
  ),
  effect: "writes",
  expose: {
    mcp: true,
    http: "POST /repository/populate",
    cli: "repository populate <docsPath> [path]",
  },
  example: { path: ".", docsPath: "docs" },
  run: withEnvelope(async (input, state, call) => {
    const { docsPath, populationLevel: level, technologyFocus, dry_run, overwrite } = input;
    const depth = level === "intelligent" ? "deep" : "standard";
    const { analysis, root: repository } = await resolveAnalysis(state, input, call, depth);
    const { root, below } = resolveOutputFolder(state.boundary, docsPath);
    const manager = analysis.facts.package_managers.find((name) => /^(pnpm|yarn|bun)$/.test(name));
    const commands = listDeclaredCommands(state.boundary, repository, manager);
    const versions = listDeclaredVersions(state.boundary, repository);
    const all = createDraftPages({ analysis, commands, versions, level, technologyFocus });
    const pages = input.includeProjectSpecific ? all : all.map(withoutFacts);
    const planned = pages.map((page) => {
      const currentText = readRepositoryText(state.boundary, root, below + page.file);
      const isUnedited = currentText !== undefined && isUnchangedExample(page.file, currentText);
      const isPreserved = currentText !== undefined && !isUnedited && input.preserveExisting;
      const text = renderDraftPage(page, currentText);
      const before = isUnedited
        ? readExactText(state.boundary, root, below + page.file)
        : undefined;
      const plan: PlannedFile = { file: page.file, text, ...(before !== undefined && { before }) };
      return { page, plan, isKept: isPreserved };
    });
    const files = planned.filter(({ isKept: isPreserved }) => !isPreserved).map(({ plan }) => plan);
    const summary = `Populated documentation from the analysis ${analysis.id}`;
    const written = await writeFiles(
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
    const pageOutputs = planned.map(({ page, isKept: isPreserved }) => ({
      ...countFacts(page),
      preserved: isPreserved,
    }));
    return {
      analysisId: analysis.id,
      data: {
        docsPath,
        populationLevel: level,
        pages: pageOutputs,
        metrics: populationMetrics(pageOutputs),
        ...written,
      },
      recommendations: [
        ...partialAdvice(analysis),
        {
          type: "info",
          title: "Questions are for people",
          description: "Answer each line that starts with Question, or remove it.",
        },
      ],
      nextSteps: [
        ...(analysis.symbols
          ? []
          : [
              {
                action: "Find the public symbols for a code reference",
                toolRequired: "analyze_repository",
                description: "with depth deep, then populate again",
              },
            ]),
        { action: "Check the pages", toolRequired: "validate_diataxis_content" },
      ],
    };
  }),
  present({ data, ...advice }) {
    const facts = data.pages.reduce((sum, page) => sum + page.facts, 0);
    const questions = data.pages.reduce((sum, page) => sum + page.questions, 0);
    const preserved = data.pages.filter((page) => page.preserved);
    const preservedLines = preserved.map(({ file }) => `  preserved  ${file}`);
    const head = `${pluralise(facts, "fact")} and ${pluralise(questions, "question")}.`;
    return renderResult([head, ...preservedLines, renderWriteResult(data)].join("\n"), advice);
  },
});

const withoutFacts = (page: DraftPage): DraftPage => ({
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

/** A page that setup_structure wrote and that was not edited may be replaced. */
const isUnchangedExample = (file: string, text: string): boolean =>
  ssgNames.some((ssg) =>
    diataxisFiles(ssg, true).some((page) => page.file === file && page.text === text),
  );

const countFacts = ({ file, sections }: DraftPage) => ({
  file,
  facts: sections.reduce((sum, { facts }) => sum + facts.length, 0),
  questions: sections.reduce((sum, { questions }) => sum + questions.length, 0),
});

function populationMetrics(pages: readonly { file: string; facts: number; questions: number }[]) {
  const facts = pages.reduce((sum, page) => sum + page.facts, 0);
  const questions = pages.reduce((sum, page) => sum + page.questions, 0);
  const withFacts = pages.filter((page) => page.facts > 0);
  const covered = diataxisCategories.filter(({ folder }) =>
    withFacts.some(({ file }) => file.startsWith(`${folder}/`)),
  );
  const percent = (part: number, whole: number) => Math.round((100 * part) / Math.max(whole, 1));
  return {
    coverage: percent(covered.length, diataxisCategories.length),
    completeness: percent(facts, facts + questions),
    projectSpecificity: percent(withFacts.length, pages.length),
  };
}
