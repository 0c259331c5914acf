import * as z from "zod";
import { Failure, invalid } from "../../../kernel/failure.ts";
import { operationsFor } from "../../../kernel/operation.ts";
import { textBlock } from "../../../kernel/operations/output-block.ts";
import { pluralise } from "../../../text/strings/pluralise.ts";
import { requireCollection } from "../documents/collections.ts";
import type { SearchState } from "../state.ts";
import { countUnembedded } from "../vectors/semantic-index.ts";

const operation = operationsFor<SearchState>();

const maxTexts = 1_000;

const embedTexts = operation({
  name: "embed_texts",
  title: "Embed texts",
  summary: "Compute the embeddings of up to 1,000 texts.",
  input: z.object({ texts: z.array(z.string()).describe("The texts") }),
  output: z.object({ embeddings: z.array(z.array(z.number())) }),
  effect: "reads",
  expose: { http: "POST /embed" },
  example: { texts: ["How is the lamp lit?"] },

  async run({ texts }, { models }, call) {
    if (texts.length === 0) throw invalid("Empty texts list");
    if (texts.length > maxTexts) {
      const message = `Too many texts (${texts.length} > ${maxTexts})`;
      throw new Failure("too-large", "too-large", message);
    }
    const vectors = await models.embedder.embed(texts, call.signal);
    return { embeddings: vectors.map((vector) => [...vector]) };
  },
});

export const embedIndex = operation({
  name: "embed",
  title: "Embed the index",
  summary: "Compute embeddings for all documents without them. Existing embeddings are kept.",
  input: z.object({
    collections: z
      .array(z.string())
      .max(100)
      .optional()
      .describe("Only documents of these collections")
      .meta({ flag: "collection", short: "c", separator: "," }),
    force: z
      .boolean()
      .default(false)
      .describe("Delete the existing embeddings and compute all of them again")
      .meta({ short: "f" }),
  }),
  output: z.object({
    status: z.literal("embedded"),
    documents: z.int().describe("Documents embedded by this call"),
    chunks: z.int().describe("Number of chunks of these documents"),
    needsEmbedding: z.int().describe("Documents still without embeddings"),
    partial: z.boolean().optional().describe("True if it was stopped early"),
  }),
  effect: "writes",
  readsIndex: true,
  expose: { http: "POST /embed/index", cli: "embed" },
  example: {},

  async run({ collections, force }, state, call) {
    const settings = state.config.read();
    for (const name of collections ?? []) requireCollection(settings, name);
    const { embedPending, forgetEmbeddings } = await import("../vectors/embed-documents.ts");
    if (force) await state.store.run(forgetEmbeddings(state, collections));
    const { documents, chunks, partial } = await embedPending(state, {
      collections,
      isUrgent: true,
      signal: call.signal,
      onProgress: (...progress) => call.progress(...progress),
    });
    const needsEmbedding = await state.store.run(countUnembedded(state));
    const outcome = { documents, chunks, needsEmbedding, ...(partial && { partial }) };
    return { status: "embedded" as const, ...outcome };
  },

  present: ({ documents, chunks, needsEmbedding }) => {
    const embedded = `Embedded ${pluralise(documents, "document")} in ${pluralise(chunks, "chunk")}`;
    return [
      textBlock(needsEmbedding === 0 ? embedded : `${embedded}; ${needsEmbedding} remaining`),
    ];
  },
});

export const embeddingOperations = [embedTexts, embedIndex];
