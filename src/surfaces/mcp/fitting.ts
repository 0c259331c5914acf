import type { Block } from "../../kernel/block.ts";
import type { Entry } from "../../kernel/catalogue.ts";
import type { Outcome } from "../../kernel/perform.ts";
import { type Answer, dialects } from "../dialects.ts";

/** What an agent has room for in one answer. Clients refuse more, or forget other things for it. */
const mostTokens = 20_000;

/** A token is four bytes, more or less; the list of tools is counted so too. */
export const usualAnswerLimit = 4 * mostTokens;

type Ended = Outcome & { input?: unknown };
type Done = Ended & { ok: true };

/** An outcome that was worded already, and what its answer lacks, where it is not whole. */
export type Fitted = Ended & { answer?: Answer | undefined; note?: string };

/**
 * Calls an operation so that its answer has no more than so many bytes of text. Where an answer can
 * be taken part by part, a smaller part is asked for, and the place behind it stays right. Of any
 * other answer the longest list or text is shown in part.
 */
export async function fitted(
  entry: Entry,
  given: unknown,
  limit: number,
  call: (input: unknown) => Promise<Ended>,
): Promise<Fitted> {
  let ended = await call(given);
  const keys = entry.operation.effect === "reads" ? partKeys(entry) : undefined;
  let amount = Number.POSITIVE_INFINITY;
  for (let round = 0; ended.ok; round++) {
    const answer = worded(entry, ended);
    const size = sizeOf(answer);
    if (size <= limit) {
      if (!keys || amount === Number.POSITIVE_INFINITY) return { ...ended, answer };
      const note = `${limitSaid} This is for ${keys.amount} ${amount}; go on with ${keys.place}.`;
      return { ...ended, answer, note };
    }
    if (!keys || amount === 1) return shortened(entry, ended, limit);
    const shown = Math.min(amount, amountShown(keys.amount, ended));
    amount = round < mostTries ? smaller(shown, limit / size) : 1;
    ended = await call(withAmount(given, keys.amount, amount));
  }
  return ended;
}

/** So often a part is measured; then the smallest is asked for, which always comes to an end. */
const mostTries = 3;

const limitSaid = `An answer has at most ${mostTokens.toLocaleString("en")} tokens.`;

/** The same call for so much; a key that means the amount may be spelt in two ways. */
function withAmount(given: unknown, key: string, amount: number): Record<string, unknown> {
  const plain = (name: string) => name.replaceAll("_", "").toLowerCase();
  const others = membersOf(given).filter(([name]) => plain(name) !== plain(key));
  return { ...Object.fromEntries(others), [key]: amount };
}

/** A little less than would just fit: items differ in size. */
const smaller = (count: number, share: number): number =>
  Math.max(1, Math.floor(count * share * 0.95));

/** Nothing where wording it fails: whoever sends the answer tries again, and tells of it. */
function worded({ operation, shelf }: Entry, { value, input }: Done): Answer | undefined {
  try {
    return dialects[shelf.dialect].success(operation, value, input);
  } catch {
    return undefined;
  }
}

/** The larger of what is to be read and of the same as data: clients hand on one of them. */
function sizeOf(answer: Answer | undefined): number {
  if (!answer) return 0;
  const read = answer.content.reduce((sum, block) => sum + Buffer.byteLength(wordsOf(block)), 0);
  return Math.max(read, answer.structured ? bytesOf(answer.structured) : 0);
}

function wordsOf(block: Block): string {
  if (block.type === "text") return block.text;
  return block.type === "resource" && "text" in block.resource ? block.resource.text : "";
}

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? "");

/** The parameters by which an operation is asked for a part, whatever its specification calls them. */
function partKeys({ operation }: Entry): { amount: string; place: string } | undefined {
  const keys = Object.keys(operation.input.shape);
  const amount = keys.find((key) => /^(limit|max_?lines|max_length)$/i.test(key));
  const place = keys.find((key) => /^(cursor|from_?line|start_pos)$/i.test(key));
  return amount !== undefined && place !== undefined ? { amount, place } : undefined;
}

