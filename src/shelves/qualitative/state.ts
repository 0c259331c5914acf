import { basename } from "node:path";
import type { ChangeLog } from "../../kernel/approval/change-log.ts";
import { visibleFolder } from "../../kernel/approval/project-ref.ts";
import type { Proposals } from "../../kernel/approval/proposals.ts";
import type { PerformByName } from "../../kernel/calls/perform.ts";
import { Failure } from "../../kernel/failure.ts";
import type { DocumentReader } from "../../kernel/formats/document-reader.ts";
import type { PageViewers } from "../../kernel/notices/viewers.ts";
import type { Boundary } from "../../kernel/paths/boundary.ts";
import { type MaybePromise, whenReady } from "../../kernel/processes/maybe-promise.ts";
import type { Runtime } from "../../kernel/runtime/runtime.ts";
import type { Store } from "../../kernel/storage/store.ts";
import { openPolicy, type Policy } from "./governance/policy.ts";
import { openReadLog, type ReadLog } from "./governance/read-log.ts";
import type { QdaProject } from "./project/project.ts";
import { locateProject } from "./project/project-location.ts";
import { createProjectOpener, type NewProject } from "./project/project-opener.ts";
import type { ProjectView } from "./project/project-view.ts";
import { countUnreadableCodings } from "./qda/storage-segments.ts";

/** The state of the shelf. At most one project is open in a process. */
export interface QualitativeState {
  /** The open project, refreshed if its file was replaced. */
  readonly current: QdaProject | undefined;
  /** The path of the open project; unlike `current`, this does not check the file. */
  readonly currentPath: string | undefined;
  /** The open project. Fails with the founding document's error if there is none. */
  requireProject(): QdaProject;
  /** Opens a project, then closes the one that was open. */
  open(path: string): MaybePromise<QdaProject>;
  create(newProject: NewProject): MaybePromise<QdaProject>;
  /** Returns the project that was open. */
  close(): MaybePromise<QdaProject | undefined>;
  /** Records that the process that had this project open was stopped. */
  markLost(path: string): void;
  /** Works on a project by path, open or not: a proposal may be accepted in another process. */
  withProject<Result>(
    path: string,
    work: (project: QdaProject) => Result | Promise<Result>,
  ): Promise<Result>;
  /** The same state with a view applied to its projects. */
  withView(view: ProjectView): QualitativeState;
  /** The same state for a person, who may access any file of any project. */
  unrestricted(): QualitativeState;
  /** The same state with this project as the open one. */
  withOpenProject(project: QdaProject): QualitativeState;
  /** The screen last shown to the person. */
  screen: string | null;
  /** Resolves and checks paths; for agents it hides projects and private files. */
  readonly boundary: Boundary;
  /** The force root, if there is one: records of projects outside of it are hidden. */
  readonly visibleFolder: string | undefined;
  /** Resolves when files of sources that became public are indexed again. */
  whenIndexed(): Promise<unknown>;
  readonly reader: DocumentReader;
  /** Open web pages. */
  readonly viewers: PageViewers;
  readonly proposals: Proposals;
  /** The list of activity, over all projects. */
  readonly activity: ChangeLog;
  readonly performByName: PerformByName;
  readonly policy: Policy;
  readonly readLog: ReadLog;
  /** The store of the home. */
  readonly store: Store;
}

