import { escapeMarkdown, toInlineCode } from "../files/escaped-text.ts";
import { type DraftInput, type DraftPage, draftSection, manifestSource } from "./draft-page.ts";
import { deploymentPage, gettingStartedPage, testingPage } from "./guide-drafts.ts";
import { apiPage, commandsPage, projectPage } from "./reference-drafts.ts";

/** The pages of a level. Every sentence is either a fact of the repository or a question. */
export function createDraftPages(input: DraftInput): DraftPage[] {
  const { level, analysis } = input;
  return [
    gettingStartedPage(input),
    ...(level === "basic" ? [] : [testingPage(input), deploymentPage(input)]),
    projectPage(input),
    ...(level === "basic" || input.commands.length === 0 ? [] : [commandsPage(input)]),
    ...(level === "intelligent" || analysis.symbols ? [apiPage(input)] : []),
    ...(level === "basic" ? [] : [architecturePage(input)]),
  ];
}

function architecturePage({ analysis }: DraftInput): DraftPage {
  const { facts, adrFolders } = analysis;
  return {
    file: "explanation/architecture-overview.md",
    title: "Architecture",
    sections: [
      draftSection(
        "The parts",
        [
          ...facts.packages.slice(0, 100).map((path) => ({
            text: `${toInlineCode(path)} is a separate package.`,
            source: escapeMarkdown(facts.workspace_tool[0] ?? "the analysis"),
          })),
          ...facts.frameworks.map((name) => ({
            text: `It uses ${escapeMarkdown(name)}.`,
            source: manifestSource(analysis),
          })),
        ],
        "What is each part for?",
      ),
      draftSection("How they work together", [], "What happens from a request to its answer?"),
      draftSection(
        "Rationale",
        adrFolders.map((folder) => ({
          text: `Decisions are recorded in ${toInlineCode(folder)}.`,
          source: toInlineCode(folder),
        })),
        adrFolders.length === 0 && "Which decisions shaped it, and what did they cost?",
      ),
    ],
  };
}
