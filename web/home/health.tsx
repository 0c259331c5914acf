import type { Finding } from "../../src/surfaces/http/routes/system-state.ts";
import { pluralise } from "../../src/text/strings/pluralise.ts";
import { systemState } from "./system-state.ts";

/** The results of the quick health checks. Problems are shown with their remedies. */
export function Health() {
  const findings = systemState.answer.value?.findings ?? [];
  if (findings.length === 0) return null;
  const problems = findings.filter(({ state }) => state !== "ok");
  return (
    <section class="health" aria-labelledby="health">
      <h2 id="health">Health</h2>
      <p class={problems.length === 0 ? "well" : "unwell"}>
        {problems.length === 0
          ? "No problems found."
          : `${pluralise(problems.length, "problem")} found.`}
      </p>
      <Findings findings={problems} />
      <details>
        <summary>Passed checks</summary>
        <Findings findings={findings.filter(({ state }) => state === "ok")} />
        <p class="notice">
          <code>lectern doctor</code> runs more checks, and <code>--repair</code> fixes what it can.
        </p>
      </details>
    </section>
  );
}

function Findings({ findings }: { findings: readonly Finding[] }) {
  return (
    <ul class="findings">
      {findings.map(({ name, state, says, remedy }) => (
        <li key={`${name} ${says}`} class={state}>
          <strong>{stateLabels[state]}</strong> {name}: {says}
          {remedy && <span class="remedy"> {remedy}</span>}
        </li>
      ))}
    </ul>
  );
}

const stateLabels: Record<Finding["state"], string> = { ok: "OK", warn: "Warning", fail: "Error" };
