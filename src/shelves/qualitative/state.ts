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
  /** The open project; the document's failure where there is none. */
  needed(): Project;
  /** Closes what is open, once the other could be opened. */
  open(path: string): Project;
  create(wanted: { path: string; name?: string | undefined }): Project;
  /** Is called before something is done that no project's `write` does: a trial ends here. */
  act(summary: string): void;
  /** Gives the project that was open. */
  close(): Project | undefined;
  /** Works on a project by its path, open or not: a person's yes comes from another process. */
  within<Result>(
    path: string,
    work: (project: Project) => Result | Promise<Result>,
  ): Promise<Result>;
  /** The same shelf, whose projects turn another face. */
  facing(face: Face): QualitativeState;
  /** The same shelf with this project as the open one. */
  holding(project: Project): QualitativeState;
  /** What was last shown to the person, if anything. */
  screen: string | null;
  /** The way from a caller's path to a real one. */
  readonly boundary: Boundary;
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
  boundary,
  reader,
  changes,
  proposals,
  performByName,
  viewers,
  db,
  log,
}: House): QualitativeState {
  const policy = openPolicy(db, changes);
  const reads = openReadLog(db);
  let current: Project | undefined;
  /** Projects beside the open one: whoever comes while one is worked on shares it and its session. */
  const loans = new Map<string, { project: Project; users: number }>();
  let screen: string | null = null;
  const take = (project: Project): Project => {
    current?.close();
    screen = null;
    current = project;
    return project;
  };
  const seen = (face: Face, held: () => Project | undefined): QualitativeState => ({
    get current() {
      const project = held();
      return project && face(project);
    },
    needed() {
      const project = held();
      if (project) return face(project);
      throw new Failure("conflict", "NO_PROJECT", "No project is open.", {
        hints: [
          "Open one with open_project, or make one with create_project; at a shell, give --project.",
        ],
      });
    },
    open(path) {
      const project = take(openProject(boundary, path, changes));
      const unreadable = countUnreadable(project.db);
      if (unreadable > 0) {
        log("warn", "codings that name no place or no code are left out", { unreadable });
      }
      return face(project);
    },
    create: (wanted) => face(take(createProject(boundary, wanted, changes))),
    act: () => undefined,
    close() {
      const closed = current;
      closed?.close();
      current = undefined;
      screen = null;
      return closed;
    },
    async within(given, work) {
      if (current?.path === given) return work(face(current));
      const { path } = placeOf(boundary, given);
      if (current?.path === path) return work(face(current));
      const loan = loans.get(path) ?? { project: openProject(boundary, given, changes), users: 0 };
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
    facing: (next) => seen((project) => next(face(project)), held),
    holding: (project) =>
      seen(
        (other) => other,
        () => project,
      ),
    get screen() {
      return screen;
    },
    set screen(shown) {
      screen = shown;
    },
    boundary,
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
  );
}
