import { deploy, gettingStarted, runTests } from "./known-guides.ts";
import { type Known, type KnownPage, manifestOf, section } from "./known-page.ts";
import { commandPage, project, symbolPage } from "./known-reference.ts";
import { escaped, inCode } from "./written-values.ts";

/** The pages for a level; every sentence in them is either a fact of the repository or a question. */
export function knownPages(known: Known): KnownPage[] {
  const { level, analysis } = known;
  return [
    gettingStarted(known),
    ...(level === "basic" ? [] : [runTests(known), deploy(known)]),
    project(known),
    ...(level === "basic" || known.commands.length === 0 ? [] : [commandPage(known)]),
    ...(level === "intelligent" || analysis.symbols ? [symbolPage(known)] : []),
    ...(level === "basic" ? [] : [architecture(known)]),
  ];
}

function architecture({ analysis }: Known): KnownPage {
  const { facts, adrFolders } = analysis;
  return {
    file: "explanation/architecture-overview.md",
    title: "Architecture",
    sections: [
      section(
        "The parts",
        [
          ...facts.packages.slice(0, 100).map((path) => ({
            words: `${inCode(path)} is a package of its own.`,
            source: escaped(facts.workspace_tool[0] ?? "the analysis"),
          })),
          ...facts.frameworks.map((name) => ({
            words: `It uses ${escaped(name)}.`,
            source: manifestOf(analysis),
          })),
        ],
        "What is each part for?",
      ),
      section("How they work together", [], "What happens from a request to its answer?"),
      section(
        "Why so",
        adrFolders.map((folder) => ({
          words: `Decisions are recorded in ${inCode(folder)}.`,
          source: inCode(folder),
        })),
        adrFolders.length === 0 && "Which decisions shaped it, and what did they cost?",
      ),
    ],
  };
}
