import { groupedBy } from "../../src/text/grouped.ts";
import { Link } from "../link.tsx";
import { NoDecisions, Status, Successors } from "./decisions.tsx";
import { decisions, nameOf } from "./known-decisions.ts";
import { decisionAt } from "./place.ts";

/** The decisions year by year, the oldest first. */
export function Timeline() {
  const { failure, answer } = decisions;
  if (failure.value) return <p class="notice">{failure.value}</p>;
  if (!answer.value) return <p class="notice">Loading…</p>;
  const years = groupedBy(answer.value.records, ({ date }) => date?.slice(0, 4) ?? "Without a day");
  if (years.size === 0) return <NoDecisions />;
  return (
    <section class="timeline" aria-label="Timeline">
      {[...years].map(([year, records]) => (
        <section key={year} aria-label={year}>
          <h3>{year}</h3>
          <ol>
            {records.map((decision) => (
              <li key={decision.file}>
                <time>{dayOf(decision.date)}</time>
                <div>
                  <Link to={decisionAt(decision.file)}>{nameOf(decision)}</Link>
                  <p class="about">
                    <Status decision={decision} />
                    <Successors decision={decision} />
                  </p>
                </div>
              </li>
            ))}
          </ol>
        </section>
      ))}
    </section>
  );
}

/** `2026-01-14` as `14 Jan`; the year stands above. */
function dayOf(date: string | null): string {
  if (date === null) return "–";
  const day = new Date(`${date}T00:00:00`);
  if (Number.isNaN(day.valueOf())) return date;
  return day.toLocaleDateString([], { day: "numeric", month: "short" });
}
