import { address, screenAddress } from "../app/address.ts";
import { Link, useHeadingFocus } from "../components/link.tsx";
import { call, type Output } from "../server/client.ts";
import { createLiveQuery } from "../server/live-query.ts";

export const readLog = createLiveQuery((signal) =>
  address.value.view === "review" && address.value.part !== ""
    ? call("list_reads", {}, signal)
    : undefined,
);

/** The passages that agents have read, newest first. */
export function ReadLog() {
  const heading = useHeadingFocus("reads");
  const { reads: list = [], remaining } = readLog.answer.value ?? {};
  return (
    <section class="policy" aria-labelledby="reads">
      <h2 id="reads" ref={heading} tabIndex={-1}>
        What agents have read
      </h2>
      <p class="outcome" role="status">
        {readLog.failure.value}
      </p>
      {readLog.answer.value && list.length === 0 && (
        <p class="notice">
          No agent has read any text of a project. Passages that agents read are listed here.
        </p>
      )}
      {list.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region needs keyboard access
        <section class="wide" tabIndex={0} aria-label="Passages read">
          <table>
            <thead>
              <tr>
                <th scope="col">When</th>
                <th scope="col">Agent</th>
                <th scope="col">Passage</th>
                <th scope="col">Operation</th>
              </tr>
            </thead>
            <tbody>
              {list.map((read) => (
                <ReadRow key={read.id} read={read} />
              ))}
            </tbody>
          </table>
        </section>
      )}
      {remaining !== undefined && <p class="notice">… and {remaining} older reads.</p>}
    </section>
  );
}

function ReadRow({ read }: { read: Output<"list_reads">["reads"][number] }) {
  const { at, agent, source_id, source_name, start_pos, end_pos, operation } = read;
  const passage = `${start_pos}-${end_pos}`;
  return (
    <tr>
      <td>{new Date(at).toLocaleString([], { dateStyle: "medium", timeStyle: "short" })}</td>
      <th scope="row">{agent}</th>
      <td>
        <Link to={screenAddress("coding", String(source_id), passage)}>
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
