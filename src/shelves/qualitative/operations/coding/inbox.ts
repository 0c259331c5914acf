import * as z from "zod";
import { Failure, invalid } from "../../../../kernel/failure.ts";
import { operationsFor } from "../../../../kernel/operation.ts";
import {
  listPageShape,
  pageByKey,
  pagingInputShape,
} from "../../../../kernel/operations/list-page.ts";
import { textBlock } from "../../../../kernel/operations/output-block.ts";
import { pluralise } from "../../../../text/strings/pluralise.ts";
import { requireInboxItem, restoreInboxItem } from "../../coding/inbox.ts";
import { planWrite, writeOperation } from "../../governance/planned-write.ts";
import { allInboxItems, type InboxRow } from "../../qda/storage-anchors.ts";
import type { QualitativeState } from "../../state.ts";
import { changeId, rowIdInput, textPosition } from "../inputs.ts";

const operation = operationsFor<QualitativeState>();

const kindsByTable = { code_text: "coding", annotation: "annotation", case_text: "case" } as const;

const Item = z.object({
  id: z.int(),
  kind: z.enum(["coding", "annotation", "case"]),
  source_id: z.int(),
  source_name: z.string(),
  code_id: z.int().nullable(),
  quote: z.string().describe("The original text"),
  start_position: z.int().optional().describe("The proposed position"),
  end_position: z.int().optional(),
  score: z.number().describe("Confidence of the proposed position, from 0 to 1"),
  since: z.string(),
});

export const listInbox = operation({
  name: "list_inbox",
  title: "List the inbox",
  summary:
    "Codings, annotations and case links that lost their position in an edited text, each with a proposed position and its score.",
  input: z.object({ ...pagingInputShape }),
  output: z.object({ items: z.array(Item), ...listPageShape }),
  effect: "reads",
  expose: { http: "GET /qualitative/inbox", cli: "project inbox" },
  example: {},
  run(paging, state) {
    const { db } = state.requireProject();
    const { items, ...rest } = pageByKey(allInboxItems(db), {
      ...paging,
      keyOf: ({ id }) => String(id),
    });
    return {
      items: items.map((item) => ({
        id: item.id,
        kind: kindsByTable[item.kind],
        source_id: item.source,
        source_name: item.sourceName,
        code_id: item.code,
        quote: item.quote,
        ...toPositionsOutput(item),
        score: item.score,
        since: item.date,
      })),
      ...rest,
    };
  },
  present({ items }) {
    if (items.length === 0) return [textBlock("The inbox is empty.")];
    const lines = items.map(
      ({ id, kind, source_name, quote, start_position, end_position, score }) => {
        const position =
          start_position === undefined ? "no position" : `[${start_position}:${end_position}]`;
        return `${id}  ${kind} in ${source_name}, ${position}, score ${score.toFixed(2)}: ${quote.slice(0, 80)}`;
      },
    );
    return [textBlock(lines.join("\n"))];
  },
});

const toPositionsOutput = ({ start, end }: InboxRow) =>
  start === null || end === null ? {} : { start_position: start, end_position: end };

export const settleInbox = writeOperation({
  name: "settle_inbox",
  title: "Settle the inbox",
  summary:
    "Place inbox items at their proposed or another position, or dismiss them: one item, or all with a minimum score. Can be undone.",
  input: z.object({
    item_id: rowIdInput.optional().describe("Id of the inbox item"),
    min_score: z.number().min(0).max(1).optional().describe("All items with at least this score"),
    start_pos: textPosition.optional().describe("New start, in characters from 0"),
    end_pos: textPosition.optional().describe("New end"),
    dismiss: z.boolean().default(false).describe("Dismiss instead of placing"),
  }),
  output: z.object({ settled: z.array(z.int()), change_id: changeId.optional() }),
  effect: "deletes",
  expose: { http: "POST /qualitative/inbox", cli: "project inbox settle [item_id]" },
  example: { min_score: 0.9 },
  plan({ item_id, min_score, start_pos, end_pos, dismiss }, state, call) {
    const project = state.requireProject();
    if ((item_id === undefined) === (min_score === undefined)) {
      throw invalid("Give either 'item_id' or 'min_score'.");
    }
    const chosen =
      item_id === undefined
        ? itemsWithMinScore(allInboxItems(project.db), min_score ?? 1)
        : [requireInboxItem(project, item_id)];
    if (chosen.length === 0) return { settled: [] };
    const summary = `${dismiss ? "Dismissed" : "Placed"} ${pluralise(chosen.length, "passage")} from the inbox`;
    const request = {
      call,
      operation: "settle_inbox",
      summary,
      preview: {
        settled: chosen.map(({ id }) => id),
        message: `This will ${dismiss ? "dismiss" : "place"} ${pluralise(chosen.length, "passage")} of the inbox`,
      },
    };
    return planWrite(
      project,
      request,
      (context) => {
        for (const { id } of chosen) {
          const item = requireInboxItem(context, id);
          if (dismiss) context.writer.remove("lectern_inbox", id);
          else restoreInboxItem(context, item, chosenRangeOf(item, start_pos, end_pos));
        }
        return {};
      },
      ({ change_id }) => {
        call.announce({ topic: "segments.changed" });
        return { settled: chosen.map(({ id }) => id), change_id };
      },
    );
  },
  present: ({ settled }, { dismiss }) => [
    textBlock(`${dismiss ? "Dismissed" : "Placed"} ${pluralise(settled.length, "passage")}.`),
  ],
});

const itemsWithMinScore = (items: readonly InboxRow[], minScore: number): InboxRow[] =>
  items.filter(({ score, start }) => start !== null && score >= minScore);

function chosenRangeOf(item: InboxRow, from: number | undefined, until: number | undefined) {
  const start = from ?? item.start;
  const end = until ?? item.end;
  if (start !== null && end !== null) return { start, end };
  throw new Failure("invalid", "NO_PLACE", `Item ${item.id} has no proposed position`, {
    hints: ["Give start_pos and end_pos, or dismiss it."],
  });
}

export const inboxOperations = [listInbox, settleInbox];
