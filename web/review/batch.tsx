import { address, screenAddress } from "../app/address.ts";
import { Link } from "../components/link.tsx";
import { actorName } from "./actor-name.ts";
import {
  acceptSelected,
  currentProposal,
  reviewQueue,
  selectedIds,
  toggleSelected,
} from "./review-queue.ts";

/** All pending proposals, to accept several together. */
export function Batch() {
  const selected = reviewQueue.value.filter(({ id }) => selectedIds.value.has(id));
  const unselected = reviewQueue.value.filter(({ id }) => !selectedIds.value.has(id));
  return (
    <section class="batch" aria-labelledby="batch">
      <header>
        <h2 id="batch">All proposals</h2>
        <button
          type="button"
          class="quiet"
          onClick={() =>
            toggleSelected(...(unselected.length > 0 ? unselected : selected).map(({ id }) => id))
          }
        >
          {unselected.length > 0 ? `Select all ${reviewQueue.value.length}` : "Select none"}
        </button>
      </header>
      <ol>
        {reviewQueue.value.map(({ id, summary, actor }) => (
          <li key={id}>
            <input
              type="checkbox"
              aria-label={`Select number ${id}: ${summary}`}
              checked={selectedIds.value.has(id)}
              onChange={() => toggleSelected(id)}
            />
            <Link
              to={{ ...screenAddress("review", String(id)), part: address.value.part }}
              aria-current={id === currentProposal.value?.id ? "true" : undefined}
            >
              {summary}
            </Link>
            <span class="who">{actorName(actor)}</span>
          </li>
        ))}
      </ol>
      <button type="button" disabled={selected.length === 0} onClick={() => void acceptSelected()}>
        Accept {selected.length} selected
      </button>
    </section>
  );
}
