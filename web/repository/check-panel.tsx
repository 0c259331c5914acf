import type { ComponentChildren } from "preact";
import { WorkProgress } from "../components/progress.tsx";
import type { Job } from "../server/job.ts";

interface CheckPanelProps<Answer> {
  of: Job<Answer>;
  title: string;
  children: (answer: Answer) => ComponentChildren;
}

/** A panel with the results of a check, its progress, and buttons to stop and to refresh. */
export function CheckPanel<Answer extends { data: object }>({
  of: job,
  title,
  children,
}: CheckPanelProps<Answer>) {
  const { progress, answer, failure } = job;
  return (
    <section aria-labelledby="look" aria-busy={progress.value !== undefined}>
      <header class="look">
        <h3 id="look">{title}</h3>
        {!progress.value && (
          <button type="button" aria-keyshortcuts="l" onClick={job.begin}>
            Refresh
          </button>
        )}
      </header>
      {progress.value && <WorkProgress what="Checking" progress={progress.value} stop={job.stop} />}
      <p role="status" class="failure">
        {failure.value}
      </p>
      {answer.value && <PartialNotice data={answer.value.data} />}
      {answer.value && children(answer.value)}
    </section>
  );
}

/** A check that reaches its time limit reports where it stopped. */
function PartialNotice({ data }: { data: { partial?: unknown; stopped_at?: unknown } }) {
  if (!data.partial) return null;
  return (
    <p class="failure">
      Incomplete: the time limit was reached at {String(data.stopped_at || "the root folder")}.
    </p>
  );
}
