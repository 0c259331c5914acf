import { computed } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { address, hrefOf } from "../address.ts";
import { openReader } from "../focus.ts";
import { type Hit, hasMore, hits, limit, markedHit, placeOf, wantMore } from "./hits.ts";
import { Runs } from "./marked.tsx";
import { lookedAt, previewed } from "./preview.ts";
import { Reasons } from "./reasons.tsx";

export function Results() {
  const { query, results = [], notes = [] } = hits.answer.value ?? {};
  const list = useRef<HTMLOListElement>(null);
  /** How many were there when more were asked for. */
  const before = useRef<number | undefined>(undefined);
  // The button goes, so whoever pressed it is led on to the first that is new.
  useLayoutEffect(() => {
    if (before.current === undefined) return;
    const links = [...(list.current?.querySelectorAll<HTMLElement>("h2 a") ?? [])];
    (links[before.current] ?? links.at(-1))?.focus();
    before.current = undefined;
  }, [hits.answer.value]);
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
            before.current = results.length;
            wantMore();
          }}
        >
          More results
        </button>
      )}
    </>
  );
}

function countOf(results: readonly Hit[] | undefined): string {
  if (!results) return "";
  if (results.length === 0) return "Nothing found. Fewer or other words may help.";
  if (results.length === limit.value) return `The best ${results.length} results`;
  return results.length === 1 ? "1 result" : `${results.length} results`;
}

const openFile = computed(() => address.value.file);

/** The list changes with its answer; a letter that is typed meanwhile draws nothing anew. */
function Result({ hit }: { hit: Hit }) {
  const place = placeOf(hit);
  const { title, passage } = markedHit(hit);
  const isOpen = openFile.value === hit.file;
  const isPreviewed = previewed.value?.file === hit.file;
  return (
    <li class={isPreviewed ? "result previewed" : "result"}>
      <h2>
        <a
          href={hrefOf({ ...address.peek(), anchor: "", ...place })}
          data-file={hit.file}
          aria-current={isOpen ? "true" : undefined}
          onFocus={() => {
            lookedAt.value = hit.file;
          }}
          onClick={(event) => {
            // With a modifier the browser opens a tab or a window, as with any link.
            if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
            event.preventDefault();
            openReader(place);
          }}
        >
          <Runs runs={title} />
        </a>
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
