import * as z from "zod";
import { text } from "../../../kernel/block.ts";
import { boundedShape, pagingShape } from "../../../kernel/bounded.ts";
import type { Change } from "../../../kernel/change-log.ts";
import { operationsOn } from "../../../kernel/operation.ts";
import { Actor, entryNumber, nameOfActor } from "../entry.ts";
import type { Desk } from "../state.ts";

const operation = operationsOn<Desk>();

const Shown = z.object({
  id: z.int(),
  at: z.string(),
  summary: z.string(),
  operation: z.string(),
  actor: Actor,
  call: z.string(),
  can_undo: z.boolean(),
  undone_by: z.int().optional().describe("The change that took this one back"),
});

export const listActivity = operation({
  name: "activity",
  title: "List activity",
  summary: "What was changed, by whom and by which call, the newest first.",
  input: z.object({ ...pagingShape }),
  output: z.object({ changes: z.array(Shown), ...boundedShape }),
  effect: "reads",
  expose: { http: "GET /activity", cli: "activity" },
  example: {},
  run({ limit, cursor }, { changes }) {
    const { items, ...rest } = changes.list({ limit, cursor });
    return { changes: items.map(shown), ...rest };
  },
  present({ changes, remaining }) {
    if (changes.length === 0) return [text("Nothing was changed yet.")];
    const more = remaining ? [`… and ${remaining} more.`] : [];
    return [text([...changes.map(described), ...more].join("\n"))];
  },
});

export const undoChange = operation({
  name: "undo_change",
  title: "Undo a change",
  summary: "Take a change back by its inverse. That is a change too, so it can be undone again.",
  input: z.object({ id: entryNumber.describe("The change's number") }),
  output: z.object({ undone: Shown, by: Shown }),
  effect: "decides",
  expose: { http: "POST /activity/{id}/undo", cli: "undo <id>" },
  example: { id: 1 },
  async run({ id }, { changes, performByName }, call) {
    const by = await changes.undo(id, call, performByName);
    const undone = changes.find(id);
    if (!undone) throw new Error(`Change ${id} is gone after its undo.`);
    return { undone: shown(undone), by: shown(by) };
  },
  present: ({ undone, by }) => [text(`Undone: ${undone.summary}\n${described(by)}`)],
});

function shown({ undo, undoneBy, ...change }: Change) {
  return {
    ...change,
    can_undo: undo !== undefined && undoneBy === undefined,
    ...(undoneBy !== undefined && { undone_by: undoneBy }),
  };
}

function described({ id, at, summary, actor, undone_by }: z.output<typeof Shown>): string {
  const undone = undone_by === undefined ? "" : `, undone by ${undone_by}`;
  return `${id}  ${at}  ${summary} (${nameOfActor(actor)}${undone})`;
}
