import { computed } from "@preact/signals";
import { useRef } from "preact/hooks";
import { address } from "../address.ts";
import { library } from "../collections/library.ts";
import { Preparing } from "../home/preparing.tsx";
import { type Hit, hasMore, hits, limit, markedHit, placeOf, wantMore } from "./hits.ts";
import { Runs } from "./marked.tsx";
import { previewed } from "./preview.ts";
import { Reasons } from "./reasons.tsx";
import { ResultLink, useFirstNew } from "./result-link.tsx";

export function Results() {
  const { query, results = [], notes = [] } = hits.answer.value ?? {};
  const list = useRef<HTMLOListElement>(null);
  const comeBehind = useFirstNew(list, hits.answer);
  return (
    <>
      <p class="found" role="status">
        {hits.failure.value ?? countOf(hits.answer.value?.results)}
      </p>
      {notes.map((note) => (
        <p class="found" key={note}>
          {note}
        </p>
      ))}
      {byMeaning.value && library.answer.value && (
        <div class="preparing">
          <Preparing status={library.answer.value} />
        </div>
      )}
      <ol class="results" data-answers={query} ref={list}>
        {results.map((hit) => (
          <Result key={hit.file} hit={hit} />
        ))}
      </ol>
      {hasMore.value && (
        <button
          type="button"
          class="more"
          onClick={() => {
            comeBehind(results.length);
            wantMore();
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
  if (results.length === 0) return "Nothing found. Fewer or other words may help.";
  if (results.length === limit.value) return `The best ${results.length} results`;
  return results.length === 1 ? "1 result" : `${results.length} results`;
}

/** The list changes with its answer; a letter that is typed meanwhile draws nothing anew. */
function Result({ hit }: { hit: Hit }) {
  const place = placeOf(hit);
  const { title, passage } = markedHit(hit);
  const isPreviewed = previewed.value?.file === hit.file;
  return (
    <li class={isPreviewed ? "result previewed" : "result"}>
      <h2>
        <ResultLink place={place}>
          <Runs runs={title} />
        </ResultLink>
      </h2>
      <p class="origin">
        <span class="file">{hit.file}</span>
      </p>
      <p class="passage">
        {passage.map(({ number, runs }) => (
          <span class="line" key={number} data-number={number}>
            <Runs runs={runs} />
          </span>
        ))}
      </p>
      <Reasons hit={hit} />
    </li>
  );
}
