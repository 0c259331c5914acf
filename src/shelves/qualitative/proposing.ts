import { basename, dirname, join } from "node:path";
import * as z from "zod";
import type { Boundary } from "../../kernel/boundary.ts";
import type { Call } from "../../kernel/call.ts";
import { asksSomething } from "../../kernel/change-log.ts";
import { ifThere, notFound } from "../../kernel/failure.ts";
import { type AnyOperation, operationsOn } from "../../kernel/operation.ts";
import { perform } from "../../kernel/perform.ts";
import type { Proposal } from "../../kernel/proposal.ts";
import type { Proposals } from "../../kernel/proposals.ts";
import { about, type Face, forAgents, inNameOf } from "./face.ts";
import { isStale } from "./preview.ts";
import type { Project } from "./project.ts";
import type { ProposedDeed } from "./rehearsing.ts";
import type { QualitativeState } from "./state.ts";
import { Subject } from "./subject.ts";

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
    .optional()
    .meta({ says: "Why, for whoever reads the list of changes" }),
  confidence: z
    .int()
    .refine((share) => 0 <= share && share <= 100, { error: "from 0 to 100" })
    .optional()
    .meta({ says: "How sure whoever does this is, from 0 to 100" }),
};

/** What is answered instead, where a call waits for the researcher. */
export const pendingAnswer = ({ id }: Proposal, why: string) => ({
  status: "pending_approval",
  requires_approval: true,
  proposal_id: id,
  message: `Nothing is done yet: ${why} waits for the researcher. get_project_context tells how it ends.`,
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
    subject,
    summary,
    ...said
  }: Omit<ProposedDeed, "isPrivate"> & {
    project: Project | undefined;
    coder: string;
    operation: string;
    rationale?: string;
    confidence?: number;
  },
): Proposal {
  const performed = {
    ...(project && { project: project.path }),
    coder,
    operation,
    input,
    ...(subject && { subject }),
  };
  const twin = proposals.waitingFor(performedAs, performed);
  if (twin) return twin;
  return proposals.propose(
    {
      shelf: "qualitative",
      operation: performedAs,
      input: performed,
      ...(project && { project: { root: project.path, name: project.name } }),
      summary: `Proposed: ${summary}${project ? ` (${project.name})` : ""}`,
      isDiscreet: true,
      ...said,
    },
    call,
  );
}

/**
 * The input with its paths made absolute: whoever says yes may work in another folder, and nothing
 * must be written there because a path was relative.
 */
export function withPlaces(
  { input: { shape } }: AnyOperation,
  input: Record<string, unknown>,
  boundary: Boundary,
): Record<string, unknown> {
  const placed = Object.entries(input).map(([key, value]) => {
    const isPath = shape[key]?.meta()?.path === true || key === "file_path";
    return [key, isPath && typeof value === "string" ? placeOf(boundary, value) : value];
  });
  return Object.fromEntries(placed);
}

/** Only says where it is: the operation asks itself whether it may go there. */
function placeOf({ unrestricted }: Boundary, given: string): string {
  const there = ifThere(() => unrestricted.enter(given));
  // What is to be made is not there yet, but the folder that it is to be made in is.
  return there ?? join(unrestricted.enter(dirname(given)), basename(given));
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
      subject: Subject.optional(),
    }),
    output: z.looseObject({}),
    effect: "writes",
    expose: {},
    example: {
      coder: "agent",
      operation: "create_code",
      input: { name: "Doubt", color: "#CC4400" },
    },
    run({ project: path, coder, operation: name, input, subject }, state, call) {
      const proposed = byName.get(name);
      if (!proposed) throw notFound(`Operation not found: ${name}`);
      const performed = async (held: QualitativeState) => {
        const outcome = await perform(proposed, input, held, call);
        if (!outcome.ok) throw outcome.failure ?? asksSomething(name);
        return outcome.value;
      };
      if (path === undefined) return performed(state);
      const isEdited = call.accepting?.isEdited === true;
      const through = (face: Face) =>
        state.within(path, (project) => performed(state.holding(face(project))));
      if (isEdited) return through(boundAsEdited(subject));
      const own = boundAsProposed(coder, subject);
      return through(own).catch((failure: unknown) => {
        if (!isStale(failure)) throw failure;
        // It may have been about less, since the agent does not see everything.
        return through((project) => own(forAgents(project))).catch(() => {
          throw failure;
        });
      });
    },
  });

/** In the agent's name, about the same as when it was tried. */
const boundAsProposed =
  (coder: string, subject: Subject | undefined): Face =>
  (project) => {
    const own = inNameOf(coder)(project);
    return subject ? about(subject)(own) : own;
  };

/** What a person has changed is their own act, but what it is done to is still the same. */
const boundAsEdited =
  (subject: Subject | undefined): Face =>
  (project) =>
    subject ? about({ named: subject.named })(project) : project;

const isProposable = ({ effect }: AnyOperation): boolean =>
  effect === "writes" || effect === "deletes";