/** How much of what a parameter counts is in an answer, whatever was asked for. */
function amountShown(key: string, { value }: Done): number {
  const { lists, texts } = longest(value);
  if (/length/i.test(key)) return texts;
  return /lines/i.test(key) ? linesIn(value) : lists;
}

function longest(value: unknown): { lists: number; texts: number } {
  if (typeof value === "string") return { lists: 0, texts: [...value].length };
  const inside = membersOf(value).map(([, member]) => longest(member));
  const own = Array.isArray(value) ? value.length : 0;
  return {
    lists: inside.reduce((most, { lists }) => Math.max(most, lists), own),
    texts: inside.reduce((most, { texts }) => Math.max(most, texts), 0),
  };
}

function linesIn(value: unknown): number {
  if (typeof value === "string") return value.split("\n").length;
  return membersOf(value).reduce((most, [, member]) => Math.max(most, linesIn(member)), 1);
}

const membersOf = (value: unknown): [string, unknown][] =>
  typeof value === "object" && value !== null ? Object.entries(value) : [];

interface Cut {
  shown: number;
  whole: number;
  unit: "items" | "characters";
}

function shortened(entry: Entry, ended: Done, limit: number): Fitted {
  const cuts = new Map<string, Cut>();
  // The answer is this call's own; what it was made from may be kept by others.
  const short = { ...ended, value: structuredClone(ended.value) };
  let answer = worded(entry, short);
  for (let size = sizeOf(answer); size > limit; size = sizeOf(answer)) {
    if (!cutHeaviest(short.value, limit / size, cuts)) break;
    answer = worded(entry, short);
  }
  const said = [...cuts].map(
    ([name, { shown, whole, unit }]) =>
      `${name}: the first ${shown.toLocaleString("en")} of ${whole.toLocaleString("en")} ${unit}.`,
  );
  const rest = `Ask more narrowly, or take it whole from POST /tools/${entry.operation.name}.`;
  return { ...short, answer, note: [limitSaid, ...said, rest].join(" ") };
}

/**
 * Walks down to what weighs most. A list whose items weigh alike is cut there; below one heavy item
 * the walk goes on, down to a text. False where nothing can be cut any more.
 */
function cutHeaviest(
  whole: Record<string, unknown>,
  share: number,
  cuts: Map<string, Cut>,
): boolean {
  let holder: Record<string, unknown> = whole;
  let path = "";
  for (;;) {
    const [key, member] = heaviestOf(holder);
    if (key === undefined) return false;
    path = Array.isArray(holder) ? path : [path, key].filter(Boolean).join(".");
    const isList = Array.isArray(member);
    if (typeof member === "string" || (isList && weighAlike(member))) {
      const kept = smaller(member.length, share);
      if (kept >= member.length) return false;
      holder[key] = isList ? member.slice(0, kept) : cleanStart(member, kept);
      const known = cuts.get(path)?.whole ?? member.length;
      cuts.set(path, { shown: kept, whole: known, unit: isList ? "items" : "characters" });
      return true;
    }
    if (typeof member !== "object" || member === null) return false;
    // Whatever has members can be read by their names, a list by its places.
    holder = member as Record<string, unknown>;
  }
}

function heaviestOf(holder: object): [string, unknown] | [undefined, undefined] {
  const weighed = membersOf(holder).map((entry) => ({ entry, weight: bytesOf(entry[1]) }));
  const [first] = weighed.sort((a, b) => b.weight - a.weight);
  return first?.entry ?? [undefined, undefined];
}

/** None is half of them all, and none is so much more than most that it would crowd them out. */
function weighAlike(items: readonly unknown[]): boolean {
  const weights = items.map(bytesOf);
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const most = weights.reduce((larger, weight) => Math.max(larger, weight), 0);
  return items.length > 1 && most < sum / 2 && (most < 8 * (sum / items.length) || most < 20_000);
}

/** The beginning of a text, with no half of a character at its end. */
const cleanStart = (text: string, count: number): string =>
  text.slice(0, count).replace(/[\ud800-\udbff]$/, "");
