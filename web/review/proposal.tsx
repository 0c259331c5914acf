import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { Preview } from "./preview.tsx";
import { accept, type Proposal, reject, step } from "./queue.ts";

/** A proposal with everything that a person needs to decide, and the ways to decide. */
export function ProposalCard({ proposal, place }: { proposal: Proposal; place: string }) {
  const { id, summary, actor, at, rationale, confidence, preview, operation, shelf } = proposal;
  return (
    <article class="proposal" aria-labelledby="proposal">
      <p class="place">
        {place} · {shelf}
      </p>
      <h2 id="proposal" tabIndex={-1}>
        {summary}
      </h2>
      <p class="proposer">
        Proposed by {actor.client ?? actor.surface} with <code>{operation}</code>,{" "}
        {new Date(at).toLocaleString([], { dateStyle: "medium", timeStyle: "short" })}
      </p>
      {rationale && <p class="rationale">{rationale}</p>}
      {confidence !== undefined && <p class="sure">How sure the agent is: {confidence} of 100</p>}
      {preview && <Preview text={preview} />}
      <Decision key={id} proposal={proposal} />
    </article>
  );
}

function Decision({ proposal }: { proposal: Proposal }) {
  const reason = useSignal("");
  const isEditing = useSignal(false);
  return (
    <>
      <div class="decision">
        <button
          type="button"
          class="yes"
          aria-keyshortcuts="a"
          onClick={() => void accept(proposal)}
        >
          Accept
        </button>
        <button
          type="button"
          aria-keyshortcuts="e"
          aria-expanded={isEditing.value}
          onClick={() => {
            isEditing.value = !isEditing.value;
          }}
        >
          Edit
        </button>
        <button
          type="button"
          class="no"
          aria-keyshortcuts="r"
          onClick={() => void reject(proposal, reason.value.trim())}
        >
          Reject
        </button>
        <button type="button" aria-keyshortcuts="s" onClick={() => step(1)}>
          Skip
        </button>
      </div>
      <label class="reason">
        Why not, for the agent and for later
        <input
          type="text"
          maxLength={10_000}
          value={reason.value}
          onInput={(event) => {
            reason.value = event.currentTarget.value;
          }}
        />
      </label>
      {isEditing.value && <Editing proposal={proposal} />}
    </>
  );
}

/** What is performed instead, as the operation takes it. */
function Editing({ proposal }: { proposal: Proposal }) {
  const field = useRef<HTMLTextAreaElement>(null);
  const problem = useSignal("");
  useEffect(() => field.current?.focus(), []);
  return (
    <form
      class="editing"
      onSubmit={(event) => {
        event.preventDefault();
        const input = parsed(field.current?.value ?? "");
        problem.value = input ? "" : "This is no JSON object; nothing was sent.";
        if (input) void accept(proposal, input);
      }}
    >
      <label>
        What is done instead
        <textarea
          ref={field}
          rows={10}
          spellcheck={false}
          defaultValue={JSON.stringify(proposal.input, null, 2)}
        />
      </label>
      <p role="alert">{problem.value}</p>
      <button type="submit" class="yes">
        Accept what stands here
      </button>
    </form>
  );
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
