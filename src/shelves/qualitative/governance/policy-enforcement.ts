import * as z from "zod";
import { type Call, isPerson } from "../../../kernel/call.ts";
import { Failure } from "../../../kernel/failure.ts";
import type { AnyOperation } from "../../../kernel/operation.ts";
import { shorten } from "../../../text/strings/shorten.ts";
import { policyOperations } from "../operations/governance/policy.ts";
import { agentNameOf, coderNameOf, noKnownCoders } from "../project/coder.ts";
import type { MayChange } from "../project/project.ts";
import { assertNotBackup } from "../project/project-location.ts";
import { agentView } from "../project/project-view.ts";
import { knownCodersOf } from "../qda/storage-coders.ts";
import { wholeTextPassages } from "../qda/storage-sources.ts";
import type { QualitativeState } from "../state.ts";
import { withDeletePreview } from "./delete-preview.ts";
import { type ProposedWrite, toProposedWrite } from "./dry-run.ts";
import { type AnyWriteOperation, isWriteOperation, PlannedWrite } from "./planned-write.ts";
import { hidingPrivateSources } from "./private-notices.ts";
import {
  pendingApprovalOutput,
  performProposalOperation,
  reasonsInput,
  storeProposal,
  withAbsolutePaths,
} from "./proposals.ts";
import { collectReadPassages } from "./read-log.ts";
import type { Tier } from "./tier.ts";

type AnyQualitativeOperation = AnyOperation<QualitativeState>;

type Input = Record<string, unknown>;

/** The reasons that an agent gives for a write, in addition to the operation's own input. */
type AgentReasons = Record<"rationale" | "confidence", unknown>;

/**
 * Applies the researcher's policy to every operation of the shelf. An agent sees the project
 * through `agentView`, acts as far as the tier of the operation allows, and what it reads is
 * logged. A person is not restricted.
 */
export function enforcePolicy(
  unrestricted: readonly AnyQualitativeOperation[],
): AnyQualitativeOperation[] {
  const operations = unrestricted.map((operation) =>
    isWriteOperation(operation) ? withDeletePreview(operation) : operation,
  );
  const byName = new Map(operations.map((operation) => [operation.name, operation]));
  return [
    ...operations.map((operation) => enforceOn(operation, takesProjectInput(operation))),
    ...policyOperations(operations).map((operation) => enforceOn(operation, false)),
    performProposalOperation(byName),
  ];
}

/** The command line keeps no project open between two commands, so its input names the project. */
const takesProjectInput = ({ expose, input }: AnyQualitativeOperation): boolean =>
  expose.cli !== undefined && !("project" in input.shape || "path" in input.shape);

const projectInput = {
  project: z
    .string()
    .optional()
    .describe("The project's .qda folder, if none is open")
    .meta({ path: true }),
};

function enforceOn(
  operation: AnyQualitativeOperation,
  takesProject: boolean,
): AnyQualitativeOperation {
  const { name, expose, effect, input, output } = operation;
  if (!expose.mcp && !expose.http && !expose.cli) return operation;
  const isWrite = effect === "writes" || effect === "deletes";
  if (isWrite && !isWriteOperation(operation)) {
    throw new Error(`'${name}' writes without a plan, so the policy cannot be enforced.`);
  }
  return {
    ...operation,
    input: input.extend({ ...(takesProject && projectInput), ...(isWrite && reasonsInput) }),
    output: isWrite ? output.partial().loose() : output,
    run({ project: path, ...rest }: Input, opened, call) {
      const state = isPerson(call) ? opened.unrestricted() : opened;
      const ownInput = takesProject || path === undefined ? rest : { project: path, ...rest };
      if (!takesProject || typeof path !== "string")
        return performGoverned(operation, ownInput, state, call);
      return state.withProject(path, (project) => {
        if (!isPerson(call)) assertNotBackup(project);
        return performGoverned(operation, ownInput, state.withOpenProject(project), call);
      });
    },
  };
}

function performGoverned(
  operation: AnyQualitativeOperation,
  { rationale, confidence, ...rest }: Input,
  state: QualitativeState,
  call: Call,
): Promise<Input> | Input {
  // An operation that stores a proposal itself takes the reasons as its own input.
  const input = "rationale" in operation.input.shape ? { ...rest, rationale, confidence } : rest;
  const announcing = hidingPrivateSources(call, () => state.current);
  if (isPerson(call)) return operation.run(input, state, announcing);
  if (operation.effect === "decides") throw onlyForPersons();
  return isWriteOperation(operation)
    ? writeForAgent(operation, input, { rationale, confidence }, state, announcing)
    : readForAgent(operation, input, state, announcing);
}

async function readForAgent(
  operation: AnyQualitativeOperation,
  input: Input,
  state: QualitativeState,
  call: Call,
): Promise<Input> {
  const viewed = state.withView(agentView);
  const { currentPath: before } = state;
  const output = await operation.run(input, viewed, call);
  await recordReads(operation, output, viewed, call);
  // A write is announced with its entry in the list of changes; a read has none.
  if ((await tierOf(operation, state, call)) === "notify") {
    const notice = {
      operation: operation.name,
      summary: operation.title,
      agent: agentNameOf(call),
    };
    const about = JSON.stringify(notice);
    call.announce({ topic: "agent.acted", about, project: state.currentPath ?? before });
  }
  return output;
}

