import * as z from "zod";
import { text } from "../../../kernel/block.ts";
import { bounded, pagingShape } from "../../../kernel/bounded.ts";
import { invalid } from "../../../kernel/failure.ts";
import { operationsOn } from "../../../kernel/operation.ts";
import { projectAt } from "../../../kernel/project-root.ts";
import { graphOf } from "../graph.ts";
import { planLink } from "../linking.ts";
import { planNew } from "../new-decision.ts";
import type { Ground, Plan } from "../plan.ts";
import { recordLine, ShownRecord } from "../shown-record.ts";
import type { ArchitectureState } from "../state.ts";
import { planStatus } from "../status-step.ts";
import { planSupersede } from "../superseding.ts";
import { differencesOf, groundOf } from "../writing.ts";
import {
  bodyInput,
  linkDecisions,
  newDecision,
  reverseInput,
  setDecisionStatus,
  statusInput,
  supersedeDecision,
  titleInput,
  verbInput,
} from "./authoring.ts";
import {
  DecisionShown,
  daysInput,
  decisionText,
  idInput,
  LintShown,
  linted,
  lintText,
  listed,
  shownDecision,
  statusFilter,
} from "./decisions.ts";
import { contents, inTime, languageInput, timelineText } from "./pictures.ts";

const operation = operationsOn<ArchitectureState>();

/** One tool for all that is read, so that an agent's list of tools stays short. */
const decisions = operation({
  name: "decisions",
  title: "Decisions",
  summary:
    "Architecture decision records: list them, show one (id) with what holds now in its place, lint, graph, timeline or toc.",
  input: z.object({
    kind: z.enum(["list", "show", "lint", "graph", "timeline", "toc"]).describe("What to tell"),
    id: idInput.optional(),
    status: statusFilter,
    days: daysInput,
    language: languageInput,
    ...pagingShape,
  }),
  output: z.object({ text: z.string() }),
  effect: "reads",
  expose: { mcp: "content" },
  example: { kind: "list" },
  async run({ kind, id, status, days, language, limit, cursor }, state) {
    const set = await state.records.now();
    const page = (records: z.input<typeof ShownRecord>[]) => {
      const part = bounded(records, { limit, cursor, keyOf: ({ file }) => file });
      const more =
        part.next_cursor === undefined
          ? ""
          : `\n… ${part.remaining} more: cursor ${part.next_cursor}`;
      return { shown: part.items.map((record) => ShownRecord.parse(record)), more };
    };
    switch (kind) {
      case "list": {
        const { shown, more } = page(listed(set, status).filter((one) => one.kind === "adr"));
        return { text: (shown.map(recordLine).join("\n") || "There are no decisions.") + more };
      }
      case "timeline": {
        const { shown, more } = page(inTime(set));
        return { text: timelineText(shown) + more };
      }
      case "show": {
        if (id === undefined) throw invalid("id is needed to show a decision.");
        return { text: decisionText(DecisionShown.parse(shownDecision(set, id, state))) };
      }
      case "lint":
        return { text: lintText(LintShown.parse(linted(set, days))) };
      case "graph":
        return { text: graphOf(set, language) };
      case "toc":
        return { text: contents(set, undefined) };
    }
  },
  present: (answer) => [text(answer.text)],
});

const proposalInput = z.object({
  kind: z.enum(["new", "supersede", "link", "status"]).describe("What to propose"),
  id: idInput.optional().describe("The decision it is about; for link, the one that says the verb"),
  title: titleInput.optional(),
  by: idInput.optional().describe("For supersede: a decision that is there, instead of a title"),
  status: statusInput.optional(),
  verb: verbInput.optional(),
  target: idInput.optional(),
  reverse: reverseInput,
  ...bodyInput,
  rationale: z.string().max(10_000).optional().describe("Why, for the person who decides"),
});

type Asked = z.output<typeof proposalInput>;

const proposeDecision = operation({
  name: "propose-decision",
  title: "Propose a decision",
  summary:
    "Propose a new decision record, that one supersedes another, a link between two or a status. Writes no file: a person sees the difference and decides.",
  input: proposalInput,
  output: z.object({ proposal_id: z.int(), summary: z.string(), diff: z.string() }),
  effect: "writes",
  expose: { mcp: true },
  example: { kind: "new", title: "Keep the lamp lit by night", date: "2026-01-01" },
  async run(asked, state, call) {
    const ground = await groundOf(state, call);
    const { plan, name, input } = planned(ground, asked);
    const diff = differencesOf(plan);
    // Reading the records took a while, in which another process may have begun to write.
    await state.db.writable({ signal: call.signal });
    const { id } = state.proposals.propose(
      {
        shelf: "architecture",
        operation: name,
        input,
        project: projectAt(ground.set.root),
        summary: plan.summary,
        preview: diff,
        ...(asked.rationale !== undefined && { rationale: asked.rationale }),
      },
      call,
    );
    return { proposal_id: id, summary: plan.summary, diff };
  },
  present: ({ proposal_id, summary, diff }) => [
    text(`Proposal ${proposal_id} waits for a person: ${summary}\n\n${diff}`),
  ],
});

/** The plan, and the operation that a person's yes performs; the number may be another by then. */
function planned(
  ground: Ground,
  asked: Asked,
): { plan: Plan; name: string; input: Record<string, unknown> } {
  const { date, folder, context, decision, consequences } = asked;
  const body = { date, folder, context, decision, consequences };
  switch (asked.kind) {
    case "new": {
      const status = notSuperseded(asked.status) ?? "proposed";
      const input = { title: needed(asked, "title"), status, ...body };
      return { plan: planNew(ground, input), name: newDecision.name, input };
    }
    case "supersede": {
      const { title, by } = asked;
      const status = notSuperseded(asked.status);
      const input = { old: needed(asked, "id"), title, by, status, ...body };
      return { plan: planSupersede(ground, input), name: supersedeDecision.name, input };
    }
    case "link": {
      const input = {
        source: needed(asked, "id"),
        verb: needed(asked, "verb"),
        target: needed(asked, "target"),
        reverse: asked.reverse,
      };
      return { plan: planLink(ground, input), name: linkDecisions.name, input };
    }
    case "status": {
      const input = { id: needed(asked, "id"), status: needed(asked, "status") };
      return { plan: planStatus(ground, input), name: setDecisionStatus.name, input };
    }
  }
}

function needed<Key extends keyof Asked>(asked: Asked, key: Key): NonNullable<Asked[Key]> {
  const value = asked[key];
  if (value === undefined || value === null) throw invalid(`${key} is needed for ${asked.kind}.`);
  return value;
}

function notSuperseded(status: Asked["status"]) {
  if (status === "superseded") throw invalid("status: a new decision cannot be superseded yet.");
  return status;
}

export const agentOperations = [decisions, proposeDecision];
