import { signal } from "@preact/signals";
import { counted } from "../../src/text/counted.ts";
import { Link } from "../link.tsx";
import { byFile, type Decision, decisions, nameOf, statusOf } from "./known-decisions.ts";
import { decisionAt } from "./place.ts";

/** Only decisions of this status; all of them where it is empty. */
const wanted = signal("");

/** The decisions with their statuses, the newest first. */
export function Decisions() {
  const { failure, answer } = decisions;
  if (failure.value) return <p class="notice">{failure.value}</p>;
  if (!answer.value) return <p class="notice">Loading…</p>;
  const all = answer.value.records.toReversed();
  if (all.length === 0) return <NoDecisions />;
  const shown = all.filter((one) => wanted.value === "" || statusOf(one) === wanted.value);
  return (
    <section class="decisions" aria-label="Decisions">
      <Statuses all={all} />
      <p role="status" class="notice">
        {counted(shown.length, "decision")}
      </p>
      <ul>
        {shown.map((decision) => (
          <li key={decision.file}>
            <Link to={decisionAt(decision.file)}>{nameOf(decision)}</Link>
            <p class="about">
              <Status decision={decision} />
              {decision.date && <time>{decision.date}</time>}
              <Successors decision={decision} />
              <span class="file">{decision.file}</span>
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

export const NoDecisions = () => (
  <section class="empty" aria-labelledby="empty">
    <h3 id="empty">No decisions yet</h3>
    <p>
      Write the first one with <code>lectern adr new "What we decided"</code>, or let an agent
      propose it. Records that lie in <code>docs/adr</code>, <code>docs/decisions</code> or{" "}
      <code>mcp/resources/adr</code> are found by themselves.
    </p>
  </section>
);

function Statuses({ all }: { all: readonly Decision[] }) {
  const names = [...new Set(all.map(statusOf))].sort();
  return (
    <fieldset class="statuses">
      <legend class="unseen">Status</legend>
      {["", ...names].map((name) => (
        <label key={name}>
          <input
            type="radio"
            name="status"
            checked={wanted.value === name}
            onChange={() => {
              wanted.value = name;
            }}
          />
          {name || "all"}
        </label>
      ))}
    </fieldset>
  );
}

export const Status = ({ decision }: { decision: Decision }) => (
  <span class={`status ${decision.status ?? "none"}`}>{statusOf(decision)}</span>
);

/** What took its place, as links. */
export function Successors({ decision }: { decision: Decision }) {
  return decision.superseded_by.map((file) => (
    <span key={file}>
      by <DecisionLink file={file} />
    </span>
  ));
}

export function DecisionLink({ file }: { file: string }) {
  const known = byFile.value.get(file);
  return <Link to={decisionAt(file)}>{known ? nameOf(known) : file}</Link>;
}