/** Plans an agent's write, then performs it, proposes it or asks, depending on the tier. */
async function writeForAgent(
  operation: AnyWriteOperation,
  input: Input,
  reasons: AgentReasons,
  state: QualitativeState,
  call: Call,
): Promise<Input> {
  const viewed = state.withView(agentView);
  const { currentPath: opened } = state;
  const found = tierOf(operation, state, call);
  // No `await` for a tier from SQLite: no other call may run between here and the plan.
  const tier = found instanceof Promise ? await found : found;
  if (state.currentPath !== opened) throw otherProjectOpened();
  const propose = (write: ProposedWrite) => storeAsProposal(operation, write, reasons, state, call);

  /** Proposes the write instead if it would change rows that the agent may not change. */
  const perform = async (
    chosenInput: Input,
    mayChange: MayChange,
    acting: Call,
  ): Promise<Input> => {
    const planned = operation.plan(chosenInput, viewed, acting);
    // No `await` for a synchronous plan: no other call may run between plan and write.
    const plan = planned instanceof Promise ? await planned : planned;
    if (!(plan instanceof PlannedWrite)) return await recordReads(operation, plan, viewed, call);
    const attempted = await plan.attempt(mayChange);
    if (attempted.isDone) return recordReads(operation, attempted.result, viewed, call);
    return propose(toProposedWrite(operation, chosenInput, attempted.findings));
  };

  if (tier === "autonomous") return perform(input, "everything", withoutActedNotice(call));
  if (tier === "notify") return perform(input, "everything", call);
  if (tier === "protect") return perform(input, "agent-rows", call);

  const plan = await operation.plan(input, viewed, call);
  if (!(plan instanceof PlannedWrite)) return recordReads(operation, plan, viewed, call);
  const write = toProposedWrite(operation, input, plan.dryRun());
  const trustedSince =
    tier === "require" ? await state.store.run(state.policy.trustedSince(call)) : undefined;
  if (trustedSince === undefined || write.isPrivate) return propose(write);
  if (!askForApproval(operation, write, reasons.rationale, call)) return propose(write);
  const relayed = { client: agentNameOf(call), trustedSince };
  return perform(write.input, "everything", { ...call, relayed });
}

const tierOf = (
  operation: AnyQualitativeOperation,
  { policy, store }: QualitativeState,
  call: Call,
): Tier | Promise<Tier> => store.run(policy.tierOf(operation, agentNameOf(call)));

/** Stores a write as a proposal until a person decides. */
async function storeAsProposal(
  operation: AnyQualitativeOperation,
  { isPrivate: _, ...request }: ProposedWrite,
  { rationale, confidence }: AgentReasons,
  state: QualitativeState,
  call: Call,
): Promise<Input> {
  const { current } = state;
  const storing = storeProposal(state.proposals, call, {
    // An operation that creates a project does not write to the open one.
    project: "path" in operation.input.shape ? undefined : current,
    coder: coderNameOf(call, current ? knownCodersOf(current.db) : noKnownCoders),
    operation: operation.name,
    ...request,
    input: withAbsolutePaths(operation, request.input, state.boundary),
    ...(typeof rationale === "string" && { rationale }),
    ...(typeof confidence === "number" && { confidence }),
  });
  const isProtected = (await tierOf(operation, state, call)) === "protect";
  return pendingApprovalOutput(
    await state.store.run(storing),
    isProtected ? "it would change what a person made or edited, so it" : "it",
  );
}

/** A call whose changes are recorded without a notice, as the tier `autonomous` specifies. */
const withoutActedNotice = (call: Call): Call => ({
  ...call,
  announce(notice) {
    if (notice.topic !== "agent.acted") call.announce(notice);
  },
});

/** Logs the text that an output gives to an agent, and returns the output. */
async function recordReads(
  { name }: AnyQualitativeOperation,
  output: Input,
  { current, readLog, store }: QualitativeState,
  call: Call,
): Promise<Input> {
  const { path = "", db } = current ?? {};
  // An exported file may contain any text of the project, so all of them are logged as read.
  const isFile = name.startsWith("export_") && db !== undefined;
  const passages = isFile ? wholeTextPassages(db) : collectReadPassages(output);
  await store.run(readLog.record(call, name, path, passages));
  return output;
}

const otherProjectOpened = (): Failure =>
  new Failure("conflict", "OTHER_PROJECT", "Another project was opened meanwhile.", {
    hints: ["Nothing was changed. Open the project again and repeat the call."],
  });

const onlyForPersons = (): Failure =>
  new Failure("forbidden", "ONLY_A_PERSON", "Only a person can decide this.", {
    hints: ["The researcher can do it at the command line or on the page."],
  });

/**
 * Asks the person through a client that the person trusts to relay answers. An answer counts only
 * for the question that this server remembers having asked. False if the client cannot ask.
 */
function askForApproval(
  { name }: AnyQualitativeOperation,
  { input, subject, summary, preview }: ProposedWrite,
  rationale: unknown,
  call: Call,
): boolean {
  if (!call.canAsk("form")) return false;
  const question = JSON.stringify([name, input, subject]);
  const why = typeof rationale === "string" ? [`Why: ${shorten(rationale)}`] : [];
  const message = [`${agentNameOf(call)} asks for your approval: ${summary}`, ...why, preview].join(
    "\n",
  );
  const schema = { type: "object", properties: {} };
  const { approval } = call.ask({ approval: { kind: "form", message, schema } }, question);
  if (call.memory !== question || approval.kind !== "form") return false;
  if (approval.action === "accept") return true;
  throw new Failure("forbidden", "NOT_APPROVED", "The researcher did not approve this.");
}
