import * as z from "zod";
import type { RerankingSettings } from "../model-settings.ts";
import type { Reranker } from "../reranker.ts";
import type { Endpoint } from "./endpoint.ts";
import { badResponse } from "./endpoint-errors.ts";

/** A server with a `/rerank` endpoint like those of Jina, Cohere and vLLM. */
export function openRemoteReranker(
  { model }: Extract<RerankingSettings, { url: string }>,
  endpoint: Endpoint,
): Reranker {
  return {
    id: `${model} at ${endpoint.host}`,
    languages: "all",
    get problem() {
      return endpoint.problem?.explanation;
    },
    score(query, passages, signal) {
      if (passages.length === 0) return Promise.resolve([]);
      return endpoint.post(
        "/rerank",
        { model, query, documents: passages },
        (answer) => readScores(answer, passages.length),
        { canWait: false, signal },
      );
    },
  };
}

/** The scores in the order of the passages. Each passage must have exactly one. */
function readScores(answer: unknown, count: number): number[] {
  const schema = z.object({
    results: z.array(z.object({ index: z.int(), relevance_score: z.number() })),
  });
  const { results } = schema.safeParse(answer).data ?? {};
  if (!results) throw badResponse("no list of scores");
  const scores = new Map(results.map(({ index, relevance_score }) => [index, relevance_score]));
  if (results.length !== count) throw badResponse(`${results.length} scores for ${count} passages`);
  return Array.from({ length: count }, (_, index) => {
    const score = scores.get(index);
    if (score === undefined) throw badResponse("two scores for one passage");
    return score;
  });
}
