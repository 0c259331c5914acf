import * as z from "zod";
import { estimateTokens } from "../../../text/search/token-estimate.ts";
import { sha256Hex } from "../../files/hashes.ts";
import { type Embedder, embedInBatches } from "../embedder.ts";
import type { RemoteSettings } from "../model-settings.ts";
import type { VectorDimensions } from "../vector-dimensions.ts";
import type { Endpoint, EndpointRequestOptions } from "./endpoint.ts";
import { badResponse } from "./endpoint-errors.ts";

/** Vectors from a server with an API like OpenAI's or Ollama's. */
export function openRemoteEmbedder(
  settings: RemoteSettings,
  endpoint: Endpoint,
  dimensionsOf: (model: { id: string; weights: string }) => VectorDimensions,
): Embedder {
  const { query_prefix = "", document_prefix = "" } = settings;
  const id = `${settings.model} at ${endpoint.host}`;
  const weights = weightsIdentity(settings);
  const dimensions = dimensionsOf({ id, weights });
  const { path, requestBody, readVectors } = dialects[settings.kind];

  const vectorsOf = (
    texts: readonly string[],
    options: EndpointRequestOptions,
  ): Promise<Float32Array[]> =>
    endpoint.post(
      path,
      requestBody(settings, texts),
      (answer) => validateVectors(readVectors(answer), texts.length, dimensions),
      options,
    );

  return {
    id,
    weights,
    get dimensions() {
      return dimensions.known;
    },
    languages: "all",
    isOff: false,
    get problem() {
      return endpoint.problem?.explanation;
    },
    parallelism: 1,
    embed: (texts, signal) =>
      embedInBatches(texts, batchSize, (part) =>
        vectorsOf(
          part.map((text) => `${document_prefix}${text}`),
          { canWait: true, signal },
        ),
      ),
    async embedQuery(text, signal) {
      const [vector] = await vectorsOf([`${query_prefix}${text}`], { canWait: false, signal });
      if (!vector) throw new Error("The server returned no vector.");
      return vector;
    },
    countTokens: estimateTokens,
  };
}

/** Small enough for a small server, and large enough to make the latency irrelevant. */
const batchSize = 16;

/**
 * The weights of a remote model cannot be hashed, so its settings identify them. The query prefix is
 * left out: it does not affect the vectors of documents.
 */
function weightsIdentity({ kind, url, model, document_prefix, ...rest }: RemoteSettings): string {
  const dimensions = "dimensions" in rest ? rest.dimensions : undefined;
  const identity = [kind, url.replace(/\/+$/, ""), model, document_prefix ?? "", dimensions ?? 0];
  return sha256Hex(JSON.stringify(identity));
}

interface Dialect {
  path: string;
  requestBody(settings: RemoteSettings, texts: readonly string[]): object;
  /** The vectors in the order of the texts, or undefined if the answer is malformed. */
  readVectors(answer: unknown): readonly (number[] | undefined)[] | undefined;
}

const dialects: Record<RemoteSettings["kind"], Dialect> = {
  openai: {
    path: "/embeddings",
    requestBody: (settings, input) => ({
      model: settings.model,
      input,
      ...("dimensions" in settings && { dimensions: settings.dimensions }),
    }),
    readVectors(answer) {
      const { data: entries } = openaiResponse().safeParse(answer).data ?? {};
      // The entries have an index and may come in any order.
      const byIndex = new Map(
        entries?.map(({ index, embedding }, position) => [index ?? position, embedding]),
      );
      return entries?.map((_, index) => byIndex.get(index));
    },
  },
  ollama: {
    path: "/api/embed",
    requestBody: ({ model }, input) => ({ model, input }),
    readVectors: (answer) => ollamaResponse().safeParse(answer).data?.embeddings,
  },
};

// Created lazily, to keep the start of the program fast.
const openaiResponse = () =>
  z.object({
    data: z.array(z.object({ index: z.int().optional(), embedding: z.array(z.number()) })),
  });
const ollamaResponse = () => z.object({ embeddings: z.array(z.array(z.number())) });

/** Checks that there is one vector per text with the same dimensions, and normalises them. */
function validateVectors(
  list: ReturnType<Dialect["readVectors"]>,
  count: number,
  dimensions: VectorDimensions,
): Float32Array[] {
  if (!list) throw badResponse("no list of vectors");
  if (list.length !== count) throw badResponse(`${list.length} vectors for ${count} texts`);
  const [first] = list;
  for (const vector of list) {
    if (!vector) throw badResponse("two vectors for one text");
    if (vector.length !== first?.length) throw badResponse("vectors of different lengths");
  }
  const vectors = list.map((numbers = []) => unitVector(numbers));
  if (first && !dimensions.accepts(first.length)) {
    throw badResponse(
      `vectors of ${first.length} numbers, while the stored ones have ${dimensions.known}`,
      "The server runs a different model now: set 'model' to its name, so that they are not mixed.",
    );
  }
  return vectors;
}

function unitVector(numbers: readonly number[]): Float32Array {
  const length = Math.sqrt(numbers.reduce((sum, number) => sum + number * number, 0));
  if (!(length > 0 && length < Number.POSITIVE_INFINITY)) {
    throw badResponse("a zero vector");
  }
  return Float32Array.from(numbers, (number) => number / length);
}
