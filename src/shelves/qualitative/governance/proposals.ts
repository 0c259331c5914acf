import { basename, dirname, join } from "node:path";
import * as z from "zod";
import { requiresAnswer } from "../../../kernel/approval/change-log.ts";
import type { Proposal } from "../../../kernel/approval/proposal.ts";
import type { Proposals } from "../../../kernel/approval/proposals.ts";
import type { Call } from "../../../kernel/call.ts";
import { perform } from "../../../kernel/calls/perform.ts";
import { notFound, undefinedIfNotFound } from "../../../kernel/failure.ts";
import { type AnyOperation, operationsFor } from "../../../kernel/operation.ts";
import type { Boundary } from "../../../kernel/paths/boundary.ts";
import type { Steps } from "../../../kernel/storage/steps.ts";
import type { QdaProject } from "../project/project.ts";
import { agentView, asCoder, boundToSubject, type ProjectView } from "../project/project-view.ts";
import type { QualitativeState } from "../state.ts";
import type { ProposedWrite } from "./dry-run.ts";
import { isStaleFailure } from "./preview-token.ts";
import { hidingPrivateSources } from "./private-notices.ts";
import { ProposalSubject } from "./proposal-subject.ts";

const operation = operationsFor<QualitativeState>();

const performOperationName = "perform_proposed";

/**
 * The reasons that an agent may give with every write. The bounds are checked but not part of the
 * published schema: they would cost tokens in the definition of each of seventeen tools.
 */
export const reasonsInput = {
  rationale: z
    .string()
    .refine((text) => text.length <= 10_000, { error: "at most 10000 characters" })
    .optional()
    .meta({ help: "Why, for the reader of the list of changes" }),
  confidence: z
    .int()
    .refine((percent) => 0 <= percent && percent <= 100, { error: "from 0 to 100" })
    .optional()
    .meta({ help: "How sure you are, from 0 to 100" }),
};

/** The output of a call that waits for the researcher. */
export const pendingApprovalOutput = ({ id }: Proposal, why: string) => ({
  status: "pending_approval",
  requires_approval: true,
  proposal_id: id,
  message: `Nothing was changed: ${why} waits for the researcher. get_project_context shows the decision.`,
});

/** Stores a write as a proposal. */
export function* storeProposal(
  proposals: Proposals,
  call: Call,
  {
    project,
    coder,
    operation,
    input,
    subject,
    summary,
    ...details
  }: Omit<ProposedWrite, "isPrivate"> & {
    project: QdaProject | undefined;
    coder: string;
    operation: string;
    rationale?: string;
    confidence?: number;
  },
): Steps<Proposal> {
  const toPerform = {
    ...(project && { project: project.path }),
    coder,
    operation,
    input,
    ...(subject && { subject }),
  };
  return yield* proposals.proposeOnce(
    {
      shelf: "qualitative",
      operation: performOperationName,
      input: toPerform,
      ...(project && { project: { root: project.path, name: project.name } }),
      summary: `Proposed: ${summary}${project ? ` (${project.name})` : ""}`,
      isDiscreet: true,
      ...details,
    },
    call,
  );
}

/**
 * The input with absolute paths. The person may accept the proposal in another working directory,
 * where a relative path would name another file.
 */
export function withAbsolutePaths(
  { input: { shape } }: AnyOperation,
  input: Record<string, unknown>,
  boundary: Boundary,
): Record<string, unknown> {
  const entries = Object.entries(input).map(([key, value]) => {
    const isPath = shape[key]?.meta()?.path === true || key === "file_path";
    return [key, isPath && typeof value === "string" ? absolutePathOf(boundary, value) : value];
  });
  return Object.fromEntries(entries);
}

/** Resolves a path without checking it: the operation itself checks the access. */
function absolutePathOf({ unrestricted }: Boundary, path: string): string {
  const existing = undefinedIfNotFound(() => unrestricted.resolvePath(path));
  // A file to be created does not exist yet, but its folder does.
  return existing ?? join(unrestricted.resolvePath(dirname(path)), basename(path));
}

/**
 * Performs an accepted proposal, in the process of the person who accepts it. Not exposed on any
 * surface.
 */
export const performProposalOperation = (
  byName: ReadonlyMap<string, AnyOperation<QualitativeState>>,
) =>
  operation({
    name: performOperationName,
    title: "Perform a proposal",
    summary:
      "Perform what an agent has proposed, in its name, in a project that need not be open. A proposal that a person has edited is performed in the person's name.",
    input: z.object({
      project: z.string().optional(),
      coder: z.string(),
      operation: z.enum([...byName.values()].filter(isProposable).map(({ name }) => name)),
      input: z.record(z.string(), z.unknown()),
      subject: ProposalSubject.optional(),
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
      const performIn = async (opened: QualitativeState) => {
        const announcing = hidingPrivateSources(call, () => opened.current);
        const outcome = await perform(proposed, input, opened, announcing);
        if (!outcome.ok) throw outcome.failure ?? requiresAnswer(name);
        return outcome.value;
      };
      if (path === undefined) return performIn(state);
      const performThrough = (view: ProjectView) =>
        state.withProject(path, (project) => performIn(state.withOpenProject(view(project))));
      if (call.accepting?.isEdited === true) return performThrough(viewAsEdited(subject));
      const ownView = viewAsProposed(coder, subject);
      return performThrough(ownView).catch((failure: unknown) => {
        if (!isStaleFailure(failure)) throw failure;
        // The agent does not see private rows, so its dry run may have changed fewer rows.
        return performThrough((project) => ownView(agentView(project))).catch(() => {
          throw failure;
        });
      });
    },
  });

/** In the agent's name, about the same rows as in the dry run. */
const viewAsProposed =
  (coder: string, subject: ProposalSubject | undefined): ProjectView =>
  (project) => {
    const inName = asCoder(coder)(project);
    return subject ? boundToSubject(subject)(inName) : inName;
  };

/** In the person's name: the changes may differ from the dry run, the named rows may not. */
const viewAsEdited =
  (subject: ProposalSubject | undefined): ProjectView =>
  (project) =>
    subject ? boundToSubject({ named: subject.named })(project) : project;

const isProposable = ({ effect }: AnyOperation): boolean =>
  effect === "writes" || effect === "deletes";
