import * as z from "zod";
import type { Change } from "../../../kernel/approval/change.ts";
import { assertReachable, visibleFolder } from "../../../kernel/approval/project-ref.ts";
import { isPerson } from "../../../kernel/call.ts";
import { operationsFor } from "../../../kernel/operation.ts";
import { listPageShape, pagingInputShape } from "../../../kernel/operations/list-page.ts";
import { textBlock } from "../../../kernel/operations/output-block.ts";
import { toPrintable } from "../../../text/strings/printable.ts";
import { shorten } from "../../../text/strings/shorten.ts";
import { ActorOutput, entryNumber, formatActor, ProjectOutput } from "../entry.ts";
import type { ReviewState } from "../state.ts";

const operation = operationsFor<ReviewState>();

const ChangeOutput = z.object({
  id: z.int(),
  at: z.string(),
  summary: z.string(),
  operation: z.string(),
  actor: ActorOutput,
  call: z.string(),
  project: ProjectOutput.optional(),
  approval: z
    .object({
      how: z.string().describe("page, command-line or elicitation"),
      proposal: z.int().optional(),
      client: z.string().optional().describe("The trusted client that relayed the answer"),
      trusted_since: z.string().optional(),
    })
    .optional()
    .describe("How a person approved it"),
  can_undo: z.boolean(),
  undone_by: z.int().optional().describe("The change that undid this one"),
});

export const listActivity = operation({
  name: "activity",
  title: "List activity",
  summary: "Changes, by whom and by which call, newest first.",
  input: z.object({ ...pagingInputShape }),
  output: z.object({ changes: z.array(ChangeOutput), ...listPageShape }),
  effect: "reads",
  expose: { http: "GET /activity", cli: "activity" },
  example: {},
  *run({ limit, cursor }, review, call) {
    const within = visibleFolder(review);
    const forAgent = !isPerson(call);
    const { items, ...rest } = yield* review.changes.list({ limit, cursor, within, forAgent });
    return { changes: items.map(toChangeOutput), ...rest };
  },
  present({ changes, remaining }) {
    if (changes.length === 0) return [textBlock("There are no changes yet.")];
    const more = remaining ? [`… and ${remaining} more.`] : [];
    return [textBlock([...changes.map(formatChange), ...more].join("\n"))];
  },
});

export const undoRecordedChange = operation({
  name: "undo_change",
  title: "Undo a change",
  summary: "Undo one change. The undo is recorded as a change, so it can itself be undone.",
  input: z.object({ id: entryNumber.describe("The change's id") }),
  output: z.object({ undone: ChangeOutput, by: ChangeOutput }),
  effect: "decides",
  expose: { http: "POST /activity/{id}/undo", cli: "undo <id>" },
  example: { id: 2 },
  async run({ id }, review, call) {
    const { changes, boundary, store } = review;
    const change = await store.run(changes.find(id));
    assertReachable(boundary, { kind: "Change", id }, change?.project);
    const by = await changes.undo(id, call, review);
    const undone = await store.run(changes.find(id));
    if (!undone) throw new Error(`Change ${id} is gone after its undo.`);
    return { undone: toChangeOutput(undone), by: toChangeOutput(by) };
  },
  present: ({ undone, by }) => [textBlock(`Undone: ${undone.summary}\n${formatChange(by)}`)],
});

function toChangeOutput({ undo, undoneBy, approval, ...change }: Change) {
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

function formatChange(change: z.output<typeof ChangeOutput>): string {
  const { id, at, summary, actor, undone_by, project, approval } = change;
  const facts = [
    formatActor(actor),
    ...(project ? [`in ${toPrintable(project.root)}`] : []),
    ...(approval ? [formatApproval(approval)] : []),
    ...(undone_by === undefined ? [] : [`undone by ${undone_by}`]),
  ];
  return `${id}  ${at}  ${summary} (${facts.join(", ")})`;
}

function formatApproval(approval: NonNullable<z.output<typeof ChangeOutput>["approval"]>): string {
  const { how, proposal, client = "", trusted_since } = approval;
  if (how === "elicitation") {
    return `approved through ${shorten(toPrintable(client))}, trusted since ${trusted_since}`;
  }
  const of = proposal === undefined ? "" : `proposal ${proposal} `;
  return `${of}approved ${how === "page" ? "on the page" : "at the command line"}`;
}
