import { address, hrefOf } from "../address.ts";
import { openReader } from "../focus.ts";
import { type Hit, hits, mostHits, passageOf, placeOf, wanted } from "./hits.ts";
import { Marked } from "./marked.tsx";

export function Results() {
  const results = hits.answer.value?.results ?? [];
  return (
    <>
      <p class="count" role="status">
        {hits.failure.value ?? countOf(hits.answer.value?.results)}
      </p>
      <ol class="results">
        {results.map((hit) => (
          <Result key={hit.file} hit={hit} />
        ))}
      </ol>
    </>
  );
}

function countOf(results: readonly Hit[] | undefined): string {
  if (!results) return "";
  if (results.length === 0) return "Nothing found. Fewer or other words may help.";
  if (results.length === mostHits) return `The best ${mostHits} results`;
  return results.length === 1 ? "1 result" : `${results.length} results`;
}

function Result({ hit }: { hit: Hit }) {
  const place = placeOf(hit);
  const isOpen = address.value.file === hit.file;
  return (
    <li class="result">
      <h2>
        <a
          href={hrefOf({ ...address.value, ...place })}
          data-file={hit.file}
          aria-current={isOpen ? "true" : undefined}
          onClick={(event) => {
            // With a modifier the browser opens a tab or a window, as with any link.
            if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
            event.preventDefault();
            openReader(place);
          }}
        >
          <Marked text={hit.title} wanted={wanted.value} />
        </a>
      </h2>
      <p class="origin">
        <span class="file">{hit.file}</span>
        <span class="score">
          <span class="unseen">Score </span>
          {Math.round(hit.score * 100)} %
        </span>
      </p>
      <p class="passage">
        {passageOf(hit).map(({ number, text }) => (
          <span class="line" key={number} data-number={number}>
            <Marked text={text} wanted={wanted.value} />
          </span>
        ))}
      </p>
    </li>
  );
}
