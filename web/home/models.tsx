import { counted } from "../../src/text/counted.ts";
import type { Output } from "../client.ts";
import { Preparing } from "./preparing.tsx";

/** Which models are in force, and how many documents they know. */
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
            : `${counted(totalDocuments - needsEmbedding, "document")} of ${totalDocuments} can be found by meaning.`}
        </p>
      )}
      <Preparing status={status} />
    </section>
  );
}
