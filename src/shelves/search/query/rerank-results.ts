import type { Call } from "../../../kernel/call.ts";
import { openStopSignal } from "../../../kernel/calls/stop-signal.ts";
import { Failure, failureReason } from "../../../kernel/failure.ts";
import type { Match } from "../../../kernel/index/search-index.ts";
import { bundledRerankingModel } from "../../../kernel/models/bundled-models.ts";
import type { Note } from "../../../kernel/operations/note.ts";
import type { Steps } from "../../../kernel/storage/steps.ts";
import { isEnglish } from "../../../text/language/english.ts";
import type { SearchState } from "../state.ts";
import { findDocumentById } from "../storage.ts";
import { findNearestChunks } from "../vectors/semantic-index.ts";
import { blendScores, type FusedCandidate } from "./rank-fusion.ts";

interface RerankRequest {
  query: string;
  /** The query's vector, if documents are to be read at their nearest chunk. */
  vector: Float32Array | undefined;
  /** The number of results to re-rank. The default is that of the model. */
  candidates: number | undefined;
}

/** The time limit of re-ranking. */
const rerankTimeoutMs = 8_000;

/**
 * Re-ranks the best results with a cross-encoder. The order is unchanged if there is no model for
 * their language, and also, with a note, if it fails.
 */
export async function rerankResults(
  state: SearchState,
  fused: FusedCandidate[],
  { query, vector, candidates: count = bundledRerankingModel.candidates }: RerankRequest,
  call: Call,
): Promise<{ ranked: FusedCandidate[]; note?: Note }> {
  const { reranker } = state.models;
  if (!reranker) return { ranked: fused };
  const best = fused.slice(0, count);
  const passages = await state.store.run(passagesOf(state, best, vector));
  const judges = (text: string) => reranker.languages === "all" || isEnglish(text);
  if (!judges(query) || !passages.some(judges)) return { ranked: fused };
  const stop = openStopSignal([call.signal], rerankTimeoutMs);
  try {
    const logits = await reranker.score(query, passages, stop.signal);
    const judged = best.map((candidate, index) => ({ ...candidate, logit: logits[index] ?? 0 }));
    const blended = blendScores(judged, bundledRerankingModel.bands);
    return { ranked: [...blended, ...fused.slice(count)] };
  } catch (error) {
    // Cancellation and internal errors are rethrown.
    if (call.signal.aborted || !(error instanceof Failure || stop.signal.aborted)) throw error;
    const reason = error instanceof Failure ? failureReason(error) : "the model was too slow";
    const message = `The results were not re-ranked: ${reason}.`;
    return { ranked: fused, note: { kind: "model", message } };
  } finally {
    stop.release();
  }
}

function* passagesOf(
  state: SearchState,
  candidates: readonly FusedCandidate[],
  vector: Float32Array | undefined,
): Steps<string[]> {
  const chunks = vector ? yield* nearestChunks(state, vector, candidates) : undefined;
  const passages: string[] = [];
  for (const { match } of candidates) {
    passages.push(yield* rerankPassage(chunks?.get(match.document) ?? match));
  }
  return passages;
}

/**
 * The chunk of each document that is nearest to the query. Scores of the re-ranker are comparable if
 * all documents are represented by passages of the same kind; one without vectors, or in a language
 * that the embedder does not support, keeps its match.
 */
function* nearestChunks(
  state: SearchState,
  vector: Float32Array,
  candidates: readonly FusedCandidate[],
): Steps<ReadonlyMap<number, Match>> {
  const documents = candidates.map(({ match }) => match.document);
  const englishOnly = state.models.embedder.languages === "english";
  const options = { documents, limit: documents.length, englishOnly };
  const chunks = yield* findNearestChunks(state, vector, options);
  return new Map(chunks.map((chunk) => [chunk.document, chunk]));
}

/** The title and the passage, in the format of the re-ranker's training data. */
function* rerankPassage({ document, passage }: Match): Steps<string> {
  const title = (yield* findDocumentById(document))?.title ?? "";
  const text = passage.text.split(/\s+/).slice(0, maxPassageWords).join(" ");
  return `${title}\n${text}`;
}

const maxPassageWords = 190;
