import { type Hit, isExplaining } from "./search-results-state.ts";

/** The score of a hit, and its explanation on request. */
export function ScoreExplanation({ hit }: { hit: Hit }) {
  return (
    <details
      class="reasons"
      onToggle={(event) => {
        if (event.currentTarget.open) isExplaining.value = true;
      }}
    >
      <summary>
        <span class="unseen">Explain score </span>
        <span class="score">{Math.round(hit.score * 100)} %</span>
      </summary>
      <WordScores hit={hit} />
      <Ranks hit={hit} />
      {hit.rerank !== undefined && <p>Score of the re-ranker: {hit.rerank}</p>}
    </details>
  );
}

const fieldLabels = [
  ["title", "title"],
  ["headings", "headings"],
  ["path", "path"],
  ["body", "text"],
] as const;

function WordScores({ hit: { explain, lists } }: { hit: Hit }) {
  if (!explain) return <p>{isExplaining.value ? "Loading…" : ""}</p>;
  if (explain.length === 0) return lists ? null : <p>No word of the query was scored.</p>;
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
              {fieldLabels
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

/** The rank of the hit in each of the fused searches. */
function Ranks({ hit: { lists = [] } }: { hit: Hit }) {
  if (lists.length === 0) return null;
  return (
    <ul>
      {lists.map(({ by, query, rank, weight }) => (
        <li key={`${by} ${query}`}>
          {by === "meaning" ? "By meaning" : "By keywords"}: rank {rank} for “{query}”
          {weight !== 1 && `, weight ${weight}`}
        </li>
      ))}
    </ul>
  );
}
