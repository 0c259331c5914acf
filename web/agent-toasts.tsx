import { actOutcome, acts, dismiss, undoAct } from "./agent-acts.ts";

/** What agents have just done, each with a way back, whatever screen is open. */
export function AgentToasts() {
  return (
    <aside class="toasts" aria-label="What agents do">
      <div role="log">
        <ol>
          {acts.value.map((act) => (
            <li key={act.key}>
              <p>
                <strong>{act.agent}</strong>: {act.summary}
              </p>
              <p class="choices">
                <button type="button" onClick={() => void undoAct(act)}>
                  Undo<span class="unseen"> {act.summary}</span>
                </button>
                <button type="button" class="quiet" onClick={() => dismiss(act.key)}>
                  Dismiss<span class="unseen"> {act.summary}</span>
                </button>
              </p>
            </li>
          ))}
        </ol>
      </div>
      <p role="status">{actOutcome.value}</p>
    </aside>
  );
}
