import * as z from "zod";
import { operationsFor } from "../../../kernel/operation.ts";
import { analysisDepths } from "../analysis/analysis.ts";
import { analysisUri } from "../analysis/analysis-resources.ts";
import type { StoredAnalysis } from "../analysis/analysis-store.ts";
import {
  analysisAdvice,
  analysisSummary,
  type SearchStatus,
  type TruncatedAnalysis,
  truncateAnalysis,
} from "../analysis/analysis-summary.ts";
import { findPageCollection } from "../analysis/page-collection.ts";
import { resolveAnalysis } from "../analysis/resolve-analysis.ts";
import { envelope, renderResult, withEnvelope } from "../envelope.ts";
import { logOutcome } from "../progress.ts";
import type { RepositoryState } from "../state.ts";

const operation = operationsFor<RepositoryState>();

/**
 * The output schema only names the facts: their fields are self-explanatory and would enlarge the
 * tool list.
 */
const AnalysisData = z.looseObject({
  id: z.string(),
  path: z.string(),
  depth: z.enum(analysisDepths),
  facts: z.looseObject({}),
  partial: z.literal(true).optional(),
  stopped_at: z.string().optional(),
  resourceUri: z.string(),
});

export const analyzeRepository = operation({
  name: "analyze_repository",
  title: "Analyze a repository",
  // Worded as in the founding document.
  summary: "Analyze repository structure and documentation needs",
  input: z.object({
    path: z.string().min(1).describe("Repository path to analyze").meta({ path: true }),
    depth: z.enum(analysisDepths).default("standard").describe("Analysis depth"),
  }),
  output: envelope(AnalysisData),
  effect: "reads",
  expose: { mcp: true, http: "POST /repository/analyze", cli: "repository analyze <path>" },
  example: { path: "." },

  run: withEnvelope(async ({ path, depth }, state, call) => {
    const stored = await resolveAnalysis(state, { path }, call, depth);
    const { analysis } = stored;
    logOutcome(call, "Repository analysis", analysis.partial === true);
    return {
      analysisId: analysis.id,
      data: {
        ...truncateAnalysis(analysis),
        facts: { ...analysis.facts },
        resourceUri: analysisUri(analysis.id),
      },
      ...analysisAdvice(analysis, await searchStatusOf(state, stored)),
    };
  }),

  present({ data, ...advice }) {
    // The schema declares only some fields of the result and passes the others through.
    const analysis = data as unknown as TruncatedAnalysis;
    return [
      ...renderResult(analysisSummary(analysis), advice),
      { type: "link", uri: data.resourceUri, name: data.id, mimeType: "application/json" },
    ];
  },
});

async function searchStatusOf(
  state: RepositoryState,
  stored: StoredAnalysis,
): Promise<SearchStatus> {
  const { shelves } = state.settings;
  if (shelves !== undefined && !shelves.includes("search")) return "not here";
  const collection = await state.store.run(findPageCollection(state, stored));
  return collection === undefined ? "not yet" : { collection };
}
