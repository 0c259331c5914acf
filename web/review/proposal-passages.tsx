import { screenAddress } from "../app/address.ts";
import { Link } from "../components/link.tsx";
import { DiffPreview } from "./diff-preview.tsx";
import { maxExcerpts, passageExcerpts } from "./passage-excerpts.ts";
import { type PassageExcerpt, passagesIn } from "./proposal-passages.ts";
import type { Proposal } from "./review-queue.ts";

/** The passages of a proposal, each in its context. */
export function ProposalPassages({ proposal }: { proposal: Proposal }) {
  const { answer } = passageExcerpts;
  const excerpts = answer.value?.id === proposal.id ? answer.value.excerpts : undefined;
  const remaining = passagesIn(proposal.input).length - maxExcerpts;
  if (!excerpts) return proposal.preview ? <DiffPreview text={proposal.preview} /> : null;
  return (
    <>
      <ol class="passages" aria-label="Proposed passages">
        {excerpts.map((excerpt, index) => (
          <Excerpt key={index} excerpt={excerpt} />
        ))}
      </ol>
      {remaining > 0 && <p class="notice">… and {remaining} more.</p>}
      {proposal.preview && (
        <details>
          <summary>Original proposal</summary>
          <DiffPreview text={proposal.preview} />
        </details>
      )}
    </>
  );
}

function Excerpt({
  excerpt: { source_id, source, code, range, before, text, after },
}: {
  excerpt: PassageExcerpt;
}) {
  const part = range ? `${range.start}-${range.end}` : "";
  return (
    <li>
      <p class="about">
        {code && <strong>{code}</strong>}
        {code && " in "}
        <Link to={screenAddress("coding", String(source_id), part)}>{source}</Link>
        {!range && ", where this text was not found"}
      </p>
      <blockquote>
        {before}
        <mark>{text}</mark>
        {after}
      </blockquote>
    </li>
  );
}
