import { KeyButton } from "../components/key-button.tsx";
import "../styles/review.css";
import { address, screenAddress } from "../app/address.ts";
import { Link, useReplacedHeadingFocus } from "../components/link.tsx";
import { isSingleKeyPress, pressShortcutButton, useKeys } from "../keyboard/button-shortcuts.ts";
import { Activity } from "./activity.tsx";
import { Batch } from "./batch.tsx";
import { Policy } from "./policy.tsx";
import { ProposalCard } from "./proposal.tsx";
import { ReadLog } from "./read-log.tsx";
import {
  currentProposal,
  lastDecision,
  pendingProposals,
  reviewQueue,
  stepInQueue,
  undoLastDecision,
} from "./review-queue.ts";

const parts = [
  ["", "Pending"],
  ["policy", "Policy"],
  ["reads", "What agents read"],
] as const;

/** The proposals of agents, the policy for agents and the log of their reads. */
export default function Review() {
  const { part } = address.value;
  return (
    <>
      <nav class="parts" aria-label="Review">
        {parts.map(([name, label]) => (
          <Link
            key={name}
            to={screenAddress("review", "", name)}
            aria-current={part === name ? "page" : undefined}
          >
            {label}
          </Link>
        ))}
      </nav>
      {part === "policy" && <Policy />}
      {part === "reads" && <ReadLog />}
      {part === "" && <Queue />}
    </>
  );
}

/** The pending proposals, one at a time. */
function Queue() {
  useKeys(onKey);
  const proposal = currentProposal.value;
  const total = reviewQueue.value.length + (pendingProposals.answer.value?.remaining ?? 0);
  const position = reviewQueue.value.findIndex(({ id }) => id === proposal?.id) + 1;
  return (
    <>
      <DecisionOutcome />
      {pendingProposals.answer.value && !proposal && <Nothing />}
      {proposal && (
        <ProposalCard key={proposal.id} proposal={proposal} position={`${position} of ${total}`} />
      )}
      {reviewQueue.value.length > 1 && <Batch />}
      <Activity />
    </>
  );
}

function Nothing() {
  return (
    <section class="nothing" aria-labelledby="nothing">
      <h2 id="nothing" ref={useReplacedHeadingFocus()} tabIndex={-1}>
        No pending proposals
      </h2>
      <p>When an agent proposes a change, it is listed here until you accept or reject it.</p>
    </section>
  );
}

/** `j` and `k` move; other keys press the button with that shortcut. */
function onKey(event: KeyboardEvent): void {
  const { key } = event;
  if (key !== "j" && key !== "k") pressShortcutButton(event, "main.review");
  else if (isSingleKeyPress(event)) {
    stepInQueue(key === "j" ? 1 : -1);
    event.preventDefault();
  }
}

/** The result of the last decision, with an undo button. */
function DecisionOutcome() {
  const { message, changes } = lastDecision.value;
  return (
    <div class="outcome">
      <p role="status">{pendingProposals.failure.value ?? message}</p>
      {changes.length > 0 && (
        <KeyButton shortcut="u" onClick={() => void undoLastDecision()}>
          {changes.length > 1 ? `Undo ${changes.length} changes` : "Undo"}
        </KeyButton>
      )}
    </div>
  );
}
