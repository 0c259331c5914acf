import type { Outcome } from "../../../kernel/calls/perform.ts";
import { Failure } from "../../../kernel/failure.ts";
import type { CatalogueEntry } from "../../../kernel/operations/catalogue.ts";
import type { OutputBlock } from "../../../kernel/operations/output-block.ts";
import { toSnakeCase } from "../../../text/strings/key-case.ts";
import { dialects, type ToolAnswer } from "../../dialects.ts";
import { measureSize, type Truncation, truncateValue } from "./truncation.ts";

/** The maximum result for an agent. Clients reject longer ones or drop other context for them. */
const maxTokens = 20_000;

/** A token has about four bytes. */
export const defaultAnswerLimit = 4 * maxTokens;

type CallOutcome = Outcome & { input?: unknown };
type SuccessfulOutcome = CallOutcome & { ok: true };

/** An outcome with its formatted answer, and a note if that is incomplete. */
export type LimitedOutcome = CallOutcome & { answer?: ToolAnswer | undefined; note?: string };

/**
 * Calls an operation and limits its answer to `limit` bytes of text. If the operation has paging
 * parameters, it is called again for a smaller page, so that the next page follows without a gap.
 * Otherwise the longest lists and texts of the answer are truncated.
 */
export async function callWithinLimit(
  entry: CatalogueEntry,
  input: unknown,
  limit: number,
  call: (input: unknown) => Promise<CallOutcome>,
): Promise<LimitedOutcome> {
  let outcome = await call(input);
  const keys = entry.operation.effect === "reads" ? pagingKeys(entry) : undefined;
  let amount = Number.POSITIVE_INFINITY;
  for (let round = 0; outcome.ok; round++) {
    const answer = renderAnswer(entry, outcome);
    const size = answerBytes(answer);
    if (size <= limit) {
      if (!keys || amount === Number.POSITIVE_INFINITY) return { ...outcome, answer };
      const next = nextStart(keys.start, input, amount);
      const note = `${limitMessage} This is the result for ${keys.amount} ${amount}; continue with ${next}.`;
      return { ...outcome, answer, note };
    }
    if (!keys || amount === 1) return truncateOutcome(entry, outcome, size, limit);
    const shown = Math.min(amount, shownCount(keys.amount, outcome));
    amount = round < maxAttempts ? shrinkCount(shown, limit / size) : 1;
    outcome = await call(withAmount(input, keys.amount, amount));
  }
  return outcome;
}

/** After this many attempts, a single item is requested, which guarantees termination. */
const maxAttempts = 3;

const limitMessage = `A result has at most ${maxTokens.toLocaleString("en")} tokens.`;

/** The same input with another page size. */
function withAmount(input: unknown, key: string, amount: number): Record<string, unknown> {
  const others = membersOf(input).filter(([name]) => !isKey(name, key));
  return { ...Object.fromEntries(others), [key]: amount };
}

/** The start of the next page: the cursor in the answer, or a line or character position. */
function nextStart(key: string, input: unknown, amount: number): string {
  if (key === "cursor") return key;
  const start = membersOf(input).find(([name]) => isKey(name, key))?.[1];
  const file = membersOf(input).find(([name]) => name === "file")?.[1];
  // A line number in the file name (`notes.md:7`) overrides the parameter.
  const fileLine = /:(\d+)(?::\d+)?$/.exec(String(file ?? ""))?.[1];
  const first = fileLine ?? start ?? (/line/i.test(key) ? 1 : 0);
  const withoutLine = fileLine === undefined ? "" : ", without the line in the file name";
  return `${key} ${Number(first) + amount}${withoutLine}`;
}

/** Compares keys in camelCase and snake_case. */
const isKey = (name: string, key: string): boolean => toSnakeCase(name) === toSnakeCase(key);

/** Reduces a count in proportion, with a margin because items differ in size. */
const shrinkCount = (count: number, share: number): number =>
  Math.max(1, Math.floor(count * share * 0.95));

/** Formats an answer; undefined if that fails. The sender then repeats it and reports the error. */
function renderAnswer(
  { operation, shelf }: CatalogueEntry,
  { value, input }: SuccessfulOutcome,
): ToolAnswer | undefined {
  try {
    return dialects[shelf.dialect].success(operation, value, input);
  } catch {
    return undefined;
  }
}

/** The larger of the content and the structured content: clients pass on only one of them. */
function answerBytes(answer: ToolAnswer | undefined): number {
  if (!answer) return 0;
  const content = answer.content.reduce(
    (sum, block) => sum + Buffer.byteLength(blockText(block)),
    0,
  );
  return Math.max(content, answer.structured ? jsonLength(answer.structured) : 0);
}

