import { computed } from "@preact/signals";
import { useRef } from "preact/hooks";
import { address } from "../app/address.ts";
import { libraryStatus } from "../collections/library-status.ts";
import { EmbeddingJob } from "../home/embedding-job.tsx";
import { HighlightedRuns } from "./highlighted-text.tsx";
import { ResultLink, useFocusFirstNew } from "./result-link.tsx";
import { previewTarget } from "./result-preview.ts";
import { ScoreExplanation } from "./score-explanation.tsx";
import {
  type Hit,
  hasMoreResults,
  highlightHit,
  hitLocation,
  resultLimit,
  searchResults,
  showMoreResults,
} from "./search-results-state.ts";

export function Results() {
  const { query, results = [], notes = [] } = searchResults.answer.value ?? {};
  const list = useRef<HTMLOListElement>(null);
  const focusNewAfter = useFocusFirstNew(list, searchResults.answer);
  return (
    <>
      <p class="found" role="status">
        {searchResults.failure.value ?? countOf(searchResults.answer.value?.results)}
      </p>
      {notes.map(({ message }) => (
        <p class="found" key={message}>
          {message}
        </p>
      ))}
      {byMeaning.value && libraryStatus.answer.value && (
        <div class="preparing">
          <EmbeddingJob status={libraryStatus.answer.value} />
        </div>
      )}
      <ol class="results" data-answers={query} ref={list}>
        {results.map((hit) => (
          <Result key={hit.file} hit={hit} />
        ))}
      </ol>
      {hasMoreResults.value && (
        <button
          type="button"
          class="more"
          onClick={() => {
            focusNewAfter(results.length);
            showMoreResults();
          }}
        >
          More results
        </button>
      )}
    </>
  );
}

const byMeaning = computed(() => address.value.filters.by !== "");

function countOf(results: readonly Hit[] | undefined): string {
  if (!results) return "";
  if (results.length === 0) return "Nothing found. Try fewer or other words.";
  if (results.length === resultLimit.value) return `The best ${results.length} results`;
  return results.length === 1 ? "1 result" : `${results.length} results`;
}

/** Depends only on its hit, so that typing does not re-render the list. */
function Result({ hit }: { hit: Hit }) {
  const location = hitLocation(hit);
  const { title, passage } = highlightHit(hit);
  const isPreviewed = previewTarget.value?.file === hit.file;
  return (
    <li class={isPreviewed ? "result previewed" : "result"}>
      <h2>
        <ResultLink target={location}>
          <HighlightedRuns runs={title} />
        </ResultLink>
      </h2>
      <p class="origin">
        <span class="file">{hit.file}</span>
      </p>
      <p class="passage">
        {passage.map(({ number, runs }) => (
          <span class="line" key={number} data-number={number}>
            <HighlightedRuns runs={runs} />
          </span>
        ))}
      </p>
      <ScoreExplanation hit={hit} />
    </li>
  );
}
