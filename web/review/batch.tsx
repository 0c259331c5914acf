import { address, screen } from "../address.ts";
import { Link } from "../link.tsx";
import { acceptTicked, current, queue, tick, ticked } from "./queue.ts";
import { whoIs } from "./who.ts";

/** Everything that waits, as a list; what is ticked is accepted together. */
export function Batch() {
  const chosen = queue.value.filter(({ id }) => ticked.value.has(id));
  const rest = queue.value.filter(({ id }) => !ticked.value.has(id));
  return (
    <section class="batch" aria-labelledby="batch">
      <header>
        <h2 id="batch">All that waits</h2>
        <button
          type="button"
          class="quiet"
          onClick={() => tick(...(rest.length > 0 ? rest : chosen).map(({ id }) => id))}
        >
          {rest.length > 0 ? `Tick all ${queue.value.length}` : "Tick none"}
        </button>
      </header>
      <ol>
        {queue.value.map(({ id, summary, actor }) => (
          <li key={id}>
            <input
              type="checkbox"
              aria-label={`Tick number ${id}: ${summary}`}
              checked={ticked.value.has(id)}
              onChange={() => tick(id)}
            />
            <Link
              to={{ ...screen("review", String(id)), part: address.value.part }}
              aria-current={id === current.value?.id ? "true" : undefined}
            >
              {summary}
            </Link>
            <span class="who">{whoIs(actor)}</span>
          </li>
        ))}
      </ol>
      <button type="button" disabled={chosen.length === 0} onClick={() => void acceptTicked()}>
        Accept the {chosen.length} that {chosen.length === 1 ? "is" : "are"} ticked
      </button>
    </section>
  );
}
