import * as z from "zod";
import { operationsOn } from "../../../kernel/operation.ts";
import type { KeptAnalysis } from "../analyses.ts";
import { depths } from "../analysis.ts";
import {
  adviceOn,
  type Searched,
  type ShownAnalysis,
  shownAnalysis,
  summaryOf,
} from "../analysis-shown.ts";
import { askedAnalysis } from "../asked-analysis.ts";
import { answering, envelope, told } from "../envelope.ts";
import { logEnd } from "../long-work.ts";
import { analysisUri } from "../resources.ts";
import { collectionOf } from "../searchable.ts";
import type { RepositoryState } from "../state.ts";

const operation = operationsOn<RepositoryState>();

/** Facts are many and named by themselves; the list of tools says only that they are there. */
const AnalysisData = z.looseObject({
  id: z.string(),
  path: z.string(),
  depth: z.enum(depths),
  facts: z.looseObject({}),
  partial: z.literal(true).optional(),
  stopped_at: z.string().optional(),
  resourceUri: z.string(),
});

export const analyzeRepository = operation({
  name: "analyze_repository",
  title: "Analyze a repository",
  // The founding document prints these words.
  summary: "Analyze repository structure and documentation needs",
  input: z.object({
    path: z.string().min(1).describe("Repository path to analyze").meta({ path: true }),
    depth: z.enum(depths).default("standard").describe("Analysis depth"),
  }),
  output: envelope(AnalysisData),
  effect: "reads",
  expose: { mcp: true, http: "POST /repository/analyze", cli: "repository analyze <path>" },
  example: { path: "." },

  run: answering(async ({ path, depth }, state, call) => {
    const kept = await askedAnalysis(state, { path }, call, depth);
    const { analysis } = kept;
    logEnd(call, "Repository analysis", analysis.partial === true);
    return {
      analysisId: analysis.id,
      data: {
        ...shownAnalysis(analysis),
        facts: { ...analysis.facts },
        resourceUri: analysisUri(analysis.id),
      },
      ...adviceOn(analysis, searchedIn(state, kept)),
    };
  }),

  present({ data, ...said }) {
    // The schema names a part of what `run` gave, and lets the rest pass as it is.
    const analysis = data as unknown as ShownAnalysis;
    return [
      ...told(summaryOf(analysis), said),
      { type: "link", uri: data.resourceUri, name: data.id, mimeType: "application/json" },
    ];
  },
});

function searchedIn(state: RepositoryState, kept: KeptAnalysis): Searched {
  const { shelves } = state.settings;
  if (shelves !== undefined && !shelves.includes("search")) return "not here";
  const collection = collectionOf(state, kept);
  return collection === undefined ? "not yet" : { collection };
}