export function openQualitative({
  boundary: restricted,
  reader,
  changes,
  proposals,
  performByName,
  viewers,
  privateFiles,
  indexer,
  roots,
  queue,
  settings,
  store,
  log,
}: Runtime): QualitativeState {
  const policy = openPolicy(changes);
  const readLog = openReadLog();
  let current: QdaProject | undefined;
  /** Projects in use besides the open one. Concurrent calls on one project share its connection. */
  const sharedProjects = new Map<string, { project: MaybePromise<QdaProject>; users: number }>();
  let screen: string | null = null;
  let lostPath: string | undefined;
  let indexed: Promise<unknown> = Promise.resolve();
  const opener = createProjectOpener({
    activity: { log: changes, store },
    onPrivateFiles(project: string, files: readonly string[]) {
      const changed = privateFiles.replace(project, files);
      if (changed.length === 0) return;
      const removed = store.run(indexer.removePrivate(changed));
      const shown = changed.filter((path) => !restricted.isHidden(path));
      const indexShown = () => indexer.indexPaths(roots(), shown);
      indexed = Promise.all([removed, indexed])
        .then(() => (shown.length > 0 ? queue.run("public again", indexShown) : undefined))
        .catch((cause) =>
          log("warn", "files that are public again are not indexed yet", { cause }),
        );
    },
  });
  const replaceCurrent = (project: QdaProject): QdaProject => {
    void current?.close();
    screen = null;
    lostPath = undefined;
    current = project;
    return project;
  };
  const createState = (
    view: ProjectView,
    currentProject: () => QdaProject | undefined,
    boundary: Boundary,
  ): QualitativeState => ({
    get currentPath() {
      return currentProject()?.path;
    },
    get current() {
      const project = currentProject();
      project?.refresh();
      return project && view(project);
    },
    requireProject() {
      const project = currentProject();
      project?.refresh();
      if (project) return view(project);
      if (lostPath !== undefined) throw projectStopped(lostPath);
      throw new Failure("conflict", "NO_PROJECT", "No project is open.", {
        hints: [
          "Open one with open_project, or create one with create_project; in a shell, give --project.",
        ],
      });
    },
    open: (path) =>
      whenReady(opener.open(boundary, path), (opened) => {
        const project = replaceCurrent(opened);
        const unreadable = countUnreadableCodings(project.db);
        if (unreadable > 0) {
          log("warn", "codings without a position or a code are skipped", { unreadable });
        }
        return view(project);
      }),
    create: (newProject) =>
      whenReady(opener.create(boundary, newProject), (created) => view(replaceCurrent(created))),
    close() {
      const closed = current;
      current = undefined;
      screen = null;
      lostPath = undefined;
      return whenReady(closed?.close(), () => closed);
    },
    markLost(path) {
      lostPath = path;
    },
    async withProject(requestedPath, work) {
      if (current?.path === requestedPath) return work(view(current));
      const { path } = locateProject(boundary, requestedPath);
      if (current?.path === path) return work(view(current));
      const shared = sharedProjects.get(path) ?? {
        project: opener.open(boundary, requestedPath),
        users: 0,
      };
      sharedProjects.set(path, shared);
      shared.users++;
      let project: QdaProject | undefined;
      try {
        project = shared.project instanceof Promise ? await shared.project : shared.project;
        return await work(view(project));
      } finally {
        shared.users--;
        if (shared.users === 0) {
          sharedProjects.delete(path);
          await project?.close();
        }
      }
    },
    withView: (next) => createState((project) => next(view(project)), currentProject, boundary),
    unrestricted: () => createState(view, currentProject, boundary.unrestricted),
    withOpenProject: (project) =>
      createState(
        (other) => other,
        () => project,
        boundary,
      ),
    get screen() {
      return screen;
    },
    set screen(shown) {
      screen = shown;
    },
    boundary,
    get visibleFolder() {
      return visibleFolder({ boundary, settings });
    },
    whenIndexed: () => indexed,
    reader,
    viewers,
    proposals,
    activity: changes,
    performByName,
    policy,
    readLog,
    store,
  });
  return createState(
    (project) => project,
    () => current,
    restricted,
  );
}

const projectStopped = (path: string): Failure =>
  new Failure("conflict", "NO_PROJECT", `The project '${basename(path)}' was closed.`, {
    hints: [
      "A call on it took too long or too much memory and was stopped.",
      "Open it again with open_project if you trust the file.",
    ],
  });

/** The topics of this shelf's notices, in addition to those of the kernel. */
declare module "../../kernel/notices/notices.ts" {
  interface Topics {
    "source.changed": true;
    "segments.changed": true;
    "segment.navigate": true;
  }
}
