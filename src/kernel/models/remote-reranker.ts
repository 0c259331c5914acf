import * as z from "zod";
import type { RerankingSettings } from "./configured.ts";
import type { Endpoint } from "./endpoint.ts";
import { badAnswer } from "./endpoint-trouble.ts";
import type { Reranker } from "./reranker.ts";

/** A server with `/rerank`, as Jina, Cohere and vLLM have it. */
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
        (answer) => scoresIn(answer, passages.length),
        { isPatient: false, signal },
      );
    },
  };
}

/** Each passage has exactly one score, in whatever order they come. */
function scoresIn(answer: unknown, count: number): number[] {
  const schema = z.object({
    results: z.array(z.object({ index: z.int(), relevance_score: z.number() })),
  });
  const { results } = schema.safeParse(answer).data ?? {};
  if (!results) throw badAnswer("no list of scores");
  const scores = new Map(results.map(({ index, relevance_score }) => [index, relevance_score]));
  if (results.length !== count) throw badAnswer(`${results.length} scores for ${count} passages`);
  return Array.from({ length: count }, (_, place) => {
    const score = scores.get(place);
    if (score === undefined) throw badAnswer("two scores for one passage");
    return score;
  });
}
