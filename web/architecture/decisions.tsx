import { signal } from "@preact/signals";
import { pluralise } from "../../src/text/strings/pluralise.ts";
import { Link } from "../components/link.tsx";
import { decisionAddress } from "./architecture-address.ts";
import {
  type Decision,
  decisions,
  decisionsByFile,
  decisionTitle,
  statusOf,
} from "./decision-state.ts";

/** Shows only decisions of this status; empty for all. */
const statusFilter = signal("");

/** The decisions with their statuses, newest first. */
export function Decisions() {
  const { failure, answer } = decisions;
  if (failure.value) return <p class="notice">{failure.value}</p>;
  if (!answer.value) return <p class="notice">Loading…</p>;
  const all = answer.value.records.toReversed();
  if (all.length === 0) return <NoDecisions />;
  const shown = all.filter(
    (decision) => statusFilter.value === "" || statusOf(decision) === statusFilter.value,
  );
  return (
    <section class="decisions" aria-label="Decisions">
      <Statuses all={all} />
      <p role="status" class="notice">
        {pluralise(shown.length, "decision")}
      </p>
      <ul>
        {shown.map((decision) => (
          <li key={decision.file}>
            <Link to={decisionAddress(decision.file)}>{decisionTitle(decision)}</Link>
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
      propose it. Records in <code>docs/adr</code>, <code>docs/decisions</code> or{" "}
      <code>mcp/resources/adr</code> are found automatically.
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
            checked={statusFilter.value === name}
            onChange={() => {
              statusFilter.value = name;
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

/** Links to the decisions that supersede this one. */
export function Successors({ decision }: { decision: Decision }) {
  return decision.superseded_by.map((file) => (
    <span key={file}>
      by <DecisionLink file={file} />
    </span>
  ));
}

export function DecisionLink({ file }: { file: string }) {
  const decision = decisionsByFile.value.get(file);
  return <Link to={decisionAddress(file)}>{decision ? decisionTitle(decision) : file}</Link>;
}
