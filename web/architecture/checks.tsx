import { counted } from "../../src/text/counted.ts";
import { asking } from "../asking.ts";
import { call, type Output } from "../client.ts";
import { Link } from "../link.tsx";
import { decisionAt, part } from "./place.ts";

/** Wanted by the list of findings and by the page of a decision. */
export const checks = asking((signal) =>
  part.value === "checks" || part.value?.startsWith("decision")
    ? call("lint_decisions", {}, signal)
    : undefined,
);

/** What is wrong with the decision records, each finding with its line. */
export function Checks() {
  const found = checks.answer.value;
  return (
    <section class="checks" aria-label="Checks">
      <p role="status" class="notice">
        {checks.failure.value ?? (found ? countOf(found) : "Loading…")}
      </p>
      <Findings findings={found?.findings ?? []} hasFile />
    </section>
  );
}

const countOf = ({ errors, warnings }: Output<"lint_decisions">): string =>
  errors + warnings === 0
    ? "Nothing is wrong with the decisions."
    : `${counted(errors, "error")}, ${counted(warnings, "warning")}`;

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
            <Link class="file" to={decisionAt(file, line)}>
              {hasFile ? `${file}:${line}` : `line ${line}`}
            </Link>
            <code>{rule}</code>
          </p>
        </li>
      ))}
    </ol>
  );
}
