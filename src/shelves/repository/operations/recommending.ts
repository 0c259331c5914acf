import * as z from "zod";
import { operationsOn } from "../../../kernel/operation.ts";
import type { Analysis } from "../analysis.ts";
import { askedAnalysis, partialAdvice } from "../asked-analysis.ts";
import { answering, envelope, told } from "../envelope.ts";
import { generatorIn } from "../generator-found.ts";
import { generators, type Ssg, ssgNames } from "../generators.ts";
import { confidenceOf, priorities, type ScoredSsg, scoredSsgs } from "../ssg-scores.ts";
import type { RepositoryState } from "../state.ts";

const operation = operationsOn<RepositoryState>();

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
        priority: z.enum(priorities).optional(),
        ecosystem: z.enum(["javascript", "python", "ruby", "go", "any"]).optional(),
      })
      .optional()
      .describe("What matters to you"),
  }),
  output: envelope(
    z.object({
      recommended: z.string(),
      confidence: z.number().min(0).max(1),
      reasoning: z.array(z.string()),
      alternatives: z.array(Alternative),
      scores: z.array(Scored).describe("All, the best first"),
      existing: z
        .object({ name: z.string(), evidence: z.string() })
        .optional()
        .describe("What the repository uses already"),
    }),
  ),
  effect: "reads",
  expose: {
    mcp: true,
    http: "POST /repository/recommend",
    cli: "repository recommend [path]",
  },
  example: { path: "." },
  run: answering(async ({ preferences = {}, ...asked }, state, call) => {
    const { analysis, root } = await askedAnalysis(state, asked, call);
    const existing = existingIn(analysis, () => generatorIn(state.boundary, root));
    const scores = scoredSsgs(analysis, preferences);
    const best = scores[0];
    if (!best) throw new Error("There are no generators to score.");
    const recommended = existing?.name ?? best.name;
    return {
      analysisId: analysis.id,
      data: {
        recommended,
        confidence: existing ? 0.95 : confidenceOf(scores),
        reasoning: existing
          ? [
              `The repository uses ${existing.name} already: ${existing.evidence}.`,
              "Moving to another would cost work and bring its readers nothing by itself.",
            ]
          : best.reasons.map(({ points, reason }) => `${reason} (${signed(points)})`),
        alternatives: scores
          .filter(({ name }) => name !== recommended)
          .map(({ name, score }) => ({
            name,
            score,
            pros: [...generators[name].pros],
            cons: [...generators[name].cons],
          })),
        scores,
        ...(existing && { existing }),
      },
      recommendations: partialAdvice(analysis),
      nextSteps: existing
        ? [{ action: "See whether it is ready to publish", toolRequired: "verify_deployment" }]
        : [
            {
              action: `Configure ${generators[best.name].title}`,
              toolRequired: "generate_config",
              priority: "high",
            },
          ],
    };
  }),
  present({ data, ...said }) {
    const { recommended, confidence, reasoning, scores } = data;
    const lines = scores.map(({ name, score }) => `  ${name.padEnd(12)}${score}`);
    const words = [
      `Recommended: ${recommended} (confidence ${confidence})`,
      ...reasoning.map((reason) => `- ${reason}`),
      "Scores of 100:",
      ...lines,
    ];
    return told(words.join("\n"), said);
  },
});

/** What is in use goes before every score. Records of decisions are a site of another kind. */
function existingIn(
  { facts: { docs_system } }: Analysis,
  look: () => { ssg: Ssg; config: string } | undefined,
): { name: string; evidence: string } | undefined {
  const found = look();
  if (found) return { name: found.ssg, evidence: `${found.config} is there` };
  if (docs_system === null || /\(ADR\)$/.test(docs_system)) return undefined;
  const known = ssgNames.find((name) => name === docs_system.toLowerCase());
  return { name: known ?? docs_system, evidence: "its files were found by the analysis" };
}

const signed = (points: ScoredSsg["score"]): string => (points < 0 ? `${points}` : `+${points}`);
