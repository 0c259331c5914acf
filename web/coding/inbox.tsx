import { screen } from "../address.ts";
import { Link } from "../link.tsx";
import { redo, said, undo } from "./applying.ts";
import { codeOf, inboxName } from "./project.ts";
import { Swatch } from "./swatch.tsx";
import {
  accept,
  beginPlacing,
  dismiss,
  leavePlacing,
  looked,
  nowThere,
  placeHere,
  placing,
  stepInbox,
  type Waiting,
  waiting,
} from "./waiting.ts";

/** What lost its place: what it stood at, where it may belong, and how likely that is. */
export function Inbox() {
  const { items = [], total = 0 } = waiting.answer.value ?? {};
  const item = looked.value;
  const at = items.findIndex(({ id }) => id === item?.id) + 1;
  return (
    <article class="inbox" aria-labelledby="inbox">
      <h3 id="inbox">Inbox</h3>
      <p class="outcome" role="status">
        {waiting.failure.value ?? said.value}
      </p>
      {!item && (
        <p class="notice">
          Nothing waits. When a text is edited and the words of a coding are gone, it waits here
          until you say where it belongs.
        </p>
      )}
      {item && (
        <>
          <p class="about">
            {at} of {total} · {item.kind} in{" "}
            <Link to={screen("coding", String(item.source_id))}>{item.source_name}</Link>
          </p>
          <Compared item={item} />
          <Acts item={item} />
          <List items={items} current={item} />
        </>
      )}
    </article>
  );
}

function Compared({ item }: { item: Waiting }) {
  const code = item.code_id === null ? undefined : codeOf(item.code_id);
  const found = nowThere.answer.value;
  return (
    <>
      <p class="code">
        {code && <Swatch color={code.color} />}
        {code?.name ?? item.kind}
      </p>
      <div class="compared">
        <section aria-labelledby="stood-at">
          <h4 id="stood-at">It stood at</h4>
          <blockquote>{item.quote}</blockquote>
        </section>
        <section aria-labelledby="now-there">
          <h4 id="now-there">
            {item.start_position === undefined
              ? "No place was found"
              : `Proposed, ${Math.round(item.score * 100)} % likely`}
          </h4>
          {item.start_position === undefined ? (
            <p class="notice">Place it by hand, or let go of it.</p>
          ) : (
            <blockquote>
              {found?.id === item.id && (
                <>
                  …{found.before}
                  <mark>{found.there}</mark>
                  {found.behind}…
                </>
              )}
            </blockquote>
          )}
        </section>
      </div>
    </>
  );
}

function Acts({ item }: { item: Waiting }) {
  return (
    <div class="acts tools-row">
      {item.start_position !== undefined && (
        <button type="button" class="yes" aria-keyshortcuts="a" onClick={() => void accept(item)}>
          Accept <kbd>a</kbd>
        </button>
      )}
      <button type="button" aria-keyshortcuts="e" onClick={() => beginPlacing(item)}>
        Place by hand <kbd>e</kbd>
      </button>
      <button type="button" aria-keyshortcuts="d" onClick={() => void dismiss(item)}>
        Let go <kbd>d</kbd>
      </button>
      <button type="button" aria-keyshortcuts="k" onClick={() => stepInbox(-1)}>
        Previous <kbd>k</kbd>
      </button>
      <button type="button" aria-keyshortcuts="j" onClick={() => stepInbox(1)}>
        Next <kbd>j</kbd>
      </button>
      <button type="button" aria-keyshortcuts="u" onClick={() => void undo()}>
        Undo <kbd>u</kbd>
      </button>
      <button type="button" aria-keyshortcuts="r" onClick={() => void redo()}>
        Redo <kbd>r</kbd>
      </button>
    </div>
  );
}

function List({ items, current }: { items: readonly Waiting[]; current: Waiting }) {
  if (items.length < 2) return null;
  return (
    <ol class="waiting" aria-label="Everything that waits">
      {items.map(({ id, quote, code_id, source_name }) => (
        <li key={id}>
          <Link
            to={screen("coding", inboxName, String(id))}
            aria-current={id === current.id ? "true" : undefined}
          >
            {quote.slice(0, 80)}
          </Link>
          <span class="about">
            {code_id === null ? "" : `${codeOf(code_id)?.name ?? ""} · `}
            {source_name}
          </span>
        </li>
      ))}
    </ol>
  );
}

/** While somebody looks for a place in the text. */
export function Placing() {
  const item = placing.value;
  if (!item) return null;
  return (
    <section class="placing" aria-label="A place for what waits">
      <p>Where does “{item.quote.slice(0, 200)}” belong? Select the words.</p>
      <p class="acts">
        <button type="button" class="yes" aria-keyshortcuts="h" onClick={() => void placeHere()}>
          Place here <kbd>h</kbd>
        </button>
        <button type="button" onClick={leavePlacing}>
          Back to the inbox
        </button>
      </p>
    </section>
  );
}
