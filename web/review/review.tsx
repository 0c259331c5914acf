import "../look/review.css";
import { useEffect } from "preact/hooks";
import { address, screen } from "../address.ts";
import { isStruckAlone, pressButton } from "../button-keys.ts";
import { Link, useSuccession } from "../link.tsx";
import { Activity } from "./activity.tsx";
import { Batch } from "./batch.tsx";
import { Outcome } from "./outcome.tsx";
import { Policy } from "./policy.tsx";
import { ProposalCard } from "./proposal.tsx";
import { current, queue, step, waiting } from "./queue.ts";
import { Reads } from "./reads.tsx";

const parts = [
  ["", "Waiting"],
  ["policy", "Policy"],
  ["reads", "What agents read"],
] as const;

/** What agents would like to change, how far they may go by themselves, and what they have read. */
export default function Review() {
  const { part } = address.value;
  return (
    <>
      <nav class="parts" aria-label="Review">
        {parts.map(([name, label]) => (
          <Link
            key={name}
            to={screen("review", "", name)}
            aria-current={part === name ? "page" : undefined}
          >
            {label}
          </Link>
        ))}
      </nav>
      {part === "policy" && <Policy />}
      {part === "reads" && <Reads />}
      {part === "" && <Queue />}
    </>
  );
}

/** One after the other, decided by a person. */
function Queue() {
  useEffect(() => {
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
  const proposal = current.value;
  const total = queue.value.length + (waiting.answer.value?.remaining ?? 0);
  const at = queue.value.findIndex(({ id }) => id === proposal?.id) + 1;
  return (
    <>
      <Outcome />
      {waiting.answer.value && !proposal && <Nothing />}
      {proposal && (
        <ProposalCard key={proposal.id} proposal={proposal} place={`${at} of ${total}`} />
      )}
      {queue.value.length > 1 && <Batch />}
      <Activity />
    </>
  );
}

function Nothing() {
  return (
    <section class="nothing" aria-labelledby="nothing">
      <h2 id="nothing" ref={useSuccession()} tabIndex={-1}>
        Nothing waits for you
      </h2>
      <p>When an agent proposes a change, it stands here until you say yes or no.</p>
    </section>
  );
}

/** `j` and `k` move; every other key presses the button that says so. */
function onKey(event: KeyboardEvent): void {
  const { key } = event;
  if (key !== "j" && key !== "k") pressButton(event, "main.review");
  else if (isStruckAlone(event)) {
    step(key === "j" ? 1 : -1);
    event.preventDefault();
  }
}
