import { address, screen } from "../address.ts";
import { asking } from "../asking.ts";
import { call, type Output } from "../client.ts";
import { Link, useArrival } from "../link.tsx";

export const reads = asking((signal) =>
  address.value.view === "review" && address.value.part !== ""
    ? call("list_reads", {}, signal)
    : undefined,
);

/** Which passages of which sources agents were given, the newest first. */
export function Reads() {
  const heading = useArrival("reads");
  const { reads: list = [], remaining } = reads.answer.value ?? {};
  return (
    <section class="policy" aria-labelledby="reads">
      <h2 id="reads" ref={heading} tabIndex={-1}>
        What agents have read
      </h2>
      <p class="outcome" role="status">
        {reads.failure.value}
      </p>
      {reads.answer.value && list.length === 0 && (
        <p class="notice">
          No agent has read any text of a project. What one is given is noted here.
        </p>
      )}
      {list.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by key
        <section class="wide" tabIndex={0} aria-label="Passages that were read">
          <table>
            <thead>
              <tr>
                <th scope="col">When</th>
                <th scope="col">Agent</th>
                <th scope="col">Passage</th>
                <th scope="col">By</th>
              </tr>
            </thead>
            <tbody>
              {list.map((read) => (
                <OneRead key={read.id} read={read} />
              ))}
            </tbody>
          </table>
        </section>
      )}
      {remaining !== undefined && <p class="notice">… and {remaining} older ones.</p>}
    </section>
  );
}

function OneRead({ read }: { read: Output<"list_reads">["reads"][number] }) {
  const { at, agent, source_id, source_name, start_pos, end_pos, operation } = read;
  const passage = `${start_pos}-${end_pos}`;
  return (
    <tr>
      <td>{new Date(at).toLocaleString([], { dateStyle: "medium", timeStyle: "short" })}</td>
      <th scope="row">{agent}</th>
      <td>
        <Link to={screen("coding", String(source_id), passage)}>
          {source_name ?? `source ${source_id}`}
        </Link>
        , {start_pos}–{end_pos}
      </td>
      <td>
        <code>{operation}</code>
      </td>
    </tr>
  );
}
