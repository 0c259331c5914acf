import * as z from "zod";
import { estimateTokens } from "../../text/token-estimate.ts";
import { hashOf } from "../hashing.ts";
import type { RemoteSettings } from "./configured.ts";
import type { Dimensions } from "./dimensions.ts";
import { type Embedder, inParts } from "./embedder.ts";
import type { Endpoint, Manner } from "./endpoint.ts";
import { badAnswer } from "./endpoint-trouble.ts";

/** Vectors from a server that speaks like OpenAI's or like Ollama's. */
export function openRemoteEmbedder(
  settings: RemoteSettings,
  endpoint: Endpoint,
  dimensionsOf: (model: { id: string; weights: string }) => Dimensions,
): Embedder {
  const { query_prefix = "", document_prefix = "" } = settings;
  const id = `${settings.model} at ${endpoint.host}`;
  const weights = identityOf(settings);
  const dimensions = dimensionsOf({ id, weights });
  const { path, bodyFor, listIn } = dialects[settings.kind];

  const vectorsOf = (texts: readonly string[], how: Manner): Promise<Float32Array[]> =>
    endpoint.post(
      path,
      bodyFor(settings, texts),
      (answer) => checked(listIn(answer), texts.length, dimensions),
      how,
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
    embed: (texts, signal) =>
      inParts(texts, textsAtOnce, (part) =>
        vectorsOf(
          part.map((text) => `${document_prefix}${text}`),
          { isPatient: true, signal },
        ),
      ),
    async embedQuery(text, signal) {
      const [vector] = await vectorsOf([`${query_prefix}${text}`], { isPatient: false, signal });
      if (!vector) throw new Error("A text without a vector.");
      return vector;
    },
    countTokens: estimateTokens,
  };
}

/** Few enough for a small server, and enough that the way there does not count. */
const textsAtOnce = 16;

/**
 * Weights that we never see are known by where they are and how they are asked. What stands before
 * a query is no part of it: it changes no document's vector.
 */
function identityOf({ kind, url, model, document_prefix, ...rest }: RemoteSettings): string {
  const dimensions = "dimensions" in rest ? rest.dimensions : undefined;
  const facts = [kind, url.replace(/\/+$/, ""), model, document_prefix ?? "", dimensions ?? 0];
  return hashOf(JSON.stringify(facts));
}

interface Dialect {
  path: string;
  bodyFor(settings: RemoteSettings, texts: readonly string[]): object;
  /** The vectors in the order of the texts, or nothing where the answer has another shape. */
  listIn(answer: unknown): readonly (number[] | undefined)[] | undefined;
}

const dialects: Record<RemoteSettings["kind"], Dialect> = {
  openai: {
    path: "/embeddings",
    bodyFor: (settings, input) => ({
      model: settings.model,
      input,
      ...("dimensions" in settings && { dimensions: settings.dimensions }),
    }),
    listIn(answer) {
      const { data: entries } = openaiAnswer().safeParse(answer).data ?? {};
      // Entries say which text they belong to, and need not come in that order.
      const byText = new Map(
        entries?.map(({ index, embedding }, place) => [index ?? place, embedding]),
      );
      return entries?.map((_, place) => byText.get(place));
    },
  },
  ollama: {
    path: "/api/embed",
    bodyFor: ({ model }, input) => ({ model, input }),
    listIn: (answer) => ollamaAnswer().safeParse(answer).data?.embeddings,
  },
};

// Made when there is an answer to read: a program that asks no server need not wait for them.
const openaiAnswer = () =>
  z.object({
    data: z.array(z.object({ index: z.int().optional(), embedding: z.array(z.number()) })),
  });
const ollamaAnswer = () => z.object({ embeddings: z.array(z.array(z.number())) });

/** As many vectors as texts, all of one length, brought to the length one. */
function checked(
  list: ReturnType<Dialect["listIn"]>,
  count: number,
  dimensions: Dimensions,
): Float32Array[] {
  if (!list) throw badAnswer("no list of vectors");
  if (list.length !== count) throw badAnswer(`${list.length} vectors for ${count} texts`);
  const [first] = list;
  for (const vector of list) {
    if (!vector) throw badAnswer("two vectors for one text");
    if (vector.length !== first?.length) throw badAnswer("vectors of different lengths");
  }
  const vectors = list.map((numbers = []) => unitVector(numbers));
  if (first && !dimensions.fits(first.length)) {
    throw badAnswer(
      `vectors of ${first.length} numbers, while those before have ${dimensions.known}`,
      "It runs another model now: name that one, so that the two are kept apart.",
    );
  }
  return vectors;
}

function unitVector(numbers: readonly number[]): Float32Array {
  const length = Math.sqrt(numbers.reduce((sum, number) => sum + number * number, 0));
  if (!(length > 0 && length < Number.POSITIVE_INFINITY)) {
    throw badAnswer("a vector without a direction");
  }
  return Float32Array.from(numbers, (number) => number / length);
}
