import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { useSuccession } from "../link.tsx";
import { Editing } from "./editing.tsx";
import { passagesIn } from "./passages.ts";
import { Passages } from "./passages.tsx";
import { Preview } from "./preview.tsx";
import { accept, type Proposal, reject, step, tick, ticked } from "./queue.ts";
import { whoIs } from "./who.ts";

/** A proposal with everything that a person needs to decide, and the ways to decide. */
export function ProposalCard({ proposal, place }: { proposal: Proposal; place: string }) {
  const { summary, actor, at, rationale, confidence, preview, operation, shelf, project } =
    proposal;
  const hasPassages = passagesIn(proposal.input).length > 0;
  return (
    <article class="proposal" aria-labelledby="proposal">
      <p class="place">
        {place} · {shelf}
        {project && <span title={project.root}> · {project.name}</span>}
      </p>
      <h2 id="proposal" ref={useSuccession()} tabIndex={-1}>
        {summary}
      </h2>
      <p class="proposer">
        Proposed by {whoIs(actor)} with <code>{String(proposal.input.operation ?? operation)}</code>
        , {new Date(at).toLocaleString([], { dateStyle: "medium", timeStyle: "short" })}
      </p>
      {rationale && <p class="rationale">{rationale}</p>}
      {confidence !== undefined && (
        <p class="sure">
          <span class="share" style={{ "--share": `${confidence}%` }} />
          How sure the agent is: {confidence} of 100
        </p>
      )}
      {hasPassages && <Passages proposal={proposal} />}
      {preview && !hasPassages && <Preview text={preview} />}
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
        <button
          type="button"
          class="yes"
          aria-keyshortcuts="a"
          onClick={() => void accept(proposal)}
        >
          Accept <kbd>a</kbd>
        </button>
        <button
          type="button"
          aria-keyshortcuts="e"
          aria-expanded={open.value === "editing"}
          onClick={toggle("editing")}
        >
          Edit <kbd>e</kbd>
        </button>
        <button
          type="button"
          aria-keyshortcuts="r"
          aria-expanded={open.value === "rejecting"}
          onClick={toggle("rejecting")}
        >
          Reject <kbd>r</kbd>
        </button>
        <button type="button" aria-keyshortcuts="s" onClick={() => step(1)}>
          Skip <kbd>s</kbd>
        </button>
        <button
          type="button"
          aria-keyshortcuts="x"
          aria-pressed={ticked.value.has(proposal.id)}
          onClick={() => tick(proposal.id)}
        >
          Tick <kbd>x</kbd>
        </button>
      </div>
      {open.value === "rejecting" && <Rejecting proposal={proposal} />}
      {open.value === "editing" && <Editing proposal={proposal} />}
    </>
  );
}

function Rejecting({ proposal }: { proposal: Proposal }) {
  const field = useRef<HTMLInputElement>(null);
  // Before the browser paints, so that no key typed at once is taken for a shortcut.
  useLayoutEffect(() => field.current?.focus(), []);
  return (
    <form
      class="reason"
      onSubmit={(event) => {
        event.preventDefault();
        void reject(proposal, field.current?.value.trim() ?? "");
      }}
    >
      <label>
        Why not, for the agent and for later
        <input ref={field} type="text" maxLength={10_000} />
      </label>
      <button type="submit">Reject it</button>
    </form>
  );
}
