import { computed, signal } from "@preact/signals";
import { address } from "../address.ts";
import { asking } from "../asking.ts";
import { call, type Output } from "../client.ts";

type Listed = Output<"list_documents">["documents"];

/** The collection that is leafed through: one is chosen, and nothing is looked for in it. */
export const browsed = computed(() => {
  const { view, query, collection } = address.value;
  return view === "" && query.trim() === "" ? collection : "";
});

/** So many documents are asked for at once. */
const partSize = 200;

/** The collection that somebody wants more of; the next one begins with its first part again. */
const longer = signal({ of: "", parts: 1 });
const parts = computed(() => (longer.value.of === browsed.value ? longer.value.parts : 1));

export const wantMore = (): void => {
  longer.value = { of: browsed.peek(), parts: parts.peek() + 1 };
};

/** The documents of the collection, by their paths. */
export const listed = asking(async (signal) => {
  const [collection, wanted] = [browsed.value, parts.value];
  if (collection === "") return undefined;
  const documents: Listed = [];
  let cursor: string | undefined;
  let total = 0;
  for (let part = 0; part < wanted && (part === 0 || cursor !== undefined); part++) {
    const input = { collection, limit: partSize, ...(cursor !== undefined && { cursor }) };
    const answer = await call("list_documents", input, signal);
    documents.push(...answer.documents);
    ({ total, next_cursor: cursor } = answer);
  }
  return { collection, documents, total, hasMore: cursor !== undefined };
});
