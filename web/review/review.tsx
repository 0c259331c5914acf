import "../look/review.css";
import { useEffect } from "preact/hooks";
import { isStruckAlone, pressButton } from "../button-keys.ts";
import { Activity } from "./activity.tsx";
import { ProposalCard } from "./proposal.tsx";
import { acceptAll, current, outcome, queue, step, waiting } from "./queue.ts";

/** What agents would like to change: one after the other, decided by a person. */
export default function Review() {
  useEffect(() => {
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
  const proposal = current.value;
  const total = queue.value.length + (waiting.answer.value?.remaining ?? 0);
  const at = queue.value.findIndex(({ id }) => id === proposal?.id) + 1;
  return (
    <>
      <p class="outcome" role="status">
        {waiting.failure.value ?? outcome.value}
      </p>
      {waiting.answer.value && !proposal && (
        <section class="nothing" aria-labelledby="nothing">
          <h2 id="nothing">Nothing waits for you</h2>
          <p>When an agent proposes a change, it stands here until you say yes or no.</p>
        </section>
      )}
      {proposal && <ProposalCard proposal={proposal} place={`${at} of ${total}`} />}
      {queue.value.length > 1 && (
        <p class="batch">
          <button type="button" onClick={() => void acceptAll(queue.value)}>
            Accept all {queue.value.length} that are loaded
          </button>
        </p>
      )}
      <Activity />
    </>
  );
}

/** `j` and `k` move, `a`, `e`, `r` and `s` press the buttons that say so. */
function onKey(event: KeyboardEvent): void {
  const { key } = event;
  if (key !== "j" && key !== "k") pressButton(event, ".decision");
  else if (isStruckAlone(event)) {
    step(key === "j" ? 1 : -1);
    event.preventDefault();
  }
}
