import type { Progress } from "./client.ts";

interface GoingProps {
  /** What goes on, where the work itself has no words for it. */
  what: string;
  progress: Progress;
  stop?: () => void;
}

/** Work that goes on: how far, and a button that ends it. */
export function Going({ what, progress: { done, total, message }, stop }: GoingProps) {
  const words = message ?? what;
  return (
    <div class="going">
      <p>
        <span role="status">{words}</span>
        {total === undefined ? (done > 0 ? `: ${done}` : "…") : `: ${done} of ${total}`}
      </p>
      <progress aria-label={words} max={total} value={total === undefined ? undefined : done} />
      {stop && (
        <button type="button" aria-keyshortcuts="x" onClick={stop}>
          Stop
        </button>
      )}
    </div>
  );
}
