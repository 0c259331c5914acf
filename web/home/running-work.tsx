import { Going } from "../progress.tsx";
import { house } from "./house.ts";
import { clockTime } from "./time.ts";

/** What the server is busy with, where it takes longer than a moment. */
export function RunningWork() {
  const running = house.answer.value?.running ?? [];
  return (
    <section class="work" aria-labelledby="work">
      <h2 id="work">Work</h2>
      {running.length === 0 && <p class="notice">Nothing runs now.</p>}
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
            <Going
              what="So far"
              progress={{ done, ...(total && { total }), ...(message && { message }) }}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}
