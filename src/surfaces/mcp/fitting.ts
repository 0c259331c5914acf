import type { Block } from "../../kernel/block.ts";
import type { Entry } from "../../kernel/catalogue.ts";
import { Failure } from "../../kernel/failure.ts";
import type { Outcome } from "../../kernel/perform.ts";
import { type Answer, dialects } from "../dialects.ts";
import { type Cut, cutDown, weigh } from "./shortening.ts";

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
      const way = `go on with ${nextPlace(keys.place, given, amount)}.`;
      const note = `${limitSaid} This is for ${keys.amount} ${amount}; ${way}`;
      return { ...ended, answer, note };
    }
    if (!keys || amount === 1) return inPart(entry, ended, size, limit);
    const shown = Math.min(amount, amountShown(keys.amount, ended));
    amount = round < mostTries ? smaller(shown, limit / size) : 1;
    ended = await call(withAmount(given, keys.amount, amount));
  }
  return ended;
}

/** So often a part is measured; then the smallest is asked for, which always comes to an end. */
const mostTries = 3;

const limitSaid = `An answer has at most ${mostTokens.toLocaleString("en")} tokens.`;

/** The same call for so much. */
function withAmount(given: unknown, key: string, amount: number): Record<string, unknown> {
  const others = membersOf(given).filter(([name]) => !isKey(name, key));
  return { ...Object.fromEntries(others), [key]: amount };
}

/** Where the next part begins. A cursor stands in the answer; lines and letters can be counted. */
function nextPlace(key: string, given: unknown, amount: number): string {
  if (key === "cursor") return key;
  const said = membersOf(given).find(([name]) => isKey(name, key))?.[1];
  const [, inName] = membersOf(given).find(([name]) => name === "file") ?? [];
  // A line behind a file's name goes before the one said beside it.
  const named = /:(\d+)(?::\d+)?$/.exec(String(inName ?? ""))?.[1];
  const first = named ?? said ?? (/line/i.test(key) ? 1 : 0);
  const alone = named === undefined ? "" : ", and no line behind the name";
  return `${key} ${Number(first) + amount}${alone}`;
}

/** A key may be spelt in two ways. */
function isKey(name: string, key: string): boolean {
  const plain = (word: string) => word.replaceAll("_", "").toLowerCase();
  return plain(name) === plain(key);
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

/** So often an answer is made shorter; what is too long even then is told to be so. */
const mostRounds = 6;

/** Of an answer that cannot be asked for in parts, its long lists and texts are shown in part. */
function inPart(entry: Entry, ended: Done, size: number, limit: number): Fitted {
  // Words are longer than the data that they are made from, or shorter.
  const whole = weigh(ended.value);
  let room = whole.weight * (limit / size);
  for (let round = 0; round < mostRounds; round++) {
    const { value, cuts } = cutDown(whole, room);
    // A shorter copy has the shape of the whole.
    const short = { ...ended, value: value as Done["value"] };
    const answer = markedAsCut(entry, worded(entry, short), cuts);
    const now = sizeOf(answer);
    if (now <= limit) return { ...short, answer, note: noteOn(entry, cuts) };
    room *= 0.9 * (limit / now);
  }
  return { ok: false, failure: tooLong(entry) };
}

/** Programs look for a mark in the data, where people read a note. */
function markedAsCut(
  { shelf }: Entry,
  answer: Answer | undefined,
  cuts: ReadonlyMap<string, Cut>,
): Answer | undefined {
  const lists = [...cuts.values()].filter(({ unit }) => unit !== "characters");
  const remaining = lists.reduce((sum, { whole, shown }) => sum + whole - shown, 0);
  const { inPart } = dialects[shelf.dialect];
  return answer && inPart && remaining > 0 ? inPart(answer, remaining) : answer;
}

/** So many cuts are told one by one. */
const mostTold = 3;

function noteOn(entry: Entry, cuts: ReadonlyMap<string, Cut>): string {
  const count = (number: number) => number.toLocaleString("en");
  const told = [...cuts].slice(0, mostTold).map(([path, { shown, whole, unit, failures }]) => {
    const first =
      failures > 0 ? `${count(failures)} that failed and the first others, ` : "the first ";
    return `${path}: ${first}${count(shown)} of ${count(whole)} ${unit}.`;
  });
  const others = cuts.size > mostTold ? [`${count(cuts.size - mostTold)} others are cut too.`] : [];
  return [limitSaid, ...told, ...others, wayOn(entry)].join(" ");
}

/** A call that changed something must not be made again to see the rest of its answer. */
const wayOn = ({ operation }: Entry): string =>
  operation.effect === "reads"
    ? `Ask more narrowly, or take it whole from POST /tools/${operation.name}.`
    : "All of it was done: do not call again. What is there now can be read.";

const tooLong = (entry: Entry): Failure =>
  new Failure("too-large", "too-large", limitSaid, { hints: [wayOn(entry)] });
