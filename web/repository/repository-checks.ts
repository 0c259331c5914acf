import { callWithProgress, type Input, type Output, type Progress } from "../server/client.ts";
import { createJob, type Job } from "../server/job.ts";
import { loadIndexedDocuments } from "./indexed-files.ts";

type CheckContext = { signal: AbortSignal; onProgress: (progress: Progress) => void };

/** The operation of each tab: its input, and the files that its answer names. */
const repositoryChecks = {
  analysis: defineCheck(
    "analyze_repository",
    (path) => ({ path }),
    () => [],
  ),
  map: defineCheck(
    "documentation_map",
    (path) => ({ path }),
    ({ data }) => data.pages.map(({ file }) => file),
  ),
  gaps: defineCheck(
    "detect_documentation_gaps",
    (repositoryPath) => ({ repositoryPath }),
    ({ data }) => data.gaps.flatMap(({ relatedCode, page }) => [filePartOf(relatedCode), page]),
  ),
  drift: defineCheck(
    "sync_code_to_docs",
    // Viewing must not save a baseline; a button does that.
    (projectPath) => ({ projectPath, mode: "preview", createSnapshot: false }),
    ({ data }) =>
      driftsIn(data).flatMap(({ filePath, drifts }) => [
        filePath,
        ...drifts.flatMap(({ newFile, references }) => [
          ...(newFile === undefined ? [] : [newFile]),
          ...references.map(({ page }) => page),
        ]),
      ]),
  ),
  links: defineCheck(
    "check_documentation_links",
    (documentation_path) => ({ documentation_path }),
    ({ data }) => data.results.map(({ sourceFile }) => sourceFile),
  ),
  freshness: defineCheck(
    "track_documentation_freshness",
    (path) => ({ docsPath: path, projectPath: path }),
    ({ data }) => data.files.map(({ file }) => file),
  ),
};

type Checks = typeof repositoryChecks;
type Answer<Part extends keyof Checks> = Awaited<ReturnType<Checks[Part]>>;

const startedJobs = new Map<string, Job<unknown>>();

/** Runs the check of each tab once per repository. The answer stays until the user refreshes. */
export function repositoryCheck<Part extends keyof Checks>(
  part: Part,
  path: string,
): Job<Answer<Part>> {
  const key = JSON.stringify([part, path]);
  const started = startedJobs.get(key);
  // The key contains the part, so the job has its answer type.
  if (started) return started as Job<Answer<Part>>;
  const run: (path: string, options: CheckContext) => Promise<unknown> = repositoryChecks[part];
  const job = createJob((options) => run(path, options) as Promise<Answer<Part>>);
  startedJobs.set(key, job);
  job.begin();
  return job;
}

type Name =
  | "analyze_repository"
  | "documentation_map"
  | "detect_documentation_gaps"
  | "sync_code_to_docs"
  | "check_documentation_links"
  | "track_documentation_freshness";

function defineCheck<N extends Name>(
  name: N,
  input: (path: string) => Input<N>,
  filesIn: (answer: Output<N>) => readonly string[],
) {
  return async (path: string, options: CheckContext): Promise<Output<N>> => {
    const answer = await callWithProgress(name, input(path), options);
    await loadIndexedDocuments(path, filesIn(answer), options.signal);
    return answer;
  };
}

/** `src/lamp.ts:12` → `src/lamp.ts` */
export const filePartOf = (location: string): string => location.replace(/:\d+$/, "");
export const linePartOf = (location: string): number => Number(/:(\d+)$/.exec(location)?.[1] ?? 1);

export interface DriftDetection {
  filePath: string;
  drifts: {
    symbol: string;
    change: "removed" | "renamed" | "signature";
    /** The line in the current file of the symbol, which may be `newFile`. */
    line: number;
    newFile?: string;
    before: string;
    after?: string;
    references: { page: string; line: number; text: string }[];
  }[];
}

/** The schema types only a part of the answer, to keep the tool list short. */
export const driftsIn = (data: Output<"sync_code_to_docs">["data"]): DriftDetection[] =>
  data.driftDetections as unknown as DriftDetection[];
