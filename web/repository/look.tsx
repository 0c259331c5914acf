import type { ComponentChildren } from "preact";
import type { Job } from "../job.ts";
import { Going } from "../progress.tsx";

interface LookProps<Answer> {
  of: Job<Answer>;
  title: string;
  children: (answer: Answer) => ComponentChildren;
}

/** One part of the screen: what was found, while it is looked for, and the ways to stop and repeat. */
export function Look<Answer extends { data: object }>({
  of: job,
  title,
  children,
}: LookProps<Answer>) {
  const { progress, answer, failure } = job;
  return (
    <section aria-labelledby="look" aria-busy={progress.value !== undefined}>
      <header class="look">
        <h3 id="look">{title}</h3>
        {!progress.value && (
          <button type="button" aria-keyshortcuts="l" onClick={job.begin}>
            Look again
          </button>
        )}
      </header>
      {progress.value && <Going what="Looking" progress={progress.value} stop={job.stop} />}
      <p role="status" class="failure">
        {failure.value}
      </p>
      {answer.value && <Partial data={answer.value.data} />}
      {answer.value && children(answer.value)}
    </section>
  );
}

/** Where the time was over before the end, every answer of the shelf says so in the same two words. */
function Partial({ data }: { data: { partial?: unknown; stopped_at?: unknown } }) {
  if (!data.partial) return null;
  return (
    <p class="failure">
      Not everything was seen: the time was over at {String(data.stopped_at || "the top")}.
    </p>
  );
}