function blockText(block: OutputBlock): string {
  if (block.type === "text") return block.text;
  return block.type === "resource" && "text" in block.resource ? block.resource.text : "";
}

const jsonLength = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? "");

/** The paging parameters of an operation, by the names in the specifications of all shelves. */
function pagingKeys({ operation }: CatalogueEntry): { amount: string; start: string } | undefined {
  const keys = Object.keys(operation.input.shape);
  const amount = keys.find((key) => /^(limit|max_?lines|max_length)$/i.test(key));
  const start = keys.find((key) => /^(cursor|from_?line|start_pos)$/i.test(key));
  return amount !== undefined && start !== undefined ? { amount, start } : undefined;
}

/** How many of the units that a paging parameter counts are in an answer. */
function shownCount(key: string, { value }: SuccessfulOutcome): number {
  const { lists, texts } = largestSizes(value);
  if (/length/i.test(key)) return texts;
  return /lines/i.test(key) ? linesIn(value) : lists;
}

function largestSizes(value: unknown): { lists: number; texts: number } {
  if (typeof value === "string") return { lists: 0, texts: [...value].length };
  const inside = membersOf(value).map(([, member]) => largestSizes(member));
  const own = Array.isArray(value) ? value.length : 0;
  return {
    lists: inside.reduce((max, { lists }) => Math.max(max, lists), own),
    texts: inside.reduce((max, { texts }) => Math.max(max, texts), 0),
  };
}

function linesIn(value: unknown): number {
  if (typeof value === "string") return value.split("\n").length;
  return membersOf(value).reduce((max, [, member]) => Math.max(max, linesIn(member)), 1);
}

const membersOf = (value: unknown): [string, unknown][] =>
  typeof value === "object" && value !== null ? Object.entries(value) : [];

/** After this many attempts to truncate an answer, the call fails as too large. */
const maxRounds = 6;

/** Truncates the long lists and texts of an answer that cannot be paged. */
function truncateOutcome(
  entry: CatalogueEntry,
  outcome: SuccessfulOutcome,
  size: number,
  limit: number,
): LimitedOutcome {
  // The formatted text may be longer or shorter than the data, so the limit is scaled.
  const whole = measureSize(outcome.value);
  let room = whole.bytes * (limit / size);
  for (let round = 0; round < maxRounds; round++) {
    const { value, cuts } = truncateValue(whole, room);
    // Truncation keeps the shape of the value.
    const short = { ...outcome, value: value as SuccessfulOutcome["value"] };
    const answer = withTruncationMark(entry, renderAnswer(entry, short), cuts);
    const bytes = answerBytes(answer);
    if (bytes <= limit) return { ...short, answer, note: truncationNote(entry, cuts) };
    room *= 0.9 * (limit / bytes);
  }
  return { ok: false, failure: tooLong(entry) };
}

/** Marks truncation in the data, for programs; people read the note. */
function withTruncationMark(
  { shelf }: CatalogueEntry,
  answer: ToolAnswer | undefined,
  cuts: ReadonlyMap<string, Truncation>,
): ToolAnswer | undefined {
  const lists = [...cuts.values()].filter(({ unit }) => unit !== "characters");
  const remaining = lists.reduce((sum, { total, shown }) => sum + total - shown, 0);
  const { markTruncated } = dialects[shelf.dialect];
  return answer && markTruncated && remaining > 0 ? markTruncated(answer, remaining) : answer;
}

/** The note lists at most this many truncations. */
const maxListedCuts = 3;

function truncationNote(entry: CatalogueEntry, cuts: ReadonlyMap<string, Truncation>): string {
  const count = (number: number) => number.toLocaleString("en");
  const listed = [...cuts]
    .slice(0, maxListedCuts)
    .map(([path, { shown, total, unit, failures }]) => {
      const first =
        failures > 0 ? `${count(failures)} failures and the first others, ` : "the first ";
      return `${path}: ${first}${count(shown)} of ${count(total)} ${unit}.`;
    });
  const others =
    cuts.size > maxListedCuts
      ? [`${count(cuts.size - maxListedCuts)} others are truncated too.`]
      : [];
  return [limitMessage, ...listed, ...others, continuationHint(entry)].join(" ");
}

/** A call that writes must not be repeated to see the rest of its result. */
const continuationHint = ({ operation }: CatalogueEntry): string =>
  operation.effect === "reads"
    ? `Narrow the request, or get the complete result from POST /tools/${operation.name}.`
    : "The operation is complete: do not repeat it. Use a reading tool to see the current state.";

const tooLong = (entry: CatalogueEntry): Failure =>
  new Failure("too-large", "too-large", limitMessage, { hints: [continuationHint(entry)] });
