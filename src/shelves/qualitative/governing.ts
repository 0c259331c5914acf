import * as z from "zod";
import { type Call, isPerson } from "../../kernel/call.ts";
import { Failure } from "../../kernel/failure.ts";
import type { AnyOperation } from "../../kernel/operation.ts";
import { shorten } from "../../text/shorten.ts";
import { agentOf, coderOf, nobodyYet } from "./coder.ts";
import { forAgents } from "./face.ts";
import { policyOperations } from "./operations/policy.ts";
import { refuseBackup } from "./place.ts";
import { previewing } from "./previewing.ts";
import { pendingAnswer, performProposed, propose, reasonsShape } from "./proposing.ts";
import { codersIn } from "./qda/storage-coders.ts";
import { wholeTexts } from "./qda/storage-sources.ts";
import { passagesIn } from "./read-log.ts";
import { type ProposedDeed, rehearsed } from "./rehearsing.ts";
import type { QualitativeState } from "./state.ts";

type Governed = AnyOperation<QualitativeState>;

type Given = Record<string, unknown>;

/**
 * Puts the researcher's policy before every operation of the shelf. This is the one place where it
 * is asked: an agent sees the project as `forAgents` shows it, acts as far as its tier goes, and
 * what it has read is noted. A person passes through.
 */
export function governed(given: readonly Governed[]): Governed[] {
  const operations = given.map(previewing);
  const byName = new Map(operations.map((operation) => [operation.name, operation]));
  return [
    ...operations.map((operation) => govern(operation)),
    ...policyOperations(operations).map((operation) => govern(operation, { isPlaced: false })),
    performProposed(byName),
  ];
}

function govern(
  operation: Governed,
  { isPlaced } = { isPlaced: isPlacedAtShell(operation) },
): Governed {
  const { expose, input, output } = operation;
  if (!expose.mcp && !expose.http && !expose.cli) return operation;
  const acts = operation.effect === "writes" || operation.effect === "deletes";
  return {
    ...operation,
    input: input.extend({ ...(isPlaced && placeShape), ...(acts && reasonsShape) }),
    output: acts ? output.partial().loose() : output,
    run({ project: path, ...given }: Given, state, call) {
      const own = isPlaced ? given : { ...(path !== undefined && { project: path }), ...given };
      if (!isPlaced || typeof path !== "string") return answered(operation, own, state, call);
      return state.within(path, (project) => {
        if (!isPerson(call)) refuseBackup(project);
        return answered(operation, own, state.holding(project), call);
      });
    },
  };
}

/** At a shell no project is open from one command to the next, so it is named. */
const isPlacedAtShell = ({ expose, input }: Governed): boolean =>
  expose.cli !== undefined && !("project" in input.shape || "path" in input.shape);

const placeShape = {
  project: z
    .string()
    .optional()
    .describe("The project's .qda folder, where none is open")
    .meta({ path: true }),
};

async function answered(
  operation: Governed,
  { rationale, confidence, ...wanted }: Given,
  state: QualitativeState,
  call: Call,
): Promise<Given> {
  // What proposes by itself asks for the agent's reasons.
  const hasReasons = "rationale" in operation.input.shape;
  const input = hasReasons ? { ...wanted, rationale, confidence } : wanted;
  if (isPerson(call)) return operation.run(input, state, call);
  if (operation.effect === "decides") throw onlyAPerson();
  const seen = state.facing(forAgents);
  const tier = state.policy.tierOf(operation, agentOf(call));
  if (operation.effect !== "reads" && !isPreview(input) && ["suggest", "require"].includes(tier)) {
    const trial = await rehearsed(operation, input, seen, call);
    if (!trial.deed) return noted(operation, trial.output, seen, call);
    const isApproved = tier === "require" && isApprovedNow(operation, trial.deed, rationale, call);
    if (!isApproved) {
      const project = state.current;
      return pendingAnswer(
        propose(state.proposals, call, {
          project,
          coder: coderOf(call, project ? codersIn(project.db) : nobodyYet),
          operation: operation.name,
          ...trial.deed,
          ...(typeof rationale === "string" && { rationale }),
          ...(typeof confidence === "number" && { confidence }),
        }),
      );
    }
    return noted(operation, await operation.run(trial.deed.input, seen, call), seen, call);
  }
  const output = noted(operation, await operation.run(input, seen, call), seen, call);
  if (tier === "notify" && !isPreview(input)) {
    const { change_id } = output;
    const about = { operation: operation.name, agent: agentOf(call), rationale, change_id };
    call.announce({ topic: "agent.acted", about: JSON.stringify(about) });
  }
  return output;
}

/** An answer that an agent is given, once its words are in the log. */
function noted(
  { name }: Governed,
  output: Given,
  { current, reads }: QualitativeState,
  call: Call,
): Given {
  const { path = "", db } = current ?? {};
  // A file that was made of the project may hold any of its texts, so all of them count as read.
  const isFile = name.startsWith("export_") && db !== undefined;
  reads.note(call, name, path, isFile ? wholeTexts(db) : passagesIn(output));
  return output;
}

const onlyAPerson = (): Failure =>
  new Failure("forbidden", "ONLY_A_PERSON", "Only a person decides this.", {
    hints: ["The researcher does it at the command line or on the page."],
  });

/** Whoever only looks at what would happen needs nobody's leave. */
const isPreview = ({ confirm, dry_run }: Given): boolean => confirm === false || dry_run === true;

/**
 * Asks the person behind the client, where the client can pass a question on. An answer counts
 * only together with what we ourselves remember of having asked.
 */
function isApprovedNow(
  { name }: Governed,
  { input, subject, summary, preview }: ProposedDeed,
  rationale: unknown,
  call: Call,
): boolean {
  if (!call.canAsk("form")) return false;
  const asked = JSON.stringify([name, input, subject]);
  const why = typeof rationale === "string" ? [`Why: ${shorten(rationale)}`] : [];
  const message = [`${agentOf(call)} asks for your yes: ${summary}`, ...why, preview].join("\n");
  const schema = { type: "object", properties: {} };
  const { approval } = call.ask({ approval: { kind: "form", message, schema } }, asked);
  if (call.memory !== asked || approval.kind !== "form") return false;
  if (approval.action === "accept") return true;
  throw new Failure("forbidden", "NOT_APPROVED", "The researcher has not agreed to this.");
}
