import { computed, signal } from "@preact/signals";
import { readQuery, wantedTokens } from "../../src/text/query.ts";
import { type Address, address } from "../address.ts";
import { asking } from "../asking.ts";
import { call, type Input, type Output } from "../client.ts";
import { numberedLines } from "../numbered-lines.ts";
import { type Run, runsOf } from "./marks.ts";

export type Hit = Output<"find">["results"][number];

/**
 * More than a screen holds, and few enough to be there while somebody types; then more than anybody
 * looks through, since a longer list asks for a better query.
 */
const counts = { first: 20, most: 50 };

const query = computed(() => address.value.query.trim());
const collection = computed(() => address.value.collection);
/** As one text, so that going from document to document asks nothing anew. */
const filters = computed(() => JSON.stringify(address.value.filters));

const question = computed(() => `${query.value}\n${collection.value}\n${filters.value}`);

/** The question that somebody wants to know more of; the next one begins with a few again. */
const longer = signal("");

export const limit = computed(() => (longer.value === question.value ? counts.most : counts.first));

export const wantMore = (): void => {
  longer.value = question.value;
};

/** Whether the list was cut, and a longer one can be had. */
export const hasMore = computed(
  () => limit.value < counts.most && hits.answer.value?.results.length === limit.value,
);

/** Whether somebody wants to know what made the scores; nobody else waits for it. */
export const wantsReasons = signal(false);

/** What is looked for, in the forms by which texts are marked. */
export const wanted = computed(() => wantedTokens(readQuery(query.value)));

let before: Promise<unknown> = Promise.resolve();

/**
 * One search at a time: the server would finish an overtaken one all the same, and whoever types
 * fast would wait for all of them. What is overtaken while it waits is never asked.
 */
function inTurn<Answer>(signal: AbortSignal, ask: () => Promise<Answer>): Promise<Answer> {
  const turn = before.then(() => {
    signal.throwIfAborted();
    return ask();
  });
  before = turn.catch(() => undefined);
  return turn;
}

/** The hits, with the query that they answer. */
export const hits = asking((signal) => {
  const asked = query.value;
  if (asked === "") return undefined;
  const input = {
    query: asked,
    limit: limit.value,
    explain: wantsReasons.value,
    ...(collection.value && { collection: collection.value }),
    ...inputOf(JSON.parse(filters.value)),
  };
  // A model takes its time, and may be given up; nothing waits for it.
  const answer = input.by ? call("find", input, signal) : inTurn(signal, () => call("find", input));
  return answer.then((found) => ({ query: asked, ...found }));
});

/** The filters of the address as the operation takes them. */
function inputOf({ by, type, language, after, before, where }: Address["filters"]) {
  const input: Partial<Input<"find">> = {};
  if (by === "meaning" || by === "both") input.by = by;
  if (type) input.type = type;
  if (language) input.language = language;
  if (after) input.after = after;
  if (before) input.before = before;
  if (where.length > 0) input.filter = where.map(conditionFrom);
  return input;
}

/** As an object, because a value may hold anything that a line of conditions gives a meaning. */
function conditionFrom(written: string): { key: string; value: string } {
  const end = written.indexOf("=");
  return { key: written.slice(0, end), value: written.slice(end + 1) };
}

/** The words that the hits were found by, which are not yet those that somebody is typing. */
const found = computed(() => wantedTokens(readQuery(hits.answer.value?.query ?? "")));

interface MarkedLine {
  number: number;
  runs: Run[];
}

interface Marked {
  by: ReadonlySet<string>;
  title: Run[];
  passage: MarkedLine[];
}

const marked = new WeakMap<Hit, Marked>();

/** A hit with its words marked; it is asked for several times, and read once. */
export function markedHit(hit: Hit): Marked {
  const by = found.value;
  const known = marked.get(hit);
  if (known?.by === by) return known;
  const passage = numberedLines(hit.snippet).map(({ number, text }) => ({
    number,
    runs: runsOf(text, by),
  }));
  const made = { by, title: runsOf(hit.title, by), passage };
  marked.set(hit, made);
  return made;
}

/** Where a hit opens: at the line of its passage that holds most of the words. */
export function placeOf(hit: Hit): Pick<Address, "file" | "line"> {
  const marks = ({ runs }: MarkedLine) => runs.filter(({ isMarked }) => isMarked).length;
  const [first, ...others] = markedHit(hit).passage;
  const best = others.reduce((a, b) => (a && marks(a) >= marks(b) ? a : b), first);
  return { file: hit.file, line: best?.number ?? 1 };
}
