import { basename } from "node:path";
import type { Boundary } from "../../kernel/boundary.ts";
import type { ChangeLog } from "../../kernel/change-log.ts";
import { Failure } from "../../kernel/failure.ts";
import type { Reader } from "../../kernel/formats/reader.ts";
import type { House } from "../../kernel/house.ts";
import type { PerformByName } from "../../kernel/perform.ts";
import type { Proposals } from "../../kernel/proposals.ts";
import type { Viewers } from "../../kernel/viewers.ts";
import type { Face } from "./face.ts";
import { placeOf } from "./place.ts";
import { openPolicy, type Policy } from "./policy.ts";
import { createProject, openProject, type Project } from "./project.ts";
import { countUnreadable } from "./qda/storage-segments.ts";
import { openReadLog, type ReadLog } from "./read-log.ts";

/** What the shelf's operations work on: at most one project is open, for the whole process. */
export interface QualitativeState {
  /** The open project, if there is one. */
  readonly current: Project | undefined;
  /** Where the open project lies; unlike `current`, this does not look at the file again. */
  readonly currentPath: string | undefined;
  /** The open project; the document's failure where there is none. */
  needed(): Project;
  /** Closes what is open, once the other could be opened. */
  open(path: string): Project;
  create(wanted: { path: string; name?: string | undefined }): Project;
  /** Is called before something is done that no project's `write` does: a trial ends here. */
  act(summary: string): void;
  /** Gives the project that was open. */
  close(): Project | undefined;
  /** Remembers that the process which had this project open had to be ended. */
  noteLost(path: string): void;
  /** Works on a project by its path, open or not: a person's yes comes from another process. */
  within<Result>(
    path: string,
    work: (project: Project) => Result | Promise<Result>,
  ): Promise<Result>;
  /** The same shelf, whose projects turn another face. */
  facing(face: Face): QualitativeState;
  /** The same shelf for a person, who may name any file of any project. */
  unrestricted(): QualitativeState;
  /** The same shelf with this project as the open one. */
  holding(project: Project): QualitativeState;
  /** What was last shown to the person, if anything. */
  screen: string | null;
  /** The way from a caller's path to a real one: for agents past projects and private files. */
  readonly boundary: Boundary;
  /** Ends when the index holds the files again whose sources are public now. */
  indexed(): Promise<unknown>;
  /** What turns files into text. */
  readonly reader: Reader;
  /** The pages that are open. */
  readonly viewers: Viewers;
  readonly proposals: Proposals;
  /** What was changed here, by whom, in whatever project. */
  readonly activity: ChangeLog;
  readonly performByName: PerformByName;
  /** How far agents may go. */
  readonly policy: Policy;
  /** What they have read. */
  readonly reads: ReadLog;
}

export function openQualitative({
  boundary: restricted,
  reader,
  changes,
  proposals,
  performByName,
  viewers,
  privateFiles,
  intake,
  roots,
  queue,
  db,
  log,
}: House): QualitativeState {
  const policy = openPolicy(db, changes);
  const reads = openReadLog(db);
  let current: Project | undefined;
  /** Projects beside the open one: whoever comes while one is worked on shares it and its session. */
  const loans = new Map<string, { project: Project; users: number }>();
  let screen: string | null = null;
  let lost: string | undefined;
  let indexed: Promise<unknown> = Promise.resolve();
  const means = {
    activity: changes,
    keepPrivate(project: string, files: readonly string[]) {
      const changed = privateFiles.replace(project, files);
      if (changed.length === 0) return;
      intake.withdraw(changed);
      const shown = changed.filter((path) => !restricted.hides(path));
      if (shown.length === 0) return;
      indexed = queue
        .run("public again", () => intake.lookAt(roots(), shown))
        .catch((cause) =>
          log("warn", "files that are public again are not indexed yet", { cause }),
        );
    },
  };
  const take = (project: Project): Project => {
    current?.close();
    screen = null;
    lost = undefined;
    current = project;
    return project;
  };
  const seen = (
    face: Face,
    held: () => Project | undefined,
    boundary: Boundary,
  ): QualitativeState => ({
    get currentPath() {
      return held()?.path;
    },
    get current() {
      const project = held();
      project?.refresh();
      return project && face(project);
    },
    needed() {
      const project = held();
      project?.refresh();
      if (project) return face(project);
      if (lost !== undefined) throw closedAfterStop(lost);
      throw new Failure("conflict", "NO_PROJECT", "No project is open.", {
        hints: [
          "Open one with open_project, or make one with create_project; at a shell, give --project.",
        ],
      });
    },
    open(path) {
      const project = take(openProject({ ...means, boundary }, path));
      const unreadable = countUnreadable(project.db);
      if (unreadable > 0) {
        log("warn", "codings that name no place or no code are left out", { unreadable });
      }
      return face(project);
    },
    create: (wanted) => face(take(createProject({ ...means, boundary }, wanted))),
    act: () => undefined,
    close() {
      const closed = current;
      closed?.close();
      current = undefined;
      screen = null;
      lost = undefined;
      return closed;
    },
    noteLost(path) {
      lost = path;
    },
    async within(given, work) {
      if (current?.path === given) return work(face(current));
      const { path } = placeOf(boundary, given);
      if (current?.path === path) return work(face(current));
      const loan = loans.get(path) ?? {
        project: openProject({ ...means, boundary }, given),
        users: 0,
      };
      loans.set(path, loan);
      loan.users++;
      try {
        return await work(face(loan.project));
      } finally {
        loan.users--;
        if (loan.users === 0) {
          loans.delete(path);
          loan.project.close();
        }
      }
    },
    facing: (next) => seen((project) => next(face(project)), held, boundary),
    unrestricted: () => seen(face, held, boundary.unrestricted),
    holding: (project) =>
      seen(
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
    indexed: () => indexed,
    reader,
    viewers,
    proposals,
    activity: changes,
    performByName,
    policy,
    reads,
  });
  return seen(
    (project) => project,
    () => current,
    restricted,
  );
}

const closedAfterStop = (path: string): Failure =>
  new Failure("conflict", "NO_PROJECT", `The project '${basename(path)}' was closed.`, {
    hints: [
      "A call on it took too long or too much memory and was stopped.",
      "Open it again with open_project if you trust the file.",
    ],
  });
