import * as z from "zod";
import { text } from "../../../kernel/block.ts";
import { Failure, invalid } from "../../../kernel/failure.ts";
import { operationsOn } from "../../../kernel/operation.ts";
import { counted } from "../../../text/counted.ts";
import { countPending } from "../meaning.ts";
import type { SearchState } from "../state.ts";

const operation = operationsOn<SearchState>();

const mostTexts = 1_000;

const embedTexts = operation({
  name: "embed_texts",
  title: "Embed texts",
  summary: "The vectors of up to a thousand texts.",
  input: z.object({ texts: z.array(z.string()).describe("The texts") }),
  output: z.object({ embeddings: z.array(z.array(z.number())) }),
  effect: "reads",
  expose: { http: "POST /embed" },
  example: { texts: ["How is the lamp lit?"] },

  async run({ texts }, { models }, call) {
    if (texts.length === 0) throw invalid("Empty texts list");
    if (texts.length > mostTexts) {
      const message = `Too many texts (${texts.length} > ${mostTexts})`;
      throw new Failure("too-large", "too-large", message);
    }
    const vectors = await models.embedder.embed(texts, call.signal);
    return { embeddings: vectors.map((vector) => [...vector]) };
  },
});

export const embed = operation({
  name: "embed",
  title: "Embed the index",
  summary: "Make vectors for every document that has none yet. What is there already is kept.",
  input: z.object({}),
  output: z.object({
    status: z.literal("embedded"),
    documents: z.int().describe("Documents that got their vectors now"),
    chunks: z.int().describe("Into how many pieces they were cut"),
    needsEmbedding: z.int().describe("Documents that still have none"),
    partial: z.boolean().optional().describe("True where it was stopped before the end"),
  }),
  effect: "writes",
  readsIndex: true,
  expose: { http: "POST /embed/index", cli: "embed" },
  example: {},

  async run(_input, state, call) {
    const { embedPending } = await import("../embedding.ts");
    const { documents, chunks, partial } = await embedPending(state, {
      signal: call.signal,
      onProgress: (done, total) => call.progress(done, total),
    });
    const needsEmbedding = countPending(state);
    const ended = { documents, chunks, needsEmbedding, ...(partial && { partial }) };
    return { status: "embedded" as const, ...ended };
  },

  present: ({ documents, chunks, needsEmbedding }) => {
    const made = `Embedded ${counted(documents, "document")} in ${counted(chunks, "chunk")}`;
    return [text(needsEmbedding === 0 ? made : `${made}; ${needsEmbedding} still to do`)];
  },
});

export const embeddingOperations = [embedTexts, embed];
