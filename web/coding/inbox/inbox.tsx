import { screenAddress } from "../../app/address.ts";
import { KeyButton } from "../../components/key-button.tsx";
import { Link } from "../../components/link.tsx";
import { redoLast, statusMessage, undoLast } from "../coding-actions.ts";
import { codeOf, inboxName } from "../project-state.ts";
import { Swatch } from "../swatch.tsx";
import {
  acceptInboxItem,
  cancelPlacement,
  currentInboxItem,
  dismissInboxItem,
  type InboxItem,
  inboxItems,
  itemBeingPlaced,
  placeAtSelection,
  proposedPassage,
  startPlacement,
  stepInbox,
} from "./inbox-state.ts";

/** The items that lost their position: the old text, the proposed position and its probability. */
export function Inbox() {
  const { items = [], total = 0 } = inboxItems.answer.value ?? {};
  const item = currentInboxItem.value;
  const at = items.findIndex(({ id }) => id === item?.id) + 1;
  return (
    <article class="inbox" aria-labelledby="inbox">
      <h3 id="inbox">Inbox</h3>
      <p class="outcome" role="status">
        {inboxItems.failure.value ?? statusMessage.value}
      </p>
      {!item && (
        <p class="notice">
          The inbox is empty. When an edit removes the text of a coding, the coding waits here until
          you place it again.
        </p>
      )}
      {item && (
        <>
          <p class="about">
            {at} of {total} · {item.kind} in{" "}
            <Link to={screenAddress("coding", String(item.source_id))}>{item.source_name}</Link>
          </p>
          <InboxComparison item={item} />
          <Acts item={item} />
          <List items={items} current={item} />
        </>
      )}
    </article>
  );
}

function InboxComparison({ item }: { item: InboxItem }) {
  const code = item.code_id === null ? undefined : codeOf(item.code_id);
  const proposed = proposedPassage.answer.value;
  return (
    <>
      <p class="code">
        {code && <Swatch color={code.color} />}
        {code?.name ?? item.kind}
      </p>
      <div class="compared">
        <section aria-labelledby="original-text">
          <h4 id="original-text">Original text</h4>
          <blockquote>{item.quote}</blockquote>
        </section>
        <section aria-labelledby="proposed-position">
          <h4 id="proposed-position">
            {item.start_position === undefined
              ? "No match found"
              : `Proposed, ${Math.round(item.score * 100)} % likely`}
          </h4>
          {item.start_position === undefined ? (
            <p class="notice">Place it manually, or discard it.</p>
          ) : (
            <blockquote>
              {proposed?.id === item.id && (
                <>
                  …{proposed.before}
                  <mark>{proposed.passage}</mark>
                  {proposed.after}…
                </>
              )}
            </blockquote>
          )}
        </section>
      </div>
    </>
  );
}

function Acts({ item }: { item: InboxItem }) {
  return (
    <div class="acts tools-row">
      {item.start_position !== undefined && (
        <KeyButton class="yes" shortcut="a" onClick={() => void acceptInboxItem(item)}>
          Accept
        </KeyButton>
      )}
      <KeyButton shortcut="e" onClick={() => startPlacement(item)}>
        Place manually
      </KeyButton>
      <KeyButton shortcut="d" onClick={() => void dismissInboxItem(item)}>
        Discard
      </KeyButton>
      <KeyButton shortcut="k" onClick={() => stepInbox(-1)}>
        Previous
      </KeyButton>
      <KeyButton shortcut="j" onClick={() => stepInbox(1)}>
        Next
      </KeyButton>
      <KeyButton shortcut="u" onClick={() => void undoLast()}>
        Undo
      </KeyButton>
      <KeyButton shortcut="r" onClick={() => void redoLast()}>
        Redo
      </KeyButton>
    </div>
  );
}

function List({ items, current }: { items: readonly InboxItem[]; current: InboxItem }) {
  if (items.length < 2) return null;
  return (
    <ol class="waiting" aria-label="Inbox items">
      {items.map(({ id, quote, code_id, source_name }) => (
        <li key={id}>
          <Link
            to={screenAddress("coding", inboxName, String(id))}
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

/** Shown while the user places an item manually. */
export function PlacementBar() {
  const item = itemBeingPlaced.value;
  if (!item) return null;
  return (
    <section class="placing" aria-label="Place an inbox item">
      <p>Where does “{item.quote.slice(0, 200)}” belong? Select the text.</p>
      <p class="acts">
        <KeyButton class="yes" shortcut="h" onClick={() => void placeAtSelection()}>
          Place here
        </KeyButton>
        <button type="button" onClick={cancelPlacement}>
          Back to the inbox
        </button>
      </p>
    </section>
  );
}
