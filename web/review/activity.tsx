import { signal } from "@preact/signals";
import { call, type Output } from "../server/client.ts";
import { createLiveQuery } from "../server/live-query.ts";
import { actorName } from "./actor-name.ts";

const activity = createLiveQuery((signal) => call("activity", { limit: 50 }, signal));
const outcome = signal("");

/** The recorded changes, newest first, with undo buttons where possible. */
export function Activity() {
  const { changes = [], remaining } = activity.answer.value ?? {};
  return (
    <section class="activity" aria-labelledby="activity">
      <h2 id="activity">Activity</h2>
      <p role="status">{activity.failure.value ?? outcome.value}</p>
      {activity.answer.value && changes.length === 0 && <p class="notice">No changes yet.</p>}
      <ol>
        {changes.map((change) => (
          <Change key={change.id} change={change} />
        ))}
      </ol>
      {remaining ? <p class="notice">… and {remaining} older changes.</p> : null}
    </section>
  );
}

function Change({ change }: { change: Output<"activity">["changes"][number] }) {
  const { id, at, summary, actor, can_undo, undone_by, project, approval } = change;
  return (
    <li>
      <span class="what">{summary}</span>
      <span class="who">
        {actorName(actor)},{" "}
        {new Date(at).toLocaleString([], { dateStyle: "medium", timeStyle: "short" })}
        {project && <span title={project.root}> · {project.name}</span>}
        {approval && ` · ${approvalLabel(approval)}`}
        {undone_by !== undefined && ` · undone by ${undone_by}`}
      </span>
      {can_undo && (
        <button type="button" class="quiet" onClick={() => void undo(id, summary)}>
          Undo<span class="unseen"> {summary}</span>
        </button>
      )}
    </li>
  );
}

type Approval = NonNullable<Output<"activity">["changes"][number]["approval"]>;

function approvalLabel({ how, client, trusted_since }: Approval): string {
  if (how === "elicitation") {
    const since = new Date(trusted_since ?? "").toLocaleDateString();
    return `approved through ${client}, which you have trusted since ${since}`;
  }
  return how === "page" ? "approved on the page" : "approved at the command line";
}

async function undo(id: number, summary: string): Promise<void> {
  try {
    await call("undo_change", { id });
    outcome.value = `Undone: ${summary}`;
  } catch (error) {
    outcome.value = error instanceof Error ? error.message : String(error);
  }
}
