import type { Database } from "../../../kernel/storage/database.ts";
import type { ProposalSubject } from "../governance/proposal-subject.ts";
import { type AttemptWrite, type QdaProject, writeMethods } from "./project.ts";

/** The same project, read or written under another rule. */
export type ProjectView = (project: QdaProject) => QdaProject;

/** Hides private sources and everything about them, as agents see the project. */
export const agentView: ProjectView = (project) =>
  viewOf(project, {
    db: () => databaseSeenByAgent(project),
    attempt: (...args) => project.asAgent(() => project.attempt(...args)),
  });

/** Writes in the name of another coder: the agent whose proposal a person has accepted. */
export const asCoder =
  (coder: string): ProjectView =>
  (project) =>
    viewOf(project, {
      attempt: (request, ...rest) => project.attempt({ ...request, coder }, ...rest),
    });

/** Writes only what the preview with this token has shown. */
export const boundToPreview =
  (token: string): ProjectView =>
  (project) =>
    viewOf(project, {
      attempt: (request, ...rest) => project.attempt({ ...request, token }, ...rest),
    });

/** Writes only if the write is about the same rows as when it was proposed. */
export const boundToSubject =
  (subject: ProposalSubject): ProjectView =>
  (project) =>
    viewOf(project, {
      attempt: (request, ...rest) => project.attempt({ ...request, subject }, ...rest),
    });

function viewOf(
  project: QdaProject,
  { db = () => project.db, attempt }: { db?: () => Database; attempt: AttemptWrite },
): QdaProject {
  const { path, database, name } = project;
  return {
    path,
    database,
    name,
    get db() {
      return db();
    },
    ...writeMethods(attempt),
    refresh: () => project.refresh(),
    asAgent: (work) => project.asAgent(work),
    close: () => project.close(),
  };
}

/** Sets the caller for each statement alone: a person's statement may run between two of them. */
function databaseSeenByAgent({ db, asAgent }: QdaProject): Database {
  return {
    ...db,
    all: (sql, ...values) => asAgent(() => db.all(sql, ...values)),
    get: (sql, ...values) => asAgent(() => db.get(sql, ...values)),
    transaction: (work, options) => asAgent(() => db.transaction(work, options)),
    snapshot: (work) => asAgent(() => db.snapshot(work)),
  };
}
