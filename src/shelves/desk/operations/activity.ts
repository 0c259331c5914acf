import * as z from "zod";
import { text } from "../../../kernel/block.ts";
import { boundedShape, pagingShape } from "../../../kernel/bounded.ts";
import { isPerson } from "../../../kernel/call.ts";
import type { Change } from "../../../kernel/change.ts";
import { operationsOn } from "../../../kernel/operation.ts";
import { refuseUnreachable } from "../../../kernel/project-root.ts";
import { shorten } from "../../../text/shorten.ts";
import { visible } from "../../../text/visible.ts";
import { Actor, entryNumber, nameOfActor, Project } from "../entry.ts";
import { type Desk, shownFolder } from "../state.ts";

const operation = operationsOn<Desk>();

const Shown = z.object({
  id: z.int(),
  at: z.string(),
  summary: z.string(),
  operation: z.string(),
  actor: Actor,
  call: z.string(),
  project: Project.optional(),
  approval: z
    .object({
      how: z.string().describe("page, command-line or elicitation"),
      proposal: z.int().optional(),
      client: z.string().optional().describe("The trusted client that relayed the answer"),
      trusted_since: z.string().optional(),
    })
    .optional()
    .describe("How a person agreed to it"),
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
  run({ limit, cursor }, desk, call) {
    const within = shownFolder(desk);
    const forAgent = !isPerson(call);
    const { items, ...rest } = desk.changes.list({ limit, cursor, within, forAgent });
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
  example: { id: 2 },
  async run({ id }, { changes, performByName, boundary }, call) {
    refuseUnreachable(boundary, { kind: "Change", id }, changes.find(id)?.project);
    const by = await changes.undo(id, call, performByName);
    const undone = changes.find(id);
    if (!undone) throw new Error(`Change ${id} is gone after its undo.`);
    return { undone: shown(undone), by: shown(by) };
  },
  present: ({ undone, by }) => [text(`Undone: ${undone.summary}\n${described(by)}`)],
});

function shown({ undo, undoneBy, approval, ...change }: Change) {
  const { trustedSince, ...agreed } = approval ?? { how: "" };
  return {
    ...change,
    ...(approval && {
      approval: { ...agreed, ...(trustedSince && { trusted_since: trustedSince }) },
    }),
    can_undo: undo !== undefined && undoneBy === undefined,
    ...(undoneBy !== undefined && { undone_by: undoneBy }),
  };
}

function described(change: z.output<typeof Shown>): string {
  const { id, at, summary, actor, undone_by, project, approval } = change;
  const facts = [
    nameOfActor(actor),
    ...(project ? [`in ${visible(project.root)}`] : []),
    ...(approval ? [wordsOf(approval)] : []),
    ...(undone_by === undefined ? [] : [`undone by ${undone_by}`]),
  ];
  return `${id}  ${at}  ${summary} (${facts.join(", ")})`;
}

function wordsOf(approval: NonNullable<z.output<typeof Shown>["approval"]>): string {
  const { how, proposal, client = "", trusted_since } = approval;
  if (how === "elicitation") {
    return `approved through ${shorten(visible(client))}, trusted since ${trusted_since}`;
  }
  const of = proposal === undefined ? "" : `proposal ${proposal} `;
  return `${of}approved ${how === "page" ? "on the page" : "at the command line"}`;
}
