import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { KeyButton } from "../components/key-button.tsx";
import { useReplacedHeadingFocus } from "../components/link.tsx";
import { actorName } from "./actor-name.ts";
import { DiffPreview } from "./diff-preview.tsx";
import { ProposalEditor } from "./proposal-editor.tsx";
import { passagesIn } from "./proposal-passages.ts";
import { ProposalPassages } from "./proposal-passages.tsx";
import {
  acceptProposal,
  type Proposal,
  rejectProposal,
  selectedIds,
  stepInQueue,
  toggleSelected,
} from "./review-queue.ts";

/** A proposal with its details and the buttons to decide. */
export function ProposalCard({ proposal, position }: { proposal: Proposal; position: string }) {
  const { summary, actor, at, rationale, confidence, preview, operation, shelf, project } =
    proposal;
  const hasPassages = passagesIn(proposal.input).length > 0;
  return (
    <article class="proposal" aria-labelledby="proposal">
      <p class="place">
        {position} · {shelf}
        {project && <span title={project.root}> · {project.name}</span>}
      </p>
      <h2 id="proposal" ref={useReplacedHeadingFocus()} tabIndex={-1}>
        {summary}
      </h2>
      <p class="proposer">
        Proposed by {actorName(actor)} with{" "}
        <code>{String(proposal.input.operation ?? operation)}</code>,{" "}
        {new Date(at).toLocaleString([], { dateStyle: "medium", timeStyle: "short" })}
      </p>
      {rationale && <p class="rationale">{rationale}</p>}
      {confidence !== undefined && (
        <p class="sure">
          <span class="share" style={{ "--share": `${confidence}%` }} />
          Confidence of the agent: {confidence} of 100
        </p>
      )}
      {hasPassages && <ProposalPassages proposal={proposal} />}
      {preview && !hasPassages && <DiffPreview text={preview} />}
      <Decision proposal={proposal} />
    </article>
  );
}

function Decision({ proposal }: { proposal: Proposal }) {
  const open = useSignal<"editing" | "rejecting" | undefined>(undefined);
  const toggle = (what: "editing" | "rejecting") => (): void => {
    open.value = open.value === what ? undefined : what;
  };
  return (
    <>
      <div class="decision">
        <KeyButton class="yes" shortcut="a" onClick={() => void acceptProposal(proposal)}>
          Accept
        </KeyButton>
        <KeyButton
          shortcut="e"
          aria-expanded={open.value === "editing"}
          onClick={toggle("editing")}
        >
          Edit
        </KeyButton>
        <KeyButton
          shortcut="r"
          aria-expanded={open.value === "rejecting"}
          onClick={toggle("rejecting")}
        >
          Reject
        </KeyButton>
        <KeyButton shortcut="s" onClick={() => stepInQueue(1)}>
          Skip
        </KeyButton>
        <KeyButton
          shortcut="x"
          aria-pressed={selectedIds.value.has(proposal.id)}
          onClick={() => toggleSelected(proposal.id)}
        >
          Select
        </KeyButton>
      </div>
      {open.value === "rejecting" && <Rejecting proposal={proposal} />}
      {open.value === "editing" && <ProposalEditor proposal={proposal} />}
    </>
  );
}

function Rejecting({ proposal }: { proposal: Proposal }) {
  const field = useRef<HTMLInputElement>(null);
  // A layout effect runs before the paint, so that the next key is not taken as a shortcut.
  useLayoutEffect(() => field.current?.focus(), []);
  return (
    <form
      class="reason"
      onSubmit={(event) => {
        event.preventDefault();
        void rejectProposal(proposal, field.current?.value.trim() ?? "");
      }}
    >
      <label>
        Reason, for the agent and the record
        <input ref={field} type="text" maxLength={10_000} />
      </label>
      <button type="submit">Reject proposal</button>
    </form>
  );
}
