import type { Analysis } from "./analysis.ts";
import type { FoundCommand } from "./found-commands.ts";
import type { FoundVersion } from "./found-versions.ts";
import { inCode } from "./written-values.ts";

/** A page made of what is known, and of questions where nothing is. */
export interface KnownPage {
  file: string;
  title: string;
  sections: Section[];
}

export interface Section {
  heading: string;
  /** Each says where it was found. */
  facts: Fact[];
  questions: string[];
}

export interface Fact {
  /** Markdown. */
  words: string;
  /** The file, or how it was found; Markdown as well. */
  source: string;
}

export const populationLevels = ["basic", "comprehensive", "intelligent"] as const;

export interface Known {
  analysis: Analysis;
  commands: FoundCommand[];
  versions: FoundVersion[];
  level: (typeof populationLevels)[number];
  technologyFocus: readonly string[];
}

export const section = (
  heading: string,
  facts: Fact[],
  ...questions: (string | false)[]
): Section => ({
  heading,
  facts,
  questions: questions.filter((asked) => asked !== false),
});

export const asFact = ({ command, runs, source }: FoundCommand): Fact => ({
  words: runs === undefined ? `${inCode(command)}.` : `${inCode(command)} runs ${inCode(runs)}.`,
  source: inCode(source),
});

/** The manifest nearest to the root, as a source. */
export function manifestOf({ manifests }: Analysis): string {
  const nearest = manifests.toSorted((a, b) => a.file.length - b.file.length)[0];
  return nearest ? inCode(nearest.file) : "the analysis";
}
