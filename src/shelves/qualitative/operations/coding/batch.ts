import * as z from "zod";
import { describeIssues } from "../../../../kernel/calls/perform.ts";
import { Failure } from "../../../../kernel/failure.ts";
import { toWireSchema } from "../../../../kernel/operations/wire-schema.ts";
import { pluralise } from "../../../../text/strings/pluralise.ts";
import {
  assertNotCoded,
  createPassageLocator,
  insertCoding,
  invalidOperationCode,
  type LocatedPassage,
} from "../../coding/passages.ts";
import { planWrite, writeOperation } from "../../governance/planned-write.ts";
import type { WriteContext } from "../../project/project.ts";
import { changeId, rowIdInput, textPosition } from "../inputs.ts";

const Item = z.strictObject({
  code_id: rowIdInput,
  source_id: rowIdInput,
  start_position: textPosition.optional(),
  end_position: textPosition.optional(),
  quote: z
    .string()
    .max(100_000)
    .optional()
    .describe("Exact text; the occurrence nearest start_position"),
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

export const batchApplyCodes = writeOperation({
  name: "batch_apply_codes",
  title: "Apply codes",
  summary:
    "Code many passages in one call, by position or by quote. Each item has its own result; corrected: the quote was found at another position. atomic: all or none. One undo reverts all.",
  input: z.object({
    // Items are parsed one by one, so that an invalid item gets its own error result.
    operations: z.array(z.unknown().meta(toWireSchema(Item, "input"))).max(5_000),
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
  plan({ operations, atomic }, state, call) {
    const project = state.requireProject();
    if (operations.length === 0) throw batchFailure("EMPTY_BATCH", "Empty operations array");
    let results: Result[] = [];
    const summary = () => `Coded ${pluralise(results.filter(isDone).length, "passage")}`;
    const touched = new Set<number>();
    return planWrite(
      project,
      { call, operation: "batch_apply_codes", summary },
      (context) => {
        const locate = createPassageLocator(context.db);
        results = operations.map((rawItem, index) =>
          attemptItem(index, () => {
            const item = readItem(rawItem);
            const located = locate(item);
            touched.add(item.source_id);
            return codeItem(context, located, item);
          }),
        );
        const done = results.filter(isDone).length;
        if (done === 0 || (atomic && done < results.length)) throw batchRefusal(results);
        return {};
      },
      ({ change_id }) => {
        for (const id of touched) call.announce({ topic: "segments.changed", about: String(id) });
        return { ...tally(results), change_id };
      },
    );
  },
});

const isDone = ({ success }: Result): boolean => success;

/** An item that fails is reported in the results; the others continue. */
function attemptItem(index: number, work: () => Partial<Result>): Result {
  const notDone = { index, segment_id: null, error: null, error_code: null };
  try {
    return { ...notDone, success: true, ...work() };
  } catch (error) {
    // An error of the project's file concerns the whole batch.
    if (!(error instanceof Failure) || error.code.startsWith("PROJECT_")) throw error;
    const { code, message } = error;
    const described =
      code === invalidOperationCode
        ? {
            error: `Invalid operation at index ${index}: ${message}`,
            error_code: `${batchErrorCode}/${code}`,
          }
        : { error: message, error_code: code };
    return { ...notDone, success: false, ...described };
  }
}

function readItem(item: unknown): z.output<typeof Item> {
  const parsed = Item.safeParse(item, { reportInput: true });
  if (parsed.success) return parsed.data;
  throw new Failure("invalid", invalidOperationCode, describeIssues(parsed.error, Item));
}

function codeItem(
  context: WriteContext,
  { corrected, ...located }: LocatedPassage,
  { memo, importance }: z.output<typeof Item>,
): Partial<Result> {
  const { source, start, end, text } = located;
  assertNotCoded(context.db, { ...located, owner: context.owner });
  return {
    segment_id: insertCoding(context, located, { memo, importance }),
    source_id: source,
    start_position: start,
    end_position: end,
    selected_text: text,
    ...(corrected && { corrected }),
  };
}

/** The whole batch is rolled back, so successful items are reported as not applied. */
function batchRefusal(results: readonly Result[]): Failure {
  const notDone = results.map((result) =>
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
    tally(notDone),
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

const batchErrorCode = "BATCH_APPLY_CODES";

const batchFailure = (
  reason: string,
  message: string,
  details?: Record<string, unknown>,
): Failure =>
  new Failure("invalid", `${batchErrorCode}/${reason}`, message, details ? { details } : {});
