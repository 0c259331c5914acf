import { useMemo } from "preact/hooks";
import { type Output, work } from "../client.ts";
import { job } from "../job.ts";
import { changes } from "../live.ts";
import { Going } from "../progress.tsx";

/** Lets the model read the documents that it does not know, where one is in force. */
export function Preparing({ status }: { status: Output<"status"> }) {
  const { models, needsEmbedding, hasVectorIndex } = status;
  const embedding = useMemo(
    () =>
      job(async (begun) => {
        try {
          return await work("embed", {}, begun);
        } finally {
          // No document has changed, yet what is known of them has.
          changes.value++;
        }
      }),
    [],
  );
  const { progress, failure, begin, stop } = embedding;
  return (
    <>
      {models.embedding !== "none" && needsEmbedding > 0 && !progress.value && (
        <button type="button" onClick={begin}>
          {hasVectorIndex ? "Go on with the rest" : "Prepare search by meaning"}
        </button>
      )}
      {progress.value && <Going what="Making vectors" progress={progress.value} stop={stop} />}
      <p role="status" class="said">
        {failure.value}
      </p>
    </>
  );
}
