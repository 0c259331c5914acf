import * as z from "zod";
import { type Call, isPerson } from "../../kernel/call.ts";
import { Failure } from "../../kernel/failure.ts";
import type { Notice } from "../../kernel/notices.ts";
import type { AnyOperation } from "../../kernel/operation.ts";
import { shorten } from "../../text/shorten.ts";
import { agentOf, coderOf, nobodyYet } from "./coder.ts";
import { forAgents, protecting } from "./face.ts";
import { policyOperations } from "./operations/policy.ts";
import { refuseBackup } from "./place.ts";
import { previewing } from "./previewing.ts";
import { TouchesPrivate } from "./private-rows.ts";
import { pendingAnswer, performProposed, propose, reasonsShape, withPlaces } from "./proposing.ts";
import { codersIn } from "./qda/storage-coders.ts";
import { isSeenSource } from "./qda/storage-privacy.ts";
import { wholeTexts } from "./qda/storage-sources.ts";
import { passagesIn } from "./read-log.ts";
import { onTrial, type ProposedDeed, rehearsed } from "./rehearsing.ts";
import type { QualitativeState } from "./state.ts";
import { isStricter } from "./tier.ts";

type Governed = AnyOperation<QualitativeState>;

type Given = Record<string, unknown>;

/** What an agent says for itself, beside the operation's own input. */
type Reasons = Record<"rationale" | "confidence", unknown>;

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
    run({ project: path, ...given }: Given, opened, call) {
      const state = isPerson(call) ? opened.unrestricted() : opened;
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
  const told = announcingSeen(call, state);
  if (isPerson(call)) return operation.run(input, state, told);
  if (operation.effect === "decides") throw onlyAPerson();
  try {
    return await answeredToAgent(operation, input, { rationale, confidence }, state, told);
  } catch (error) {
    if (!(error instanceof TouchesPrivate)) throw error;
    const trial = await rehearsed(operation, input, onTrial(state.facing(forAgents)), told);
    if (!trial.deed) throw error;
    return proposed(operation, trial.deed, { rationale, confidence }, state, told);
  }
}

/** Notices reach every client, so they name no source that agents do not see. */
function announcingSeen(call: Call, state: QualitativeState): Call {
  const isUnseen = ({ topic, about = "" }: Notice): boolean => {
    if (topic !== "source.changed" && topic !== "segments.changed") return false;
    const project = state.current;
    return project !== undefined && !isSeenSource(forAgents(project).db, Number(about));
  };
  return {
    ...call,
    announce: (notice) => call.announce(isUnseen(notice) ? { topic: notice.topic } : notice),
  };
}

async function answeredToAgent(
  operation: Governed,
  input: Given,
  reasons: Reasons,
  state: QualitativeState,
  call: Call,
): Promise<Given> {
  const { rationale } = reasons;
  const seen = state.facing(forAgents);
  const tier = state.policy.tierOf(operation, agentOf(call));
  if (operation.effect !== "reads" && !isPreview(input) && isStricter(tier, "notify")) {
    const tried = tier === "protect" ? seen.facing(protecting) : onTrial(seen);
    const trial = await rehearsed(operation, input, tried, call);
    if (!trial.deed) return noted(operation, trial.output, seen, call);
    const since = tier === "require" ? state.policy.trustedSince(call) : undefined;
    const isAskable = since !== undefined && !trial.deed.isPrivate;
    if (!isAskable || !isApprovedNow(operation, trial.deed, rationale, call)) {
      return proposed(operation, trial.deed, reasons, state, call);
    }
    const relayed = { client: agentOf(call), trustedSince: since };
    const approved = await operation.run(trial.deed.input, seen, { ...call, relayed });
    return noted(operation, approved, seen, call);
  }
  const acting = tier === "autonomous" ? quietly(call) : call;
  const output = noted(operation, await operation.run(input, seen, acting), seen, call);
  // What writes is announced with its entry in the list of changes.
  if (tier === "notify" && operation.effect === "reads") {
    const about = { operation: operation.name, summary: operation.title, agent: agentOf(call) };
    call.announce({ topic: "agent.acted", about: JSON.stringify(about) });
  }
  return output;
}

/** Keeps what the agent wants to do until a person decides. */
function proposed(
  operation: Governed,
  { isPrivate: _, ...deed }: ProposedDeed,
  { rationale, confidence }: Reasons,
  state: QualitativeState,
  call: Call,
): Given {
  const { current } = state;
  const isProtected = state.policy.tierOf(operation, agentOf(call)) === "protect";
  return pendingAnswer(
    propose(state.proposals, call, {
      // What makes a project of its own is not done in the one that is open.
      project: "path" in operation.input.shape ? undefined : current,
      coder: coderOf(call, current ? codersIn(current.db) : nobodyYet),
      operation: operation.name,
      ...deed,
      input: withPlaces(operation, deed.input, state.boundary),
      ...(typeof rationale === "string" && { rationale }),
      ...(typeof confidence === "number" && { confidence }),
    }),
    isProtected ? "it would change what a person made or edited, so it" : "it",
  );
}

/** A call whose changes are recorded, but not pointed out: the researcher wants it so. */
const quietly = (call: Call): Call => ({
  ...call,
  announce(notice) {
    if (notice.topic !== "agent.acted") call.announce(notice);
  },
});

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
 * Asks the person behind a client that they trust to relay their answer. An answer counts only
 * together with what we ourselves remember of having asked.
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
