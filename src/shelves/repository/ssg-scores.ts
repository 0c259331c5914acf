import type { Analysis } from "./analysis.ts";
import { type Ecosystem, generators, type Ssg, ssgNames } from "./generators.ts";

export const priorities = ["simplicity", "features", "performance"] as const;

type Priority = (typeof priorities)[number];

export interface Preferences {
  priority?: Priority | undefined;
  ecosystem?: Ecosystem | "any" | undefined;
}

/** A generator with what speaks for and against it here; the points add up to the score. */
export interface ScoredSsg {
  name: Ssg;
  /** From 0 to 100. */
  score: number;
  reasons: { points: number; reason: string }[];
}

/** All generators, the best first; of equals the one that people know longest comes first. */
export function scoredSsgs(analysis: Analysis, { priority, ecosystem }: Preferences): ScoredSsg[] {
  const tools = toolsOf(analysis);
  const isLarge = isLargeProject(analysis);
  const pages = analysis.documentation.existingDocs.length;
  const weights = weightsFor(priority, isLarge);
  return ssgNames
    .map((name): ScoredSsg => {
      const { ecosystem: own, traits } = generators[name];
      const reasons = [
        ...wish(own, ecosystem),
        toolReason(own, tools, ecosystem),
        traitReason(traits, weights, priority, isLarge),
        ...sizeReason(traits.performance, pages),
      ];
      const sum = reasons.reduce((total, { points }) => total + points, 0);
      return { name, score: Math.max(0, Math.min(100, sum)), reasons };
    })
    .sort((a, b) => b.score - a.score);
}

/** How sure the first place is: by its distance to the second, never wholly. */
export function confidenceOf([first, second]: readonly ScoredSsg[]): number {
  const lead = (first?.score ?? 0) - (second?.score ?? 0);
  return Math.round(Math.min(0.9, 0.5 + lead / 75) * 100) / 100;
}

const ecosystemTools: Record<Ecosystem, { manifests: RegExp; languages: readonly string[] }> = {
  javascript: {
    manifests: /^(npm|yarn|pnpm|bun)$/,
    languages: ["JavaScript", "TypeScript", "TSX", "JSX", "Vue", "Svelte"],
  },
  python: { manifests: /^(pip|uv|poetry|pipenv|pdm|conda|hatch)$/, languages: ["Python"] },
  ruby: { manifests: /^(bundler|gem|rubygems)$/, languages: ["Ruby"] },
  go: { manifests: /^go/, languages: ["Go"] },
};

/** What of each ecosystem is in the repository, as words for a reason. */
function toolsOf({ facts }: Analysis): Record<Ecosystem, { isMain: boolean; manager?: string }> {
  const of = (ecosystem: Ecosystem) => {
    const { manifests, languages } = ecosystemTools[ecosystem];
    const manager = facts.package_managers.find((name) => manifests.test(name));
    const isMain = facts.primary_language !== null && languages.includes(facts.primary_language);
    return { isMain, ...(manager !== undefined && { manager }) };
  };
  return { javascript: of("javascript"), python: of("python"), ruby: of("ruby"), go: of("go") };
}

function wish(own: Ecosystem, wanted: Preferences["ecosystem"]): ScoredSsg["reasons"] {
  if (wanted === undefined || wanted === "any") return [];
  return own === wanted
    ? [{ points: 50, reason: `belongs to ${wanted}, as you wish` }]
    : [{ points: -50, reason: `does not belong to ${wanted}` }];
}

function toolReason(
  own: Ecosystem,
  tools: ReturnType<typeof toolsOf>,
  wanted: Preferences["ecosystem"],
): ScoredSsg["reasons"][number] {
  const { isMain, manager } = tools[own];
  const label = { javascript: "Node", python: "Python", ruby: "Ruby", go: "Go" }[own];
  // Who names an ecosystem has decided about tools already.
  if (wanted !== undefined && wanted !== "any") return { points: 0, reason: `uses ${label}` };
  if (isMain) return { points: 45, reason: `${label} is what the repository is written in` };
  if (manager) return { points: 20, reason: `${label} is in use already (${manager})` };
  return { points: 0, reason: `${label} would be a new tool here` };
}

type Traits = Record<Priority, number>;

function weightsFor(priority: Priority | undefined, isLarge: boolean): Traits {
  const usual = isLarge
    ? { simplicity: 0.5, features: 2, performance: 0.5 }
    : { simplicity: 1, features: 1.5, performance: 0.5 };
  return priority === undefined
    ? usual
    : { simplicity: 0.5, features: 0.5, performance: 0.5, [priority]: 4 };
}

function traitReason(
  traits: Traits,
  weights: Traits,
  priority: Priority | undefined,
  isLarge: boolean,
): ScoredSsg["reasons"][number] {
  const most = priorities.reduce((sum, trait) => sum + 10 * weights[trait], 0);
  const sum = priorities.reduce((total, trait) => total + traits[trait] * weights[trait], 0);
  const points = Math.round((45 * sum) / most);
  const shown = priorities.map((trait) => `${trait} ${traits[trait]}`).join(", ");
  if (priority) return { points, reason: `${shown} of 10, where ${priority} counts most` };
  return { points, reason: isLarge ? `${shown} of 10, for a large project` : `${shown} of 10` };
}

/** From here on the time of a build is felt. */
const manyPages = 300;

const sizeReason = (performance: number, pages: number): ScoredSsg["reasons"] =>
  pages < manyPages ? [] : [{ points: performance, reason: `${pages} pages have to be built` }];

const isLargeProject = ({ documentation, recommendations }: Analysis): boolean =>
  documentation.estimatedComplexity === "complex" || recommendations.teamSize === "large";
