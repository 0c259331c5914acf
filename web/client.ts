import type * as z from "zod";
import type {
  lintDecisions,
  listDecisions,
  showDecision,
} from "../src/shelves/architecture/operations/decisions.ts";
import type {
  listArchitecture,
  showArchitecture,
} from "../src/shelves/architecture/operations/documents.ts";
import type { decisionTimeline } from "../src/shelves/architecture/operations/pictures.ts";
import type { listPrompts, renderPrompt } from "../src/shelves/architecture/operations/prompts.ts";
import type { listActivity, undoChange } from "../src/shelves/desk/operations/activity.ts";
import type {
  acceptProposal,
  listProposals,
  rejectProposal,
} from "../src/shelves/desk/operations/proposals.ts";
import type {
  findPath,
  findReferences,
  traverseGraph,
} from "../src/shelves/objects/operations/connections.ts";
import type { validateReferences } from "../src/shelves/objects/operations/diagnostics.ts";
import type { describeObject, searchObjects } from "../src/shelves/objects/operations/finding.ts";
import type {
  describeMetamodel,
  getTree,
  outlineFile,
} from "../src/shelves/objects/operations/overview.ts";
import type { querySql } from "../src/shelves/objects/operations/sql.ts";
import type { listWorkspaces } from "../src/shelves/objects/operations/workspaces.ts";
import type { batchApplyCodes } from "../src/shelves/qualitative/operations/batch.ts";
import type { createInVivoCode } from "../src/shelves/qualitative/operations/codebook.ts";
import type { listCoders } from "../src/shelves/qualitative/operations/coders.ts";
import type {
  createCode,
  listCategories,
  listCodes,
} from "../src/shelves/qualitative/operations/codes.ts";
import type {
  getProjectContext,
  openProject,
} from "../src/shelves/qualitative/operations/project.ts";
import type { getReport } from "../src/shelves/qualitative/operations/reports.ts";
import type {
  listSegmentsForSource,
  removeCoding,
} from "../src/shelves/qualitative/operations/segments.ts";
import type {
  listSources,
  readSourceContent,
} from "../src/shelves/qualitative/operations/sources.ts";
import type { redoLast, undoLast } from "../src/shelves/qualitative/operations/undoing.ts";
import type { get } from "../src/shelves/search/operations/retrieval.ts";
import type { search } from "../src/shelves/search/operations/searching.ts";
import type { status } from "../src/shelves/search/operations/status.ts";

/** The operations that the page calls. Their types are the definitions' own. */
interface Operations {
  accept_proposal: typeof acceptProposal;
  activity: typeof listActivity;
  batch_apply_codes: typeof batchApplyCodes;
  create_code: typeof createCode;
  create_in_vivo_code: typeof createInVivoCode;
  decision_timeline: typeof decisionTimeline;
  get: typeof get;
  get_project_context: typeof getProjectContext;
  get_report: typeof getReport;
  lint_decisions: typeof lintDecisions;
  list_architecture: typeof listArchitecture;
  list_categories: typeof listCategories;
  list_coders: typeof listCoders;
  list_codes: typeof listCodes;
  list_decisions: typeof listDecisions;
  list_prompts: typeof listPrompts;
  list_segments_for_source: typeof listSegmentsForSource;
  list_sources: typeof listSources;
  list_workspaces: typeof listWorkspaces;
  open_project: typeof openProject;
  proposals: typeof listProposals;
  qmdc_describe_metamodel: typeof describeMetamodel;
  qmdc_describe_object: typeof describeObject;
  qmdc_find_path: typeof findPath;
  qmdc_find_references: typeof findReferences;
  qmdc_get_tree: typeof getTree;
  qmdc_outline_file: typeof outlineFile;
  qmdc_query_sql: typeof querySql;
  qmdc_search_objects: typeof searchObjects;
  qmdc_traverse_graph: typeof traverseGraph;
  qmdc_validate_references: typeof validateReferences;
  read_source_content: typeof readSourceContent;
  redo_last: typeof redoLast;
  reject_proposal: typeof rejectProposal;
  remove_coding: typeof removeCoding;
  render_prompt: typeof renderPrompt;
  search: typeof search;
  show_architecture: typeof showArchitecture;
  show_decision: typeof showDecision;
  status: typeof status;
  undo_change: typeof undoChange;
  undo_last: typeof undoLast;
}

type Name = keyof Operations;
export type Input<N extends Name> = z.input<Operations[N]["input"]>;
export type Output<N extends Name> = z.output<Operations[N]["output"]>;

/** Calls an operation by its name and the keys that its schema declares, in a person's name. */
export async function call<N extends Name>(
  name: N,
  input: Input<N>,
  signal?: AbortSignal,
): Promise<Output<N>> {
  let response = await send(name, input, signal);
  if (response.status === 403 && (await isWelcomeAgain()))
    response = await send(name, input, signal);
  // Every answer of this server is an object, and `data` has passed the operation's own schema.
  const answer = (await response.json()) as { data: Output<N>; detail?: string };
  if (!response.ok) throw new Error(answer.detail ?? "The server refused.");
  return answer.data;
}

const send = (name: string, input: object, signal: AbortSignal | undefined): Promise<Response> =>
  fetch(`/page/${name}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ arguments: input }),
    signal: signal ?? null,
  }).catch((cause: unknown) => {
    throw signal?.aborted ? cause : new Error("The server does not answer. Is it still running?");
  });

/** A server that was started anew has another credential, and gives it with the page. */
const isWelcomeAgain = async (): Promise<boolean> =>
  (await fetch("/", { headers: { accept: "text/html" } })).ok;
