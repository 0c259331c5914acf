import type { Analysis } from "./analysis.ts";
import { asFact, type Known, type KnownPage, type Section, section } from "./known-page.ts";
import { escaped, inCode } from "./written-values.ts";

export function project({ analysis, technologyFocus }: Known): KnownPage {
  const { facts, manifests } = analysis;
  const bytes = Object.entries(facts.bytes_by_language).sort(([, a], [, b]) => b - a);
  return {
    file: "reference/project.md",
    title: "Project facts",
    sections: [
      section(
        "Packages",
        manifests.slice(0, 200).map(({ file, name, version, description, dependencies }) => ({
          words: [
            name ? inCode(name) : "A package without a name",
            version && ` ${escaped(version)}`,
            description && `, "${escaped(description)}"`,
            dependencies === 1 ? ", with 1 dependency." : `, with ${dependencies} dependencies.`,
          ]
            .filter(Boolean)
            .join(""),
          source: inCode(file),
        })),
        manifests.length === 0 && "What is this project made of?",
      ),
      section(
        "Languages",
        bytes.slice(0, 20).map(([name, size]) => ({
          words: `${escaped(name)}: ${size} bytes.`,
          source: "the sizes of its files",
        })),
      ),
      section(
        "Licence",
        facts.license === null
          ? []
          : [{ words: `${escaped(facts.license)}.`, source: "the licence file or the manifest" }],
        facts.license === null && "Under which licence may it be used?",
      ),
      ...(technologyFocus.length === 0 ? [] : [technology(analysis, technologyFocus)]),
    ],
  };
}

function technology({ facts, dependencies }: Analysis, asked: readonly string[]): Section {
  const places: Record<string, readonly string[]> = {
    "the frameworks found": facts.frameworks,
    "the manifest": [...dependencies.packages, ...dependencies.devPackages],
    "the sizes of its files": Object.keys(facts.bytes_by_language),
  };
  const found = asked.flatMap((wanted) => {
    const place = Object.entries(places).find(([, names]) =>
      names.some((name) => name.toLowerCase() === wanted.trim().toLowerCase()),
    );
    return place ? [{ wanted, source: place[0] }] : [];
  });
  const missing = asked.filter((wanted) => !found.some((one) => one.wanted === wanted));
  return section(
    "Technology",
    found.map(({ wanted, source }) => ({ words: `${escaped(wanted)} is used.`, source })),
    ...missing.map((wanted) => `${escaped(wanted)} was not found. Is it used, and where?`),
  );
}

export const commandPage = ({ commands }: Known): KnownPage => ({
  file: "reference/commands.md",
  title: "Commands",
  sections: [section("Declared commands", commands.slice(0, 300).map(asFact))],
});

/** More would be no page that anybody reads. */
const mostSymbols = 500;

export function symbolPage({ analysis: { symbols = [] } }: Known): KnownPage {
  const shown = symbols.slice(0, mostSymbols);
  const rest = symbols.length - shown.length;
  return {
    file: "reference/api-documentation.md",
    title: "API",
    sections: [
      section(
        "Public symbols",
        shown.map(({ symbol, kind, file, line }) => ({
          words: `${inCode(symbol)}, a ${escaped(kind)}.`,
          source: inCode(`${file}:${line}`),
        })),
        symbols.length === 0 && "Which functions, commands or routes are public?",
        rest > 0 && `${rest} more symbols are public. Which of them belong here?`,
      ),
    ],
  };
}
