import { signal } from "@preact/signals";
import { asking } from "../asking.ts";
import { call, type Output } from "../client.ts";
import { whoIs } from "./who.ts";

const activity = asking((signal) => call("activity", { limit: 50 }, signal));
const outcome = signal("");

/** What was changed, by whom, the newest first; what can be taken back has a button for it. */
export function Activity() {
  const { changes = [], remaining } = activity.answer.value ?? {};
  return (
    <section class="activity" aria-labelledby="activity">
      <h2 id="activity">Activity</h2>
      <p role="status">{activity.failure.value ?? outcome.value}</p>
      {activity.answer.value && changes.length === 0 && (
        <p class="notice">Nothing was changed yet.</p>
      )}
      <ol>
        {changes.map((change) => (
          <Change key={change.id} change={change} />
        ))}
      </ol>
      {remaining ? <p class="notice">… and {remaining} older ones.</p> : null}
    </section>
  );
}

function Change({ change }: { change: Output<"activity">["changes"][number] }) {
  const { id, at, summary, actor, can_undo, undone_by, project, approval } = change;
  return (
    <li>
      <span class="what">{summary}</span>
      <span class="who">
        {whoIs(actor)},{" "}
        {new Date(at).toLocaleString([], { dateStyle: "medium", timeStyle: "short" })}
        {project && <span title={project.root}> · {project.name}</span>}
        {approval && ` · ${wordsOf(approval)}`}
        {undone_by !== undefined && ` · taken back by ${undone_by}`}
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

function wordsOf({ how, client, trusted_since }: Approval): string {
  if (how === "elicitation") {
    const since = new Date(trusted_since ?? "").toLocaleDateString();
    return `approved through ${client}, which you have trusted since ${since}`;
  }
  return how === "page" ? "approved on the page" : "approved at the command line";
}

async function undo(id: number, summary: string): Promise<void> {
  try {
    await call("undo_change", { id });
    outcome.value = `Taken back: ${summary}`;
  } catch (error) {
    outcome.value = error instanceof Error ? error.message : String(error);
  }
}
