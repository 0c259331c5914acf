import * as z from "zod";
import type { Call } from "../../kernel/call.ts";
import { asksSomething } from "../../kernel/change-log.ts";
import { notFound } from "../../kernel/failure.ts";
import { type AnyOperation, operationsOn } from "../../kernel/operation.ts";
import { perform } from "../../kernel/perform.ts";
import type { Proposal } from "../../kernel/proposal.ts";
import type { Proposals } from "../../kernel/proposals.ts";
import { inNameOf } from "./face.ts";
import type { Project } from "./project.ts";
import type { Deed } from "./rehearsing.ts";
import type { QualitativeState } from "./state.ts";

const operation = operationsOn<QualitativeState>();

const performedAs = "perform_proposed";

/**
 * What an agent may say for itself with every call that changes something. The bounds are checked
 * and not listed: an agent pays for each word of the list, seventeen times for these.
 */
export const reasonsShape = {
  rationale: z
    .string()
    .refine((words) => words.length <= 10_000, { error: "at most 10000 letters" })
    .optional(),
  confidence: z
    .int()
    .refine((share) => 0 <= share && share <= 100, { error: "from 0 to 100" })
    .optional(),
};

/** What is answered instead, where a call waits for the researcher. */
export const pendingAnswer = ({ id }: Proposal) => ({
  status: "pending_approval",
  requires_approval: true,
  proposal_id: id,
  message:
    "Nothing is done yet: it waits for the researcher. get_project_context tells how it ends.",
});

/** Stores what a call would do. The same one of the same agent waits once, however often it asks. */
export function propose(
  proposals: Proposals,
  call: Call,
  {
    project,
    coder,
    operation,
    input,
    summary,
    ...said
  }: Deed & {
    project: Project | undefined;
    coder: string;
    operation: string;
    rationale?: string;
    confidence?: number;
  },
): Proposal {
  const performed = { ...(project && { project: project.path }), coder, operation, input };
  const twin = proposals.waitingFor(performedAs, performed);
  if (twin) return twin;
  return proposals.propose(
    {
      shelf: "qualitative",
      operation: performedAs,
      input: performed,
      summary: `Proposed: ${summary}${project ? ` (${project.name})` : ""}`,
      ...said,
    },
    call,
  );
}

/** What an accepted proposal performs, in whatever process a person says yes. On no surface. */
export const performProposed = (byName: ReadonlyMap<string, AnyOperation<QualitativeState>>) =>
  operation({
    name: performedAs,
    title: "Perform a proposal",
    summary:
      "Do what an agent has proposed, in a project that need not be open, in its name; what a person has changed in it is done in theirs.",
    input: z.object({
      project: z.string().optional(),
      coder: z.string(),
      operation: z.enum([...byName.values()].filter(isProposable).map(({ name }) => name)),
      input: z.record(z.string(), z.unknown()),
    }),
    output: z.looseObject({}),
    effect: "writes",
    expose: {},
    example: {
      coder: "agent",
      operation: "create_code",
      input: { name: "Doubt", color: "#CC4400" },
    },
    run({ project: path, coder, operation: name, input }, state, call) {
      const proposed = byName.get(name);
      if (!proposed) throw notFound(`Operation not found: ${name}`);
      const performed = async (held: QualitativeState) => {
        const outcome = await perform(proposed, input, held, call);
        if (!outcome.ok) throw outcome.failure ?? asksSomething(name);
        return outcome.value;
      };
      if (path === undefined) return performed(state);
      const isEdited = call.accepting?.isEdited === true;
      return state.within(path, (project) =>
        performed(state.holding(isEdited ? project : inNameOf(coder)(project))),
      );
    },
  });

const isProposable = ({ effect }: AnyOperation): boolean =>
  effect === "writes" || effect === "deletes";
