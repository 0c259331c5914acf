import { useRef } from "preact/hooks";
import { counted } from "../../src/text/counted.ts";
import { ResultLink, useFirstNew } from "../search/result-link.tsx";
import { browsed, listed, wantMore } from "./listed.ts";

/** The documents of a collection, for whoever leafs through it. */
export function CollectionDocuments() {
  const list = useRef<HTMLOListElement>(null);
  const comeBehind = useFirstNew(list, listed.answer);
  const answer = listed.answer.value;
  const isOwn = answer?.collection === browsed.value;
  const { documents = [], total = 0, hasMore = false } = (isOwn && answer) || {};
  return (
    <>
      <p class="found" role="status">
        {listed.failure.value ?? (isOwn ? countOf(documents.length, total) : "")}
      </p>
      <ol class="results leafed" ref={list}>
        {documents.map(({ file, title }) => (
          <li class="result" key={file}>
            <h2>
              <ResultLink place={{ file, line: 1 }}>{title}</ResultLink>
            </h2>
            <p class="origin">
              <span class="file">{file}</span>
            </p>
          </li>
        ))}
      </ol>
      {hasMore && (
        <button
          type="button"
          class="more"
          onClick={() => {
            comeBehind(documents.length);
            wantMore();
          }}
        >
          More documents
        </button>
      )}
    </>
  );
}

const countOf = (shown: number, total: number): string =>
  shown < total ? `The first ${shown} of ${total} documents` : counted(total, "document");
