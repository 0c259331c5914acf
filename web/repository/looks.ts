import { type Input, type Output, type Progress, work } from "../client.ts";
import { type Job, job } from "../job.ts";
import { locate } from "./documents.ts";

type Begun = { signal: AbortSignal; onProgress: (progress: Progress) => void };

/** What is asked of a repository for each part of the screen, and which files the answer names. */
const looks = {
  analysis: look(
    "analyze_repository",
    (path) => ({ path }),
    () => [],
  ),
  map: look(
    "documentation_map",
    (path) => ({ path }),
    ({ data }) => data.pages.map(({ file }) => file),
  ),
  gaps: look(
    "detect_documentation_gaps",
    (repositoryPath) => ({ repositoryPath }),
    ({ data }) => data.gaps.flatMap(({ relatedCode, page }) => [fileOf(relatedCode), page]),
  ),
  drift: look(
    "sync_code_to_docs",
    // Nothing is remembered because somebody looked; a button does that.
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
  links: look(
    "check_documentation_links",
    (documentation_path) => ({ documentation_path }),
    ({ data }) => data.results.map(({ sourceFile }) => sourceFile),
  ),
  freshness: look(
    "track_documentation_freshness",
    (path) => ({ docsPath: path, projectPath: path }),
    ({ data }) => data.files.map(({ file }) => file),
  ),
};

type Looks = typeof looks;
type Answer<Part extends keyof Looks> = Awaited<ReturnType<Looks[Part]>>;

const begun = new Map<string, Job<unknown>>();

/** Looks once at each part of each repository; the answer stays until somebody looks again. */
export function lookAt<Part extends keyof Looks>(part: Part, path: string): Job<Answer<Part>> {
  const key = JSON.stringify([part, path]);
  const known = begun.get(key);
  // Under this key only a job of this part is kept.
  if (known) return known as Job<Answer<Part>>;
  const run: (path: string, begun: Begun) => Promise<unknown> = looks[part];
  const made = job((options) => run(path, options) as Promise<Answer<Part>>);
  begun.set(key, made);
  made.begin();
  return made;
}

type Name =
  | "analyze_repository"
  | "documentation_map"
  | "detect_documentation_gaps"
  | "sync_code_to_docs"
  | "check_documentation_links"
  | "track_documentation_freshness";

function look<N extends Name>(
  name: N,
  input: (path: string) => Input<N>,
  filesIn: (answer: Output<N>) => readonly string[],
) {
  return async (path: string, options: Begun): Promise<Output<N>> => {
    const answer = await work(name, input(path), options);
    await locate(path, filesIn(answer), options.signal);
    return answer;
  };
}

/** `src/lamp.ts:12` → `src/lamp.ts` */
export const fileOf = (place: string): string => place.replace(/:\d+$/, "");
export const lineOf = (place: string): number => Number(/:(\d+)$/.exec(place)?.[1] ?? 1);

export interface Detection {
  filePath: string;
  drifts: {
    symbol: string;
    change: "removed" | "renamed" | "signature";
    /** In the file where the symbol is now, which may be another. */
    line: number;
    newFile?: string;
    before: string;
    after?: string;
    references: { page: string; line: number; text: string }[];
  }[];
}

/** The schema says less than the answer holds, to spare an agent's budget. */
export const driftsIn = (data: Output<"sync_code_to_docs">["data"]): Detection[] =>
  data.driftDetections as unknown as Detection[];
