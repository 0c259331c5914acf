import {
  agentActionOutcome,
  agentActions,
  dismissAgentAction,
  undoAgentAction,
} from "./agent-actions.ts";

/** The latest changes by agents, each with an undo button. Shown on every screen. */
export function AgentToasts() {
  return (
    <aside class="toasts" aria-label="Agent activity">
      <div role="log">
        <ol>
          {agentActions.value.map((action) => (
            <li key={action.key}>
              <p>
                <strong>{action.agent}</strong>: {action.summary}
              </p>
              <p class="choices">
                <button type="button" onClick={() => void undoAgentAction(action)}>
                  Undo<span class="unseen"> {action.summary}</span>
                </button>
                <button type="button" class="quiet" onClick={() => dismissAgentAction(action.key)}>
                  Dismiss<span class="unseen"> {action.summary}</span>
                </button>
              </p>
            </li>
          ))}
        </ol>
      </div>
      <p role="status">{agentActionOutcome.value}</p>
    </aside>
  );
}
