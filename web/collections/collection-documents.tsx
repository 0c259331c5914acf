import { useRef } from "preact/hooks";
import { pluralise } from "../../src/text/strings/pluralise.ts";
import { ResultLink, useFocusFirstNew } from "../search/result-link.tsx";
import { browsedCollection, documentList, showMoreDocuments } from "./document-list.ts";

/** The list of documents of a collection. */
export function CollectionDocuments() {
  const list = useRef<HTMLOListElement>(null);
  const focusNewAfter = useFocusFirstNew(list, documentList.answer);
  const answer = documentList.answer.value;
  const isOwn = answer?.collection === browsedCollection.value;
  const { documents = [], total = 0, hasMore = false } = (isOwn && answer) || {};
  return (
    <>
      <p class="found" role="status">
        {documentList.failure.value ?? (isOwn ? countOf(documents.length, total) : "")}
      </p>
      <ol class="results leafed" ref={list}>
        {documents.map(({ file, title }) => (
          <li class="result" key={file}>
            <h2>
              <ResultLink target={{ file, line: 1 }}>{title}</ResultLink>
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
            focusNewAfter(documents.length);
            showMoreDocuments();
          }}
        >
          More documents
        </button>
      )}
    </>
  );
}

const countOf = (shown: number, total: number): string =>
  shown < total ? `The first ${shown} of ${total} documents` : pluralise(total, "document");
