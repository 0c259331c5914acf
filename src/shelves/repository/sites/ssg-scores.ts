import type { Analysis } from "../analysis/analysis.ts";
import { type Ssg, type SsgEcosystem, siteGenerators, ssgNames } from "./site-generators.ts";

export const ssgPriorities = ["simplicity", "features", "performance"] as const;

type SsgPriority = (typeof ssgPriorities)[number];

export interface SsgPreferences {
  priority?: SsgPriority | undefined;
  ecosystem?: SsgEcosystem | "any" | undefined;
}

/** A scored generator with the reasons; their points add up to the score. */
export interface ScoredSsg {
  name: Ssg;
  /** From 0 to 100. */
  score: number;
  reasons: { points: number; reason: string }[];
}

/** Scores all generators, best first; of equal ones the better known first. */
export function scoreSsgs(
  analysis: Analysis,
  { priority, ecosystem }: SsgPreferences,
): ScoredSsg[] {
  const tools = ecosystemsInUse(analysis);
  const isLarge = isLargeProject(analysis);
  const pages = analysis.documentation.existingDocs.length;
  const weights = weightsFor(priority, isLarge);
  return ssgNames
    .map((name): ScoredSsg => {
      const { ecosystem: generatorEcosystem, traits } = siteGenerators[name];
      const reasons = [
        ...preferenceReasons(generatorEcosystem, ecosystem),
        toolReason(generatorEcosystem, tools, ecosystem),
        traitReason(traits, weights, priority, isLarge),
        ...sizeReason(traits.performance, pages),
      ];
      const sum = reasons.reduce((total, { points }) => total + points, 0);
      return { name, score: Math.max(0, Math.min(100, sum)), reasons };
    })
    .sort((a, b) => b.score - a.score);
}

/** The confidence of the first place by its lead over the second, at most 0.9. */
export function recommendationConfidence([first, second]: readonly ScoredSsg[]): number {
  const lead = (first?.score ?? 0) - (second?.score ?? 0);
  return Math.round(Math.min(0.9, 0.5 + lead / 75) * 100) / 100;
}

const ecosystemTools: Record<SsgEcosystem, { manifests: RegExp; languages: readonly string[] }> = {
  javascript: {
    manifests: /^(npm|yarn|pnpm|bun)$/,
    languages: ["JavaScript", "TypeScript", "TSX", "JSX", "Vue", "Svelte"],
  },
  python: { manifests: /^(pip|uv|poetry|pipenv|pdm|conda|hatch)$/, languages: ["Python"] },
  ruby: { manifests: /^(bundler|gem|rubygems)$/, languages: ["Ruby"] },
  go: { manifests: /^go/, languages: ["Go"] },
};

/** Which ecosystems the repository uses. */
function ecosystemsInUse({
  facts,
}: Analysis): Record<SsgEcosystem, { isMain: boolean; manager?: string }> {
  const usageOf = (ecosystem: SsgEcosystem) => {
    const { manifests, languages } = ecosystemTools[ecosystem];
    const manager = facts.package_managers.find((name) => manifests.test(name));
    const isMain = facts.primary_language !== null && languages.includes(facts.primary_language);
    return { isMain, ...(manager !== undefined && { manager }) };
  };
  return {
    javascript: usageOf("javascript"),
    python: usageOf("python"),
    ruby: usageOf("ruby"),
    go: usageOf("go"),
  };
}

function preferenceReasons(
  generatorEcosystem: SsgEcosystem,
  preferred: SsgPreferences["ecosystem"],
): ScoredSsg["reasons"] {
  if (preferred === undefined || preferred === "any") return [];
  return generatorEcosystem === preferred
    ? [{ points: 50, reason: `belongs to ${preferred}, as you prefer` }]
    : [{ points: -50, reason: `does not belong to ${preferred}` }];
}

function toolReason(
  generatorEcosystem: SsgEcosystem,
  tools: ReturnType<typeof ecosystemsInUse>,
  preferred: SsgPreferences["ecosystem"],
): ScoredSsg["reasons"][number] {
  const { isMain, manager } = tools[generatorEcosystem];
  const label = { javascript: "Node", python: "Python", ruby: "Ruby", go: "Go" }[
    generatorEcosystem
  ];
  // A preferred ecosystem overrides the tools in use.
  if (preferred !== undefined && preferred !== "any") return { points: 0, reason: `uses ${label}` };
  if (isMain) return { points: 45, reason: `${label} is the main language of the repository` };
  if (manager) return { points: 20, reason: `${label} is already in use (${manager})` };
  return { points: 0, reason: `${label} would be a new tool here` };
}

type Traits = Record<SsgPriority, number>;

function weightsFor(priority: SsgPriority | undefined, isLarge: boolean): Traits {
  const defaultWeights = isLarge
    ? { simplicity: 0.5, features: 2, performance: 0.5 }
    : { simplicity: 1, features: 1.5, performance: 0.5 };
  return priority === undefined
    ? defaultWeights
    : { simplicity: 0.5, features: 0.5, performance: 0.5, [priority]: 4 };
}

function traitReason(
  traits: Traits,
  weights: Traits,
  priority: SsgPriority | undefined,
  isLarge: boolean,
): ScoredSsg["reasons"][number] {
  const maxSum = ssgPriorities.reduce((sum, trait) => sum + 10 * weights[trait], 0);
  const sum = ssgPriorities.reduce((total, trait) => total + traits[trait] * weights[trait], 0);
  const points = Math.round((45 * sum) / maxSum);
  const ratings = ssgPriorities.map((trait) => `${trait} ${traits[trait]}`).join(", ");
  if (priority) return { points, reason: `${ratings} of 10, where ${priority} matters most` };
  return { points, reason: isLarge ? `${ratings} of 10, for a large project` : `${ratings} of 10` };
}

/** From this number of pages on, build time matters. */
const manyPagesThreshold = 300;

const sizeReason = (performance: number, pages: number): ScoredSsg["reasons"] =>
  pages < manyPagesThreshold
    ? []
    : [{ points: performance, reason: `${pages} pages must be built` }];

const isLargeProject = ({ documentation, recommendations }: Analysis): boolean =>
  documentation.estimatedComplexity === "complex" || recommendations.teamSize === "large";
