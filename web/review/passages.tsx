import { screen } from "../address.ts";
import { Link } from "../link.tsx";
import { passagesIn, type Seen } from "./passages.ts";
import { Preview } from "./preview.tsx";
import type { Proposal } from "./queue.ts";
import { mostSeen, seenPassages } from "./seen-passages.ts";

/** The passages that a proposal speaks of, each in its text. */
export function Passages({ proposal }: { proposal: Proposal }) {
  const { answer } = seenPassages;
  const known = answer.value?.id === proposal.id ? answer.value.seen : undefined;
  const more = passagesIn(proposal.input).length - mostSeen;
  if (!known) return proposal.preview ? <Preview text={proposal.preview} /> : null;
  return (
    <>
      <ol class="passages" aria-label="What would be coded">
        {known.map((seen, at) => (
          <OnePassage key={at} seen={seen} />
        ))}
      </ol>
      {more > 0 && <p class="notice">… and {more} more.</p>}
      {proposal.preview && (
        <details>
          <summary>As it was proposed</summary>
          <Preview text={proposal.preview} />
        </details>
      )}
    </>
  );
}

function OnePassage({
  seen: { source_id, source, code, place, before, words, behind },
}: {
  seen: Seen;
}) {
  const part = place ? `${place.start}-${place.end}` : "";
  return (
    <li>
      <p class="about">
        {code && <strong>{code}</strong>}
        {code && " in "}
        <Link to={screen("coding", String(source_id), part)}>{source}</Link>
        {!place && ", where these words are not found"}
      </p>
      <blockquote>
        {before}
        <mark>{words}</mark>
        {behind}
      </blockquote>
    </li>
  );
}
