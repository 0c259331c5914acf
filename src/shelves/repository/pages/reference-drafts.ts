import type { Analysis } from "../analysis/analysis.ts";
import { escapeMarkdown, toInlineCode } from "../files/escaped-text.ts";
import {
  type DraftInput,
  type DraftPage,
  type DraftSection,
  draftSection,
  toCommandFact,
} from "./draft-page.ts";

export function projectPage({ analysis, technologyFocus }: DraftInput): DraftPage {
  const { facts, manifests } = analysis;
  const bytes = Object.entries(facts.bytes_by_language).sort(([, a], [, b]) => b - a);
  return {
    file: "reference/project.md",
    title: "Project facts",
    sections: [
      draftSection(
        "Packages",
        manifests.slice(0, 200).map(({ file, name, version, description, dependencies }) => ({
          text: [
            name ? toInlineCode(name) : "A package without a name",
            version && ` ${escapeMarkdown(version)}`,
            description && `, "${escapeMarkdown(description)}"`,
            dependencies === 1 ? ", with 1 dependency." : `, with ${dependencies} dependencies.`,
          ]
            .filter(Boolean)
            .join(""),
          source: toInlineCode(file),
        })),
        manifests.length === 0 && "What is this project made of?",
      ),
      draftSection(
        "Languages",
        bytes.slice(0, 20).map(([name, size]) => ({
          text: `${escapeMarkdown(name)}: ${size} bytes.`,
          source: "the sizes of its files",
        })),
      ),
      draftSection(
        "Licence",
        facts.license === null
          ? []
          : [
              {
                text: `${escapeMarkdown(facts.license)}.`,
                source: "the licence file or the manifest",
              },
            ],
        facts.license === null && "Under which licence may it be used?",
      ),
      ...(technologyFocus.length === 0 ? [] : [technologySection(analysis, technologyFocus)]),
    ],
  };
}

function technologySection(
  { facts, dependencies }: Analysis,
  technologies: readonly string[],
): DraftSection {
  const sources: Record<string, readonly string[]> = {
    "the frameworks found": facts.frameworks,
    "the manifest": [...dependencies.packages, ...dependencies.devPackages],
    "the sizes of its files": Object.keys(facts.bytes_by_language),
  };
  const known = technologies.flatMap((technology) => {
    const source = Object.entries(sources).find(([, names]) =>
      names.some((name) => name.toLowerCase() === technology.trim().toLowerCase()),
    );
    return source ? [{ wanted: technology, source: source[0] }] : [];
  });
  const missing = technologies.filter(
    (technology) => !known.some((one) => one.wanted === technology),
  );
  return draftSection(
    "Technology",
    known.map(({ wanted: technology, source }) => ({
      text: `${escapeMarkdown(technology)} is used.`,
      source,
    })),
    ...missing.map(
      (technology) => `${escapeMarkdown(technology)} was not found. Is it used, and where?`,
    ),
  );
}

export const commandsPage = ({ commands }: DraftInput): DraftPage => ({
  file: "reference/commands.md",
  title: "Commands",
  sections: [draftSection("Declared commands", commands.slice(0, 300).map(toCommandFact))],
});

/** A longer page would not be read. */
const maxSymbols = 500;

export function apiPage({ analysis: { symbols = [] } }: DraftInput): DraftPage {
  const listed = symbols.slice(0, maxSymbols);
  const omitted = symbols.length - listed.length;
  return {
    file: "reference/api-documentation.md",
    title: "API",
    sections: [
      draftSection(
        "Public symbols",
        listed.map(({ symbol, kind, file, line }) => ({
          text: `${toInlineCode(symbol)}, a ${escapeMarkdown(kind)}.`,
          source: toInlineCode(`${file}:${line}`),
        })),
        symbols.length === 0 && "Which functions, commands or routes are public?",
        omitted > 0 && `${omitted} more symbols are public. Which of them belong here?`,
      ),
    ],
  };
}
