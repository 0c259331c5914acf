import { Link } from "../link.tsx";
import { columnsInTurn, drawn } from "../objects/drawing.ts";
import { Picture } from "../objects/picture.tsx";
import { NoDecisions, Status } from "./decisions.tsx";
import { byFile, type Decision, decisions, nameOf, statusOf } from "./known-decisions.ts";
import { decisionAt } from "./place.ts";

/** Which decision took the place of which, as a drawing and as a table. */
export function Succession() {
  const { failure, answer } = decisions;
  if (failure.value) return <p class="notice">{failure.value}</p>;
  if (!answer.value) return <p class="notice">Loading…</p>;
  if (answer.value.records.length === 0) return <NoDecisions />;
  const pairs = answer.value.records.flatMap((newer) =>
    newer.supersedes.flatMap((file) => {
      const older = byFile.value.get(file);
      return older ? { older, newer } : [];
    }),
  );
  if (pairs.length === 0) {
    return <p class="notice">No decision was superseded yet: all of them stand for themselves.</p>;
  }
  return (
    <section class="graph" aria-label="Graph">
      <Drawn pairs={pairs} />
      <table>
        <caption>What took the place of what</caption>
        <thead>
          <tr>
            <th scope="col">Earlier</th>
            <th scope="col">Later</th>
            <th scope="col">Status of the later one</th>
          </tr>
        </thead>
        <tbody>
          {pairs.map(({ older, newer }) => (
            <tr key={`${older.file}\n${newer.file}`}>
              <td>
                <Link to={decisionAt(older.file)}>{nameOf(older)}</Link>
              </td>
              <td>
                <Link to={decisionAt(newer.file)}>{nameOf(newer)}</Link>
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

function Drawn({ pairs }: { pairs: readonly { older: Decision; newer: Decision }[] }) {
  const connections = pairs.map(({ older, newer }) => ({
    source: older.file,
    target: newer.file,
    words: "superseded by",
  }));
  const ends = new Set(pairs.flatMap(({ older, newer }) => [older, newer]));
  const nodes = [...ends].map((decision) => ({ id: decision.file, decision }));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by key
    <section class="picture" tabIndex={0} aria-label="Drawing">
      <Picture
        name="Which decision took the place of which"
        drawing={drawn(nodes, connections, columnsInTurn(connections))}
        show={({ decision }) => ({
          to: decisionAt(decision.file),
          title: nameOf(decision),
          about: [statusOf(decision), decision.date].filter(Boolean).join(" · "),
          isPast: decision.superseded_by.length > 0,
        })}
      />
    </section>
  );
}
