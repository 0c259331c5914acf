import { pluralise } from "../../src/text/strings/pluralise.ts";
import type { Output } from "../server/client.ts";
import { EmbeddingJob } from "./embedding-job.tsx";

/** The configured models, and how many documents have vectors. */
export function Models({ status }: { status: Output<"status"> }) {
  const { models, needsEmbedding, totalDocuments } = status;
  const isOff = models.embedding === "none";
  return (
    <section class="models" aria-labelledby="models">
      <h2 id="models">Models</h2>
      <dl>
        <div>
          <dt>Meaning</dt>
          <dd>{models.embedding}</dd>
        </div>
        <div>
          <dt>Re-ranking</dt>
          <dd>{models.reranking}</dd>
        </div>
        <div>
          <dt>Expansion</dt>
          <dd>{models.expansion}</dd>
        </div>
      </dl>
      {!isOff && totalDocuments > 0 && (
        <p class="vectors">
          {needsEmbedding === 0
            ? "Every document can be found by its meaning."
            : `${pluralise(totalDocuments - needsEmbedding, "document")} of ${totalDocuments} can be found by meaning.`}
        </p>
      )}
      <EmbeddingJob status={status} />
    </section>
  );
}
