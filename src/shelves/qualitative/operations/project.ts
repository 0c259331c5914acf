import * as z from "zod";
import { text } from "../../../kernel/block.ts";
import { isPerson } from "../../../kernel/call.ts";
import { operationsOn } from "../../../kernel/operation.ts";
import type { Proposal } from "../../../kernel/proposal.ts";
import { sharedMemo } from "../memo.ts";
import { placeOf, refuseBackup } from "../place.ts";
import type { Project } from "../project.ts";
import { allCases } from "../qda/storage-cases.ts";
import { allSources, countSources } from "../qda/storage-sources.ts";
import { shownSource } from "../source.ts";
import type { QualitativeState } from "../state.ts";

const operation = operationsOn<QualitativeState>();

const Opened = z.object({
  project_name: z.string(),
  project_path: z.string(),
  source_count: z.int(),
});

const opened = (project: Project): z.input<typeof Opened> => ({
  project_name: project.name,
  project_path: project.path,
  source_count: countSources(project.db),
});

const createProject = operation({
  name: "create_project",
  title: "Create a project",
  summary: "Make a new, empty project that QualCoder can open too, and open it.",
  input: z.object({
    path: z.string().min(1).describe("Its folder, to be made: DIR.qda").meta({ path: true }),
    name: z.string().min(1).max(200).optional().describe("Instead of the folder's name"),
  }),
  output: Opened,
  effect: "writes",
  expose: { mcp: true, cli: "project create <path>" },
  example: { path: "Diaries.qda" },
  run(wanted, state, call) {
    const project = state.create(wanted);
    const { path: root, name } = project;
    state.activity.record({
      call,
      operation: "create_project",
      summary: `Created the project '${name}'`,
      project: { root, name },
    });
    return opened(project);
  },
  present: ({ project_name }) => [text(`Created the project '${project_name}'.`)],
});

export const openProject = operation({
  name: "open_project",
  title: "Open a project",
  summary:
    "Open a QualCoder project: its .qda folder, the data.qda in it, or a single .qda file. Another one that is open is closed.",
  input: z.object({ path: z.string().min(1).describe("Absolute path of the project") }),
  output: Opened,
  effect: "reads",
  expose: { mcp: true },
  example: { path: "interviews.qda" },
  run({ path }, state, call) {
    if (!isPerson(call)) refuseBackup(placeOf(state.boundary, path));
    return opened(state.open(path));
  },
});

const closeProject = operation({
  name: "close_project",
  title: "Close the project",
  summary: "Close the project that is open. Does nothing where none is.",
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
    const closed = state.close();
    return closed
      ? { closed: true, project_name: closed.name }
      : { closed: false, message: "No project was open" };
  },
});

export const getProjectContext = operation({
  name: "get_project_context",
  title: "Project context",
  summary: "What project is open, with its sources and cases. The first thing to ask.",
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
  run(_input, { current, screen, proposals }, { actor }) {
    const proposed = proposals.latestOf(actor, "qualitative", mostProposals);
    const own = proposed.length > 0 ? { proposals: proposed.map(shownProposal) } : {};
    if (!current) return { project_open: false, ...own };
    const sources = allSources(current.db).map(shownSource);
    const cases = allCases(current.db);
    return {
      project_open: true,
      ...opened(current),
      sources: sources.map(({ id, name, type, status }) => ({ id, name, type, status })),
      case_count: cases.length,
      cases: cases.map(({ id, name, memo }) => ({ id, name, description: sharedMemo(memo) })),
      current_screen: screen,
      ...own,
    };
  },
});

/** An agent learns here what became of what it proposed; more of it is on the desk. */
const mostProposals = 20;

const shownProposal = ({ id, summary, status, reason }: Proposal) => ({
  id,
  summary,
  status,
  ...(reason !== undefined && { reason }),
});

export const projectOperations = [getProjectContext, openProject, closeProject, createProject];
