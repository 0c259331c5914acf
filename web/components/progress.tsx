import type { Progress } from "../server/client.ts";

interface WorkProgressProps {
  /** The label, if the job reports no message. */
  what: string;
  progress: Progress;
  stop?: () => void;
}

/** The progress of a running job, with a button to stop it. */
export function WorkProgress({
  what,
  progress: { done, total, message },
  stop,
}: WorkProgressProps) {
  const label = message ?? what;
  return (
    <div class="going">
      <p>
        <span role="status">{label}</span>
        {total === undefined ? (done > 0 ? `: ${done}` : "…") : `: ${done} of ${total}`}
      </p>
      <progress aria-label={label} max={total} value={total === undefined ? undefined : done} />
      {stop && (
        <button type="button" aria-keyshortcuts="x" onClick={stop}>
          Stop
        </button>
      )}
    </div>
  );
}
