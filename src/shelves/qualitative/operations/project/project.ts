import * as z from "zod";
import type { Proposal } from "../../../../kernel/approval/proposal.ts";
import { isPerson } from "../../../../kernel/call.ts";
import { operationsFor } from "../../../../kernel/operation.ts";
import { textBlock } from "../../../../kernel/operations/output-block.ts";
import { whenReady } from "../../../../kernel/processes/maybe-promise.ts";
import { planSideEffect, writeOperation } from "../../governance/planned-write.ts";
import { sharedMemo } from "../../project/memo.ts";
import type { QdaProject } from "../../project/project.ts";
import { assertNotBackup, locateProject } from "../../project/project-location.ts";
import { allCases } from "../../qda/storage-cases.ts";
import { allSources, countSources } from "../../qda/storage-sources.ts";
import { toSourceOutput } from "../../sources/source.ts";
import type { QualitativeState } from "../../state.ts";

const operation = operationsFor<QualitativeState>();

const OpenedProject = z.object({
  project_name: z.string(),
  project_path: z.string(),
  source_count: z.int(),
});

const toOpenedProject = (project: QdaProject): z.input<typeof OpenedProject> => ({
  project_name: project.name,
  project_path: project.path,
  source_count: countSources(project.db),
});

const createProject = writeOperation({
  name: "create_project",
  title: "Create a project",
  summary: "Create and open an empty project, which QualCoder can open too.",
  input: z.object({
    path: z.string().min(1).describe("Its folder, to create: DIR.qda").meta({ path: true }),
    name: z.string().min(1).max(200).optional().describe("Instead of the folder's name"),
  }),
  output: OpenedProject,
  effect: "writes",
  expose: { mcp: true, cli: "project create <path>" },
  example: { path: "Diaries.qda" },
  plan(wanted, state, call) {
    return planSideEffect(`Created the project '${wanted.path}'`, async () => {
      const project = await state.create(wanted);
      const { path: root, name } = project;
      const entry = {
        call,
        operation: "create_project",
        summary: `Created the project '${name}'`,
        project: { root, name },
      };
      await state.store.run(state.activity.record(entry));
      return toOpenedProject(project);
    });
  },
  present: ({ project_name }) => [textBlock(`Created the project '${project_name}'.`)],
});

export const openProject = operation({
  name: "open_project",
  title: "Open a project",
  summary:
    "Open a QualCoder project: its .qda folder, the data.qda in it, or a single .qda file. An open project is closed first.",
  input: z.object({ path: z.string().min(1).describe("Absolute path of the project") }),
  output: OpenedProject,
  effect: "reads",
  expose: { mcp: true },
  example: { path: "interviews.qda" },
  run({ path }, state, call) {
    if (!isPerson(call)) assertNotBackup(locateProject(state.boundary, path));
    return whenReady(state.open(path), toOpenedProject);
  },
});

const closeProject = operation({
  name: "close_project",
  title: "Close the project",
  summary: "Close the open project. Does nothing if no project is open.",
  input: z.object({}),
  output: z.object({
    closed: z.boolean(),
    project_name: z.string().optional(),
    message: z.string().optional(),
  }),
  effect: "reads",
  expose: { mcp: true },
  example: {},
  run(_input, state) {
    return whenReady(state.close(), (closed) =>
      closed
        ? { closed: true, project_name: closed.name }
        : { closed: false, message: "No project was open" },
    );
  },
});

export const getProjectContext = operation({
  name: "get_project_context",
  title: "Project context",
  summary: "The open project with its sources and cases. Call this first.",
  input: z.object({}),
  output: z.object({
    project_open: z.boolean(),
    project_name: z.string().optional(),
    project_path: z.string().optional(),
    source_count: z.int().optional(),
    sources: z
      .array(z.object({ id: z.int(), name: z.string(), type: z.string(), status: z.string() }))
      .optional(),
    case_count: z.int().optional(),
    cases: z
      .array(z.object({ id: z.int(), name: z.string(), description: z.string().nullable() }))
      .optional(),
    current_screen: z.string().nullable().optional(),
    proposals: z
      .array(
        z.object({
          id: z.int(),
          summary: z.string(),
          status: z.string(),
          reason: z.string().optional(),
        }),
      )
      .optional(),
  }),
  effect: "reads",
  expose: { mcp: true },
  example: {},
  *run(_input, { current, screen, proposals, visibleFolder }, { actor }) {
    const scope = { shelf: "qualitative", limit: maxProposals, within: visibleFolder };
    const proposed = yield* proposals.latestBy(actor, scope);
    const own = proposed.length > 0 ? { proposals: proposed.map(toProposalOutput) } : {};
    if (!current) return { project_open: false, ...own };
    const sources = allSources(current.db).map(toSourceOutput);
    const cases = allCases(current.db);
    return {
      project_open: true,
      ...toOpenedProject(current),
      sources: sources.map(({ id, name, type, status }) => ({ id, name, type, status })),
      case_count: cases.length,
      cases: cases.map(({ id, name, memo }) => ({ id, name, description: sharedMemo(memo) })),
      current_screen: screen,
      ...own,
    };
  },
});

/** The newest decisions about an agent's own proposals. */
const maxProposals = 20;

const toProposalOutput = ({ id, summary, status, reason }: Proposal) => ({
  id,
  summary,
  status,
  ...(reason !== undefined && { reason }),
});

export const projectOperations = [getProjectContext, openProject, closeProject, createProject];
