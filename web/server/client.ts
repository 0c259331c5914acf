import type * as z from "zod";
import type { decisionTimeline } from "../../src/shelves/architecture/operations/decision-views.ts";
import type {
  lintDecisions,
  listDecisions,
  showDecision,
} from "../../src/shelves/architecture/operations/decisions.ts";
import type {
  listArchitecture,
  showArchitecture,
} from "../../src/shelves/architecture/operations/documents.ts";
import type {
  listPrompts,
  renderPrompt,
} from "../../src/shelves/architecture/operations/prompts.ts";
import type {
  findPath,
  findReferences,
  traverseGraph,
} from "../../src/shelves/objects/operations/connections.ts";
import type { validateReferences } from "../../src/shelves/objects/operations/diagnostics.ts";
import type { describeObject, searchObjects } from "../../src/shelves/objects/operations/lookup.ts";
import type {
  describeMetamodel,
  getTree,
  outlineFile,
} from "../../src/shelves/objects/operations/overview.ts";
import type { querySql } from "../../src/shelves/objects/operations/sql.ts";
import type { listWorkspaces } from "../../src/shelves/objects/operations/workspaces.ts";
import type {
  createCategory,
  deleteCategory,
  listCategories,
  saveCategory,
} from "../../src/shelves/qualitative/operations/codebook/categories.ts";
import type {
  listCodes,
  updateCode,
} from "../../src/shelves/qualitative/operations/codebook/codes.ts";
import type {
  deleteCode,
  mergeCodes,
} from "../../src/shelves/qualitative/operations/codebook/delete-and-merge.ts";
import type {
  createInVivoCode,
  nestCode,
  splitCode,
} from "../../src/shelves/qualitative/operations/codebook/nest-and-split.ts";
import type { batchApplyCodes } from "../../src/shelves/qualitative/operations/coding/batch.ts";
import type {
  changeCoding,
  eraseCoding,
} from "../../src/shelves/qualitative/operations/coding/coding-changes.ts";
import type {
  listInbox,
  settleInbox,
} from "../../src/shelves/qualitative/operations/coding/inbox.ts";
import type {
  listSegmentsForSource,
  removeCoding,
} from "../../src/shelves/qualitative/operations/coding/segments.ts";
import type { policyOperations } from "../../src/shelves/qualitative/operations/governance/policy.ts";
import type {
  distrustClient,
  trustClient,
} from "../../src/shelves/qualitative/operations/governance/trusted-clients.ts";
import type { listCoders } from "../../src/shelves/qualitative/operations/project/coders.ts";
import type {
  getProjectContext,
  openProject,
} from "../../src/shelves/qualitative/operations/project/project.ts";
import type { getReport } from "../../src/shelves/qualitative/operations/project/reports.ts";
import type { redoLast, undoLast } from "../../src/shelves/qualitative/operations/project/undo.ts";
import type {
  listSources,
  readSourceContent,
} from "../../src/shelves/qualitative/operations/sources/sources.ts";
import type { analyzeRepository } from "../../src/shelves/repository/operations/analyze.ts";
import type { syncCodeToDocs } from "../../src/shelves/repository/operations/drift.ts";
import type { acceptDrift } from "../../src/shelves/repository/operations/drift-acceptance.ts";
import type { trackFreshness } from "../../src/shelves/repository/operations/freshness.ts";
import type { detectDocumentationGaps } from "../../src/shelves/repository/operations/gaps.ts";
import type { checkDocumentationLinks } from "../../src/shelves/repository/operations/links.ts";
import type {
  documentationMap,
  findIndexedFiles,
  listRepositories,
} from "../../src/shelves/repository/operations/listings.ts";
import type {
  listActivity,
  undoRecordedChange,
} from "../../src/shelves/review/operations/activity.ts";
import type {
  acceptProposal,
  listProposals,
  rejectProposal,
} from "../../src/shelves/review/operations/proposals.ts";
import type { backlinks } from "../../src/shelves/search/operations/backlinks.ts";
import type { addCollection } from "../../src/shelves/search/operations/collections.ts";
import type { embedIndex } from "../../src/shelves/search/operations/embed.ts";
import type { findDocuments, listFacets } from "../../src/shelves/search/operations/find.ts";
import type { getDocument } from "../../src/shelves/search/operations/get.ts";
import type { listDocuments } from "../../src/shelves/search/operations/list-documents.ts";
import type { indexStatus } from "../../src/shelves/search/operations/status.ts";
import type { listWikiLinks } from "../../src/shelves/search/operations/wiki-links.ts";
import { fetchAsPage, renewSession } from "./page-key.ts";

