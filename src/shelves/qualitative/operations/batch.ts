import * as z from "zod";
import { Failure } from "../../../kernel/failure.ts";
import { operationsOn } from "../../../kernel/operation.ts";
import { problemsIn } from "../../../kernel/perform.ts";
import { wireSchema } from "../../../kernel/wire-schema.ts";
import { counted } from "../../../text/counted.ts";
import { codePassage, makePlacer, type Placed, refuseCoded, unreadable } from "../coding.ts";
import type { Hand } from "../project.ts";
import type { QualitativeState } from "../state.ts";
import { changeId, idInput, position } from "./ids.ts";

const operation = operationsOn<QualitativeState>();

const Item = z.strictObject({
  code_id: idInput,
  source_id: idInput,
  start_position: position.optional(),
  end_position: position.optional(),
  quote: z.string().max(100_000).optional().describe("The words, found nearest to start_position"),
  memo: z.string().optional(),
  importance: z.int().min(0).max(3).default(0),
});

const Result = z.object({
  index: z.int(),
  success: z.boolean(),
  segment_id: z.int().nullable(),
  error: z.string().nullable(),
  error_code: z.string().nullable(),
  source_id: z.int().optional(),
  start_position: z.int().optional(),
  end_position: z.int().optional(),
  selected_text: z.string().optional(),
  corrected: z.boolean().optional(),
});

type Result = z.output<typeof Result>;

export const batchApplyCodes = operation({
  name: "batch_apply_codes",
  title: "Apply codes",
  summary:
    "Code many passages at once, by positions or by quote. Each item has its own result; corrected says that a quote lay elsewhere. atomic: all or none. One undo takes all back.",
  input: z.object({
    // Each is read by itself, so that one that cannot be read has a result like the others.
    operations: z.array(z.unknown().meta(wireSchema(Item, "input"))).max(5_000),
    atomic: z.boolean().default(false),
  }),
  output: z.object({
    total: z.int(),
    succeeded: z.int(),
    failed: z.int(),
    all_succeeded: z.boolean(),
    results: z.array(Result),
    change_id: changeId.optional(),
  }),
  effect: "writes",
  expose: { mcp: true },
  example: { operations: [{ code_id: 1, source_id: 1, start_position: 0, end_position: 5 }] },
  run({ operations, atomic }, state, call) {
    const project = state.needed();
    if (operations.length === 0) throw batchFailure("EMPTY_BATCH", "Empty operations array");
    let results: Result[] = [];
    const summary = () => `Coded ${counted(results.filter(isDone).length, "passage")}`;
    const touched = new Set<number>();
    const { change_id } = project.write(
      { call, operation: "batch_apply_codes", summary },
      (hand) => {
        const place = makePlacer(hand.db);
        results = operations.map((given, index) =>
          attempted(index, () => {
            const item = readItem(given);
            const placed = place(item);
            touched.add(item.source_id);
            return codedBy(hand, placed, item);
          }),
        );
        const done = results.filter(isDone).length;
        if (done === 0 || (atomic && done < results.length)) throw refusedWhole(results);
        return {};
      },
    );
    for (const id of touched) call.announce({ topic: "segments.changed", about: String(id) });
    return { ...tally(results), change_id };
  },
});

const isDone = ({ success }: Result): boolean => success;

/** One item that cannot be done is data; the others go on. */
function attempted(index: number, work: () => Partial<Result>): Result {
  const undone = { index, segment_id: null, error: null, error_code: null };
  try {
    return { ...undone, success: true, ...work() };
  } catch (error) {
    // What is wrong with the project's own file is no fault of an item.
    if (!(error instanceof Failure) || error.code.startsWith("PROJECT_")) throw error;
    const { code, message } = error;
    const told =
      code === unreadable
        ? {
            error: `Invalid operation at index ${index}: ${message}`,
            error_code: `${task}/${code}`,
          }
        : { error: message, error_code: code };
    return { ...undone, success: false, ...told };
  }
}

function readItem(given: unknown): z.output<typeof Item> {
  const parsed = Item.safeParse(given, { reportInput: true });
  if (parsed.success) return parsed.data;
  throw new Failure("invalid", unreadable, problemsIn(parsed.error, Item));
}

function codedBy(
  hand: Hand,
  { corrected, ...placed }: Placed,
  { memo, importance }: z.output<typeof Item>,
): Partial<Result> {
  const { source, start, end, text } = placed;
  refuseCoded(hand.db, { ...placed, owner: hand.owner });
  return {
    segment_id: codePassage(hand, placed, { memo, importance }),
    source_id: source,
    start_position: start,
    end_position: end,
    selected_text: text,
    ...(corrected && { corrected }),
  };
}

/** Nothing stays written, so nothing may look as if it had been. */
function refusedWhole(results: readonly Result[]): Failure {
  const undone = results.map((result) =>
    result.success
      ? {
          index: result.index,
          success: false,
          segment_id: null,
          error: "Not applied, because another item failed",
          error_code: "NOT_APPLIED",
        }
      : result,
  );
  const first = results.find(({ success }) => !success);
  return batchFailure(
    "ALL_FAILED",
    `Nothing was coded. Item ${first?.index}: ${first?.error} (${first?.error_code})`,
    tally(undone),
  );
}

function tally(results: Result[]) {
  const succeeded = results.filter(isDone).length;
  return {
    total: results.length,
    succeeded,
    failed: results.length - succeeded,
    all_succeeded: succeeded === results.length,
    results,
  };
}

const task = "BATCH_APPLY_CODES";

const batchFailure = (
  reason: string,
  message: string,
  details?: Record<string, unknown>,
): Failure => new Failure("invalid", `${task}/${reason}`, message, details ? { details } : {});
