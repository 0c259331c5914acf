import { groupBy } from "../../src/text/arrays/group-by.ts";
import { Link } from "../components/link.tsx";
import { decisionAddress } from "./architecture-address.ts";
import { decisions, decisionTitle } from "./decision-state.ts";
import { NoDecisions, Status, Successors } from "./decisions.tsx";

/** The decisions by year, oldest first. */
export function Timeline() {
  const { failure, answer } = decisions;
  if (failure.value) return <p class="notice">{failure.value}</p>;
  if (!answer.value) return <p class="notice">Loading…</p>;
  const years = groupBy(answer.value.records, ({ date }) => date?.slice(0, 4) ?? "Undated");
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
                  <Link to={decisionAddress(decision.file)}>{decisionTitle(decision)}</Link>
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

/** `2026-01-14` as `14 Jan`; the year is in the heading. */
function dayOf(date: string | null): string {
  if (date === null) return "–";
  const day = new Date(`${date}T00:00:00`);
  if (Number.isNaN(day.valueOf())) return date;
  return day.toLocaleDateString([], { day: "numeric", month: "short" });
}