/** The operations that the page calls. The types of their input and output come from the definitions. */
interface Operations {
  accept_documentation_drift: typeof acceptDrift;
  accept_proposal: typeof acceptProposal;
  activity: typeof listActivity;
  add_collection: typeof addCollection;
  analyze_repository: typeof analyzeRepository;
  backlinks: typeof backlinks;
  batch_apply_codes: typeof batchApplyCodes;
  check_documentation_links: typeof checkDocumentationLinks;
  change_coding: typeof changeCoding;
  create_category: typeof createCategory;
  create_in_vivo_code: typeof createInVivoCode;
  delete_category: typeof deleteCategory;
  delete_code: typeof deleteCode;
  erase_coding: typeof eraseCoding;
  decision_timeline: typeof decisionTimeline;
  detect_documentation_gaps: typeof detectDocumentationGaps;
  distrust_client: typeof distrustClient;
  documentation_map: typeof documentationMap;
  embed: typeof embedIndex;
  find_indexed_files: typeof findIndexedFiles;
  facets: typeof listFacets;
  find: typeof findDocuments;
  get: typeof getDocument;
  get_project_context: typeof getProjectContext;
  get_report: typeof getReport;
  lint_decisions: typeof lintDecisions;
  list_architecture: typeof listArchitecture;
  list_categories: typeof listCategories;
  list_coders: typeof listCoders;
  list_codes: typeof listCodes;
  list_decisions: typeof listDecisions;
  list_documents: typeof listDocuments;
  list_inbox: typeof listInbox;
  list_policy: ReturnType<typeof policyOperations>[0];
  list_prompts: typeof listPrompts;
  list_repositories: typeof listRepositories;
  list_reads: ReturnType<typeof policyOperations>[2];
  list_segments_for_source: typeof listSegmentsForSource;
  list_sources: typeof listSources;
  list_workspaces: typeof listWorkspaces;
  merge_codes: typeof mergeCodes;
  nest_code: typeof nestCode;
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
  save_category: typeof saveCategory;
  set_policy: ReturnType<typeof policyOperations>[1];
  settle_inbox: typeof settleInbox;
  show_architecture: typeof showArchitecture;
  show_decision: typeof showDecision;
  split_code: typeof splitCode;
  status: typeof indexStatus;
  sync_code_to_docs: typeof syncCodeToDocs;
  track_documentation_freshness: typeof trackFreshness;
  trust_client: typeof trustClient;
  undo_change: typeof undoRecordedChange;
  undo_last: typeof undoLast;
  update_code: typeof updateCode;
  wiki_links: typeof listWikiLinks;
}

type Name = keyof Operations;
export type Input<N extends Name> = z.input<Operations[N]["input"]>;
export type Output<N extends Name> = z.output<Operations[N]["output"]>;

/** Calls an operation as the person at the page. */
export async function call<N extends Name>(
  name: N,
  input: Input<N>,
  signal?: AbortSignal,
): Promise<Output<N>> {
  let response = await send(name, input, signal);
  if (isSessionOver(response) && (await renewSession())) response = await send(name, input, signal);
  // The server has validated `data` against the output schema of the operation.
  const answer = (await response.json()) as { data: Output<N>; detail?: string };
  if (!response.ok) throw new Error(answer.detail ?? "The server refused the request.");
  return answer.data;
}

/** The progress of a job, as far as it is known. */
export interface Progress {
  done: number;
  total?: number;
  message?: string;
}

/** Calls a long-running operation and reports its progress. The signal cancels it. */
export async function callWithProgress<N extends Name>(
  name: N,
  input: Input<N>,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (progress: Progress) => void },
): Promise<Output<N>> {
  let response = await send(name, input, signal, linesOfJson);
  if (isSessionOver(response) && (await renewSession()))
    response = await send(name, input, signal, linesOfJson);
  for await (const line of readLines(response, signal)) {
    // A line has one of these three keys; see `page-calls.ts`.
    const message = JSON.parse(line) as { progress?: Progress; data?: Output<N>; detail?: string };
    if (message.progress) onProgress(message.progress);
    else if (message.data) return message.data;
    else throw new Error(message.detail ?? "The server refused the request.");
  }
  throw connectionLost();
}

const isSessionOver = ({ status }: Response): boolean => status === 401 || status === 403;

const connectionLost = (): Error => new Error("The connection was lost. Is the server running?");

const linesOfJson = "application/x-ndjson";

async function* readLines(response: Response, signal: AbortSignal): AsyncGenerator<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const read = await reader?.read().catch((cause: unknown) => {
      throw signal.aborted ? cause : connectionLost();
    });
    const lines = (rest + (read?.value ?? "")).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
    if (!read || read.done) break;
  }
  if (rest !== "") yield rest;
}

const send = (
  name: string,
  input: object,
  signal: AbortSignal | undefined,
  accept = "application/json",
): Promise<Response> =>
  fetchAsPage(`/page/${name}`, {
    method: "POST",
    headers: { "content-type": "application/json", accept },
    body: JSON.stringify({ arguments: input }),
    signal: signal ?? null,
  }).catch((cause: unknown) => {
    throw signal?.aborted ? cause : new Error("The server does not answer. Is it running?");
  });
