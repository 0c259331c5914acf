import { WorkProgress } from "../components/progress.tsx";
import { clockTime } from "./date-format.ts";
import { systemState } from "./system-state.ts";

/** The long-running jobs of the server. */
export function RunningWork() {
  const running = systemState.answer.value?.running ?? [];
  return (
    <section class="work" aria-labelledby="work">
      <h2 id="work">Work</h2>
      {running.length === 0 && <p class="notice">Nothing is running.</p>}
      <ul>
        {running.map(({ what, by, since, done = 0, total, message }) => (
          <li key={`${what} ${since}`}>
            <p>
              {what}
              <span class="since">
                since {clockTime(since)}
                {by && `, for ${by.surface === "web" ? "a page" : (by.client ?? by.surface)}`}
              </span>
            </p>
            <WorkProgress
              what="Progress"
              progress={{ done, ...(total && { total }), ...(message && { message }) }}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}
