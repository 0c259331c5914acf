import { useMemo } from "preact/hooks";
import { WorkProgress } from "../components/progress.tsx";
import { callWithProgress, type Output } from "../server/client.ts";
import { createJob } from "../server/job.ts";
import { dataChanges } from "../server/server-events.ts";

/** Embeds the documents that have no vectors yet, if an embedding model is configured. */
export function EmbeddingJob({ status }: { status: Output<"status"> }) {
  const { models, needsEmbedding, hasVectorIndex } = status;
  const embedding = useMemo(
    () =>
      createJob(async (onStart) => {
        try {
          return await callWithProgress("embed", {}, onStart);
        } finally {
          // No document has changed, but the counts of the status have.
          dataChanges.value++;
        }
      }),
    [],
  );
  const { progress, failure, begin, stop } = embedding;
  return (
    <>
      {models.embedding !== "none" && needsEmbedding > 0 && !progress.value && (
        <button type="button" onClick={begin}>
          {hasVectorIndex ? "Embed the remaining documents" : "Prepare search by meaning"}
        </button>
      )}
      {progress.value && (
        <WorkProgress what="Computing vectors" progress={progress.value} stop={stop} />
      )}
      <p role="status" class="outcome">
        {failure.value}
      </p>
    </>
  );
}
