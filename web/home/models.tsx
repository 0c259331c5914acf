import { useMemo } from "preact/hooks";
import { counted } from "../../src/text/counted.ts";
import { type Output, work } from "../client.ts";
import { job } from "../job.ts";
import { Going } from "../progress.tsx";

/** Which models are in force, and how many documents they know. */
export function Models({ status }: { status: Output<"status"> }) {
  const { models, needsEmbedding, totalDocuments, hasVectorIndex } = status;
  const embedding = useMemo(() => job((begun) => work("embed", {}, begun)), []);
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
      {!isOff && needsEmbedding > 0 && !embedding.progress.value && (
        <button type="button" onClick={embedding.begin}>
          {hasVectorIndex ? "Go on with the rest" : "Prepare search by meaning"}
        </button>
      )}
      {embedding.progress.value && (
        <Going what="Making vectors" progress={embedding.progress.value} stop={embedding.stop} />
      )}
      <p role="status" class="said">
        {embedding.failure.value}
      </p>
    </section>
  );
}
