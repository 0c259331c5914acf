import { Link } from "../components/link.tsx";
import { layeredColumns, layoutGraph } from "../objects/graph-layout.ts";
import { GraphSvg } from "../objects/graph-svg.tsx";
import { decisionAddress } from "./architecture-address.ts";
import {
  type Decision,
  decisions,
  decisionsByFile,
  decisionTitle,
  statusOf,
} from "./decision-state.ts";
import { NoDecisions, Status } from "./decisions.tsx";

/** Which decision superseded which, as a diagram and as a table. */
export function SupersessionGraph() {
  const { failure, answer } = decisions;
  if (failure.value) return <p class="notice">{failure.value}</p>;
  if (!answer.value) return <p class="notice">Loading…</p>;
  if (answer.value.records.length === 0) return <NoDecisions />;
  const pairs = answer.value.records.flatMap((newer) =>
    newer.supersedes.flatMap((file) => {
      const older = decisionsByFile.value.get(file);
      return older ? { older, newer } : [];
    }),
  );
  if (pairs.length === 0) {
    return <p class="notice">No decision has been superseded.</p>;
  }
  return (
    <section class="graph" aria-label="Graph">
      <Diagram pairs={pairs} />
      <table>
        <caption>Superseded decisions</caption>
        <thead>
          <tr>
            <th scope="col">Earlier</th>
            <th scope="col">Later</th>
            <th scope="col">Status of the later decision</th>
          </tr>
        </thead>
        <tbody>
          {pairs.map(({ older, newer }) => (
            <tr key={`${older.file}\n${newer.file}`}>
              <td>
                <Link to={decisionAddress(older.file)}>{decisionTitle(older)}</Link>
              </td>
              <td>
                <Link to={decisionAddress(newer.file)}>{decisionTitle(newer)}</Link>
              </td>
              <td>
                <Status decision={newer} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Diagram({ pairs }: { pairs: readonly { older: Decision; newer: Decision }[] }) {
  const connections = pairs.map(({ older, newer }) => ({
    source: older.file,
    target: newer.file,
    label: "superseded by",
  }));
  const ends = new Set(pairs.flatMap(({ older, newer }) => [older, newer]));
  const nodes = [...ends].map((decision) => ({ id: decision.file, decision }));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region needs keyboard access
    <section class="picture" tabIndex={0} aria-label="Diagram">
      <GraphSvg
        name="Which decision superseded which"
        drawing={layoutGraph(nodes, connections, layeredColumns(connections))}
        show={({ decision }) => ({
          to: decisionAddress(decision.file),
          title: decisionTitle(decision),
          about: [statusOf(decision), decision.date].filter(Boolean).join(" · "),
          isPast: decision.superseded_by.length > 0,
        })}
      />
    </section>
  );
}
