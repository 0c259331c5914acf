import type { Finding } from "../../src/surfaces/http/house-state.ts";
import { counted } from "../../src/text/counted.ts";
import { house } from "./house.ts";

/** What the doctor finds at a glance: what is wrong stands open, with what to do about it. */
export function Health() {
  const findings = house.answer.value?.findings ?? [];
  if (findings.length === 0) return null;
  const wrong = findings.filter(({ state }) => state !== "ok");
  return (
    <section class="health" aria-labelledby="health">
      <h2 id="health">Health</h2>
      <p class={wrong.length === 0 ? "well" : "unwell"}>
        {wrong.length === 0 ? "All is well." : `${counted(wrong.length, "thing")} to look at.`}
      </p>
      <Findings findings={wrong} />
      <details>
        <summary>Everything that was looked at</summary>
        <Findings findings={findings.filter(({ state }) => state === "ok")} />
        <p class="notice">
          <code>lectern doctor</code> looks closer, and <code>--repair</code> mends what it can.
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
          <strong>{words[state]}</strong> {name}: {says}
          {remedy && <span class="remedy"> {remedy}</span>}
        </li>
      ))}
    </ul>
  );
}

const words: Record<Finding["state"], string> = { ok: "Good", warn: "Look at", fail: "Broken" };
