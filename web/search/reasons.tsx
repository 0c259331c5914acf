import { type Hit, wantsReasons } from "./hits.ts";

/** The score of a hit, and on request what made it. */
export function Reasons({ hit }: { hit: Hit }) {
  return (
    <details
      class="reasons"
      onToggle={(event) => {
        if (event.currentTarget.open) wantsReasons.value = true;
      }}
    >
      <summary>
        <span class="unseen">Why the score of </span>
        <span class="score">{Math.round(hit.score * 100)} %</span>
      </summary>
      <Words hit={hit} />
      <Lists hit={hit} />
      {hit.rerank !== undefined && <p>The re-ranker gave it {hit.rerank}.</p>}
    </details>
  );
}

const places = [
  ["title", "title"],
  ["headings", "headings"],
  ["path", "path"],
  ["body", "text"],
] as const;

function Words({ hit: { explain, lists } }: { hit: Hit }) {
  if (!explain) return <p>{wantsReasons.value ? "Asking…" : ""}</p>;
  if (explain.length === 0) return lists ? null : <p>No word of the query counted.</p>;
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Word</th>
          <th scope="col">Weight</th>
          <th scope="col">Strength</th>
          <th scope="col">Found in</th>
        </tr>
      </thead>
      <tbody>
        {explain.map(({ word, read = [], weight, strength, found }) => (
          <tr key={word}>
            <th scope="row">
              {word}
              {read.length > 0 && ` (as ${read.join(", ")})`}
            </th>
            <td>{Math.round(weight * 100)} %</td>
            <td>{Math.round(strength * 100)} %</td>
            <td>
              {places
                .filter(([key]) => found[key] > 0)
                .map(([key, name]) => `${name} ${found[key]} ×`)
                .join(", ") || "nothing"}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Which of the joined searches had it, and at which place. */
function Lists({ hit: { lists = [] } }: { hit: Hit }) {
  if (lists.length === 0) return null;
  return (
    <ul>
      {lists.map(({ by, query, rank, weight }) => (
        <li key={`${by} ${query}`}>
          {by === "meaning" ? "By meaning" : "By keywords"}: place {rank} for “{query}”
          {weight !== 1 && `, counted ${weight} times`}
        </li>
      ))}
    </ul>
  );
}
