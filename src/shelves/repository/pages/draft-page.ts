import { frontmatterLength } from "../../../text/markdown/frontmatter.ts";
import { splitLines } from "../../../text/strings/lines.ts";
import type { Analysis } from "../analysis/analysis.ts";
import { quoteString, toInlineCode } from "../files/escaped-text.ts";
import type { DeclaredCommand } from "../repo/declared-commands.ts";
import type { DeclaredVersion } from "../repo/declared-versions.ts";
import { formatQuestion } from "./open-question.ts";

/** A page of known facts, with questions for unknown information. */
export interface DraftPage {
  file: string;
  title: string;
  sections: DraftSection[];
}

export interface DraftSection {
  heading: string;
  /** Each with its source. */
  facts: SourcedFact[];
  questions: string[];
}

export interface SourcedFact {
  /** Markdown. */
  text: string;
  /** The file, or how the fact was found, in Markdown. */
  source: string;
}

export const populationLevels = ["basic", "comprehensive", "intelligent"] as const;

export interface DraftInput {
  analysis: Analysis;
  commands: DeclaredCommand[];
  versions: DeclaredVersion[];
  level: (typeof populationLevels)[number];
  technologyFocus: readonly string[];
}

export const draftSection = (
  heading: string,
  facts: SourcedFact[],
  ...questions: (string | false)[]
): DraftSection => ({
  heading,
  facts,
  questions: questions.filter((question) => question !== false),
});

export const toCommandFact = ({ command, runs, source }: DeclaredCommand): SourcedFact => ({
  text:
    runs === undefined
      ? `${toInlineCode(command)}.`
      : `${toInlineCode(command)} runs ${toInlineCode(runs)}.`,
  source: toInlineCode(source),
});

/** The manifest closest to the root, as a source. */
export function manifestSource({ manifests }: Analysis): string {
  const nearest = manifests.toSorted((a, b) => a.file.length - b.file.length)[0];
  return nearest ? toInlineCode(nearest.file) : "the analysis";
}

/** Renders a page as Markdown; existing front matter is kept. */
export function renderDraftPage(
  { title, sections }: DraftPage,
  existingText: string | undefined,
): string {
  const frontMatter = existingText === undefined ? "" : leadingFrontMatter(existingText);
  const nonEmpty = sections.filter(({ facts, questions }) => facts.length + questions.length > 0);
  const body = nonEmpty.map(({ heading, facts, questions }) =>
    [
      `## ${heading}`,
      ...(facts.length > 0
        ? [facts.map(({ text, source }) => `- ${text} (from ${source})`).join("\n")]
        : []),
      ...questions.map(formatQuestion),
    ].join("\n\n"),
  );
  const head = frontMatter === "" ? `---\ntitle: ${quoteString(title)}\n---\n` : frontMatter;
  return `${head}\n${[`# ${title}`, ...body].join("\n\n")}\n`;
}

function leadingFrontMatter(text: string): string {
  const lines = splitLines(text);
  const length = frontmatterLength(lines);
  return length === 0 ? "" : `${lines.slice(0, length).join("\n")}\n`;
}
