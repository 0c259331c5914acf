import { pluralise } from "../../src/text/strings/pluralise.ts";
import { Link } from "../components/link.tsx";
import { call, type Output } from "../server/client.ts";
import { createLiveQuery } from "../server/live-query.ts";
import { architecturePart, decisionAddress } from "./architecture-address.ts";

/** Used by the list of findings and by the page of a decision. */
export const checks = createLiveQuery((signal) =>
  architecturePart.value === "checks" || architecturePart.value?.startsWith("decision")
    ? call("lint_decisions", {}, signal)
    : undefined,
);

/** The problems of the decision records, each with its line. */
export function Checks() {
  const report = checks.answer.value;
  return (
    <section class="checks" aria-label="Checks">
      <p role="status" class="notice">
        {checks.failure.value ?? (report ? countOf(report) : "Loading…")}
      </p>
      <Findings findings={report?.findings ?? []} hasFile />
    </section>
  );
}

const countOf = ({ errors, warnings }: Output<"lint_decisions">): string =>
  errors + warnings === 0
    ? "No problems found."
    : `${pluralise(errors, "error")}, ${pluralise(warnings, "warning")}`;

type Finding = Output<"lint_decisions">["findings"][number];

export function Findings(props: { findings: readonly Finding[]; hasFile?: boolean }) {
  const { findings, hasFile } = props;
  return (
    <ol class="findings">
      {findings.map(({ file, line, rule, severity, message }) => (
        <li key={`${file}:${line} ${rule} ${message}`} class={severity}>
          <p>
            <strong>{severity === "error" ? "Error" : "Warning"}</strong> {message}
          </p>
          <p class="about">
            <Link class="file" to={decisionAddress(file, line)}>
              {hasFile ? `${file}:${line}` : `line ${line}`}
            </Link>
            <code>{rule}</code>
          </p>
        </li>
      ))}
    </ol>
  );
}
