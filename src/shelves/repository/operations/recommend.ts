import * as z from "zod";
import { operationsFor } from "../../../kernel/operation.ts";
import type { Analysis } from "../analysis/analysis.ts";
import { partialAdvice, resolveAnalysis } from "../analysis/resolve-analysis.ts";
import { envelope, renderResult, withEnvelope } from "../envelope.ts";
import { detectGenerator } from "../sites/generator-detection.ts";
import { type Ssg, siteGenerators, ssgNames } from "../sites/site-generators.ts";
import {
  recommendationConfidence,
  type ScoredSsg,
  scoreSsgs,
  ssgPriorities,
} from "../sites/ssg-scores.ts";
import type { RepositoryState } from "../state.ts";

const operation = operationsFor<RepositoryState>();

const Alternative = z.object({
  name: z.string(),
  score: z.number(),
  pros: z.array(z.string()),
  cons: z.array(z.string()),
});

const Scored = z.object({
  name: z.string(),
  score: z.number(),
  reasons: z.array(z.object({ points: z.number(), reason: z.string() })),
});

export const recommendSsg = operation({
  name: "recommend_ssg",
  title: "Recommend a site generator",
  summary:
    "Which site generator fits a repository: the one in use, or a scored table of five with reasons.",
  input: z.object({
    analysisId: z.string().optional().describe("From analyze_repository"),
    path: z.string().optional().describe("Repository, without an analysisId").meta({ path: true }),
    preferences: z
      .object({
        priority: z.enum(ssgPriorities).optional(),
        ecosystem: z.enum(["javascript", "python", "ruby", "go", "any"]).optional(),
      })
      .optional()
      .describe("Your priorities"),
  }),
  output: envelope(
    z.object({
      recommended: z.string(),
      confidence: z.number().min(0).max(1),
      reasoning: z.array(z.string()),
      alternatives: z.array(Alternative),
      scores: z.array(Scored).describe("All generators, best first"),
      existing: z
        .object({ name: z.string(), evidence: z.string() })
        .optional()
        .describe("The generator that the repository already uses"),
    }),
  ),
  effect: "reads",
  expose: {
    mcp: true,
    http: "POST /repository/recommend",
    cli: "repository recommend [path]",
  },
  example: { path: "." },
  run: withEnvelope(async ({ preferences = {}, ...request }, state, call) => {
    const { analysis, root } = await resolveAnalysis(state, request, call);
    const existing = findExistingGenerator(analysis, () => detectGenerator(state.boundary, root));
    const scores = scoreSsgs(analysis, preferences);
    const best = scores[0];
    if (!best) throw new Error("There are no generators to score.");
    const recommended = existing?.name ?? best.name;
    return {
      analysisId: analysis.id,
      data: {
        recommended,
        confidence: existing ? 0.95 : recommendationConfidence(scores),
        reasoning: existing
          ? [
              `The repository already uses ${existing.name}: ${existing.evidence}.`,
              "Moving to another one costs work and by itself does not help readers.",
            ]
          : best.reasons.map(({ points, reason }) => `${reason} (${formatPoints(points)})`),
        alternatives: scores
          .filter(({ name }) => name !== recommended)
          .map(({ name, score }) => ({
            name,
            score,
            pros: [...siteGenerators[name].pros],
            cons: [...siteGenerators[name].cons],
          })),
        scores,
        ...(existing && { existing }),
      },
      recommendations: partialAdvice(analysis),
      nextSteps: existing
        ? [{ action: "Check whether it is ready to publish", toolRequired: "verify_deployment" }]
        : [
            {
              action: `Configure ${siteGenerators[best.name].title}`,
              toolRequired: "generate_config",
              priority: "high",
            },
          ],
    };
  }),
  present({ data, ...advice }) {
    const { recommended, confidence, reasoning, scores } = data;
    const scoreLines = scores.map(({ name, score }) => `  ${name.padEnd(12)}${score}`);
    const lines = [
      `Recommended: ${recommended} (confidence ${confidence})`,
      ...reasoning.map((reason) => `- ${reason}`),
      "Scores of 100:",
      ...scoreLines,
    ];
    return renderResult(lines.join("\n"), advice);
  },
});

/** The generator in use, which takes precedence over scores. Decision record tools do not count. */
function findExistingGenerator(
  { facts: { docs_system } }: Analysis,
  detect: () => { ssg: Ssg; config: string } | undefined,
): { name: string; evidence: string } | undefined {
  const detected = detect();
  if (detected) return { name: detected.ssg, evidence: `${detected.config} exists` };
  if (docs_system === null || /\(ADR\)$/.test(docs_system)) return undefined;
  const known = ssgNames.find((name) => name === docs_system.toLowerCase());
  return { name: known ?? docs_system, evidence: "the analysis found its files" };
}

const formatPoints = (points: ScoredSsg["score"]): string =>
  points < 0 ? `${points}` : `+${points}`;
