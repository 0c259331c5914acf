import { computed, signal } from "@preact/signals";
import { parseQuery, queryTokens } from "../../src/text/search/query.ts";
import { type Address, address } from "../app/address.ts";
import { call, type Input, type Output } from "../server/client.ts";
import { createLiveQuery } from "../server/live-query.ts";
import { type HighlightRun, splitHighlights } from "./highlights.ts";

export type Hit = Output<"find">["results"][number];

/** The first 20 fill a screen and are fast while typing. Beyond 50 a better query is needed. */
const limits = { initial: 20, expanded: 50 };

const query = computed(() => address.value.query.trim());
const collection = computed(() => address.value.collection);
/** A string, so that navigation with equal filters does not repeat the search. */
const filters = computed(() => JSON.stringify(address.value.filters));

const question = computed(() => `${query.value}\n${collection.value}\n${filters.value}`);

/** The question whose results are expanded; a new one starts with few results again. */
const expandedQuestion = signal("");

export const resultLimit = computed(() =>
  expandedQuestion.value === question.value ? limits.expanded : limits.initial,
);

export const showMoreResults = (): void => {
  expandedQuestion.value = question.value;
};

/** Whether the list is truncated and can be expanded. */
export const hasMoreResults = computed(
  () =>
    resultLimit.value < limits.expanded &&
    searchResults.answer.value?.results.length === resultLimit.value,
);

/** Whether to request score explanations, which take extra time. */
export const isExplaining = signal(false);

/** The index tokens of the query, for highlighting. */
export const highlightTokens = computed(() => queryTokens(parseQuery(query.value)));

let lastSearch: Promise<unknown> = Promise.resolve();

/**
 * Runs one search at a time. The server would finish obsolete searches too, and fast typing would
 * queue them up. A search that becomes obsolete while it waits is never sent.
 */
function runSequentially<Answer>(
  signal: AbortSignal,
  search: () => Promise<Answer>,
): Promise<Answer> {
  const current = lastSearch.then(() => {
    signal.throwIfAborted();
    return search();
  });
  lastSearch = current.catch(() => undefined);
  return current;
}

/** The hits, with their query. */
export const searchResults = createLiveQuery((signal) => {
  const text = query.value;
  if (text === "") return undefined;
  const input = {
    query: text,
    limit: resultLimit.value,
    explain: isExplaining.value,
    ...(collection.value && { collection: collection.value }),
    ...filterInput(JSON.parse(filters.value)),
  };
  // A search by meaning is slow and can be aborted, so it does not block the queue.
  const answer = input.by
    ? call("find", input, signal)
    : runSequentially(signal, () => call("find", input));
  return answer.then((result) => ({ query: text, ...result }));
});

/** The filters of the URL as the input of the operation. */
function filterInput({ by, type, language, after, before, where }: Address["filters"]) {
  const input: Partial<Input<"find">> = {};
  if (by === "meaning" || by === "both") input.by = by;
  if (type) input.type = type;
  if (language) input.language = language;
  if (after) input.after = after;
  if (before) input.before = before;
  if (where.length > 0) input.filter = where.map(conditionFrom);
  return input;
}

/** An object needs no escaping of the value, unlike the string form of a condition. */
function conditionFrom(condition: string): { key: string; value: string } {
  const end = condition.indexOf("=");
  return { key: condition.slice(0, end), value: condition.slice(end + 1) };
}

/** The tokens of the shown results, whose query may be older than the text in the field. */
const resultTokens = computed(() =>
  queryTokens(parseQuery(searchResults.answer.value?.query ?? "")),
);

interface MarkedLine {
  number: number;
  runs: HighlightRun[];
}

interface HighlightedHit {
  tokens: ReadonlySet<string>;
  title: HighlightRun[];
  passage: MarkedLine[];
}

const highlightedHits = new WeakMap<Hit, HighlightedHit>();

/** A hit with its words marked. Cached, since several components use it. */
export function highlightHit(hit: Hit): HighlightedHit {
  const tokens = resultTokens.value;
  const cached = highlightedHits.get(hit);
  if (cached?.tokens === tokens) return cached;
  const passage = numberedLines(hit.snippet).map(({ number, text }) => ({
    number,
    runs: splitHighlights(text, tokens),
  }));
  const highlighted = { tokens, title: splitHighlights(hit.title, tokens), passage };
  highlightedHits.set(hit, highlighted);
  return highlighted;
}

/** Where a hit opens: at the line of its passage with the most marked words. */
export function hitLocation(hit: Hit): Pick<Address, "file" | "line"> {
  const marks = ({ runs }: MarkedLine) => runs.filter(({ isMarked }) => isMarked).length;
  const [first, ...others] = highlightHit(hit).passage;
  const best = others.reduce((a, b) => (a && marks(a) >= marks(b) ? a : b), first);
  return { file: hit.file, line: best?.number ?? 1 };
}

interface NumberedLine {
  number: number;
  text: string;
}

/** Parses the line numbers of the server: `12: text`. Lines without a number are dropped. */
function numberedLines(text: string): NumberedLine[] {
  return text.split("\n").flatMap((line) => {
    const [, number, text = ""] = /^(\d+): (.*)$/s.exec(line) ?? [];
    return number === undefined ? [] : { number: Number(number), text: text };
  });
}
