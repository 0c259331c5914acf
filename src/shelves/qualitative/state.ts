import { Failure } from "../../kernel/failure.ts";
import type { House } from "../../kernel/house.ts";
import type { Proposals } from "../../kernel/proposals.ts";
import { createProject, openProject, type Project } from "./project.ts";

/** What the shelf's operations work on: at most one project is open, for the whole process. */
export interface QualitativeState {
  /** The open project, if there is one. */
  readonly current: Project | undefined;
  /** The open project; the document's failure where there is none. */
  needed(): Project;
  /** Closes what is open, once the other could be opened. */
  open(path: string): Project;
  create(wanted: { path: string; name?: string | undefined }): Project;
  /** Gives the project that was open. */
  close(): Project | undefined;
  /** Works on a project by its path, open or not: a person's yes comes from another process. */
  within<Result>(path: string, work: (project: Project) => Result): Result;
  /** What was last shown to the person, if anything. */
  screen: string | null;
  readonly proposals: Proposals;
}

export function openQualitative({ boundary, changes, proposals }: House): QualitativeState {
  let current: Project | undefined;
  const take = (project: Project): Project => {
    current?.close();
    state.screen = null;
    current = project;
    return project;
  };
  const state: QualitativeState = {
    get current() {
      return current;
    },
    needed() {
      if (current) return current;
      throw new Failure("conflict", "NO_PROJECT", "No project is open.", {
        hints: ["Open one with open_project, or make one with create_project."],
      });
    },
    open: (path) => take(openProject(boundary, path, changes)),
    create: (wanted) => take(createProject(boundary, wanted, changes)),
    close() {
      const closed = current;
      closed?.close();
      current = undefined;
      state.screen = null;
      return closed;
    },
    within(path, work) {
      if (current?.path === path) return work(current);
      const project = openProject(boundary, path, changes);
      try {
        return work(project);
      } finally {
        project.close();
      }
    },
    screen: null,
    proposals,
  };
  return state;
}
