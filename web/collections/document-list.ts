import { computed, signal } from "@preact/signals";
import { address } from "../app/address.ts";
import { call, type Output } from "../server/client.ts";
import { createLiveQuery } from "../server/live-query.ts";

type ListedDocuments = Output<"list_documents">["documents"];

/** The collection whose documents are listed: one is selected, and there is no query. */
export const browsedCollection = computed(() => {
  const { view, query, collection } = address.value;
  return view === "" && query.trim() === "" ? collection : "";
});

/** Documents per request. */
const pageSize = 200;

/** How many pages of which collection to show; any other collection starts with one page. */
const requestedPages = signal({ collection: "", pages: 1 });
const pages = computed(() =>
  requestedPages.value.collection === browsedCollection.value ? requestedPages.value.pages : 1,
);

export const showMoreDocuments = (): void => {
  requestedPages.value = { collection: browsedCollection.peek(), pages: pages.peek() + 1 };
};

/** The documents of the collection, ordered by path. */
export const documentList = createLiveQuery(async (signal) => {
  const [collection, pageCount] = [browsedCollection.value, pages.value];
  if (collection === "") return undefined;
  const documents: ListedDocuments = [];
  let cursor: string | undefined;
  let total = 0;
  for (let page = 0; page < pageCount && (page === 0 || cursor !== undefined); page++) {
    const input = { collection, limit: pageSize, ...(cursor !== undefined && { cursor }) };
    const answer = await call("list_documents", input, signal);
    documents.push(...answer.documents);
    ({ total, next_cursor: cursor } = answer);
  }
  return { collection, documents, total, hasMore: cursor !== undefined };
});
