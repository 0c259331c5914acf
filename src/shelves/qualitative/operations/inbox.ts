import * as z from "zod";
import { text } from "../../../kernel/block.ts";
import { bounded, boundedShape, pagingShape } from "../../../kernel/bounded.ts";
import { Failure, invalid } from "../../../kernel/failure.ts";
import { operationsOn } from "../../../kernel/operation.ts";
import { counted } from "../../../text/counted.ts";
import { placeWaiting, waitingById } from "../inbox.ts";
import { allWaiting, type InboxRow } from "../qda/storage-anchors.ts";
import type { QualitativeState } from "../state.ts";
import { changeId, idInput, position } from "./ids.ts";

const operation = operationsOn<QualitativeState>();

const kinds = { code_text: "coding", annotation: "annotation", case_text: "case" } as const;

const Item = z.object({
  id: z.int(),
  kind: z.enum(["coding", "annotation", "case"]),
  source_id: z.int(),
  source_name: z.string(),
  code_id: z.int().nullable(),
  quote: z.string().describe("What it stood at"),
  start_position: z.int().optional().describe("The proposed place"),
  end_position: z.int().optional(),
  score: z.number().describe("How likely the place is, from 0 to 1"),
  since: z.string(),
});

export const listInbox = operation({
  name: "list_inbox",
  title: "List the inbox",
  summary: "What lost its place when a text was edited, each with a proposed place and its score.",
  input: z.object({ ...pagingShape }),
  output: z.object({ items: z.array(Item), ...boundedShape }),
  effect: "reads",
  expose: { http: "GET /qualitative/inbox", cli: "project inbox" },
  example: {},
  run(wanted, state) {
    const { db } = state.needed();
    const { items, ...rest } = bounded(allWaiting(db), {
      ...wanted,
      keyOf: ({ id }) => String(id),
    });
    return {
      items: items.map((item) => ({
        id: item.id,
        kind: kinds[item.kind],
        source_id: item.source,
        source_name: item.sourceName,
        code_id: item.code,
        quote: item.quote,
        ...placeOf(item),
        score: item.score,
        since: item.date,
      })),
      ...rest,
    };
  },
  present({ items }) {
    if (items.length === 0) return [text("Nothing waits.")];
    const lines = items.map(
      ({ id, kind, source_name, quote, start_position, end_position, score }) => {
        const place =
          start_position === undefined ? "nowhere" : `[${start_position}:${end_position}]`;
        return `${id}  ${kind} in ${source_name}, ${place} by ${score.toFixed(2)}: ${quote.slice(0, 80)}`;
      },
    );
    return [text(lines.join("\n"))];
  },
});

const placeOf = ({ start, end }: InboxRow) =>
  start === null || end === null ? {} : { start_position: start, end_position: end };

export const settleInbox = operation({
  name: "settle_inbox",
  title: "Settle the inbox",
  summary:
    "Put what waits at its proposed place or at another, or let go of it; one, or all whose place is so likely. It can be undone.",
  input: z.object({
    item_id: idInput.optional().describe("Number of what waits"),
    min_score: z.number().min(0).max(1).optional().describe("All of at least this score"),
    start_pos: position.optional().describe("Where it begins now, in letters from 0"),
    end_pos: position.optional().describe("Where it ends now"),
    dismiss: z.boolean().default(false).describe("Let go of it"),
  }),
  output: z.object({ settled: z.array(z.int()), change_id: changeId.optional() }),
  effect: "deletes",
  expose: { http: "POST /qualitative/inbox", cli: "project inbox settle [item_id]" },
  example: { min_score: 0.9 },
  run({ item_id, min_score, start_pos, end_pos, dismiss }, state, call) {
    const project = state.needed();
    if ((item_id === undefined) === (min_score === undefined)) {
      throw invalid("Give either 'item_id' or 'min_score'.");
    }
    const chosen =
      item_id === undefined
        ? likely(allWaiting(project.db), min_score ?? 1)
        : [waitingById(project, item_id)];
    if (chosen.length === 0) return { settled: [] };
    const summary = `${dismiss ? "Dismissed" : "Placed"} ${counted(chosen.length, "passage")} from the inbox`;
    const deed = {
      call,
      operation: "settle_inbox",
      summary,
      preview: {
        settled: chosen.map(({ id }) => id),
        message: `This will ${dismiss ? "let go of" : "place"} ${counted(chosen.length, "passage")} of the inbox`,
      },
    };
    const { change_id } = project.write(deed, (hand) => {
      for (const { id } of chosen) {
        const item = waitingById(hand, id);
        if (dismiss) hand.pen.remove("lectern_inbox", id);
        else placeWaiting(hand, item, placeIn(item, start_pos, end_pos));
      }
      return {};
    });
    call.announce({ topic: "segments.changed" });
    return { settled: chosen.map(({ id }) => id), change_id };
  },
  present: ({ settled }, { dismiss }) => [
    text(`${dismiss ? "Dismissed" : "Placed"} ${counted(settled.length, "passage")}.`),
  ],
});

const likely = (items: readonly InboxRow[], least: number): InboxRow[] =>
  items.filter(({ score, start }) => start !== null && score >= least);

function placeIn(item: InboxRow, from: number | undefined, until: number | undefined) {
  const start = from ?? item.start;
  const end = until ?? item.end;
  if (start !== null && end !== null) return { start, end };
  throw new Failure("invalid", "NO_PLACE", `No place is proposed for ${item.id}`, {
    hints: ["Give start_pos and end_pos, or dismiss it."],
  });
}

export const inboxOperations = [listInbox, settleInbox];
