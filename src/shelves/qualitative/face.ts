import type { Database } from "../../kernel/database.ts";
import type { Project } from "./project.ts";
import type { Subject } from "./subject.ts";

/** How a project turns to somebody: the same file, seen or written in another way. */
export type Face = (project: Project) => Project;

/** As an agent sees it: private sources, and what belongs to them, are not there. */
export const forAgents: Face = (project) =>
  facing(project, {
    db: () => seenBy(project),
    write: (deed, work) => project.asAgent(() => project.write(deed, work)),
  });

/** Writes in another's name: an agent's, whose proposal a person has accepted. */
export const inNameOf =
  (coder: string): Face =>
  (project) =>
    facing(project, { write: (deed, work) => project.write({ ...deed, coder }, work) });

/** Nothing that is written stays: the first write ends in a `Rehearsal`. */
export const rehearsing: Face = (project) =>
  facing(project, { write: (deed, work) => project.write({ ...deed, isRehearsed: true }, work) });

/** What would remove or overwrite a person's work ends in a `Rehearsal`, and nothing of it stays. */
export const protecting: Face = (project) =>
  facing(project, { write: (deed, work) => project.write({ ...deed, isProtected: true }, work) });

/** What is written is what a preview has shown, by its token, or nothing is. */
export const boundTo =
  (token: string): Face =>
  (project) =>
    facing(project, { write: (deed, work) => project.write({ ...deed, token }, work) });

/** What is written is about the same as when it was proposed, or nothing is. */
export const about =
  (subject: Subject): Face =>
  (project) =>
    facing(project, { write: (deed, work) => project.write({ ...deed, subject }, work) });

function facing(
  project: Project,
  { db = () => project.db, write }: { db?: () => Database; write: Project["write"] },
): Project {
  const { path, database, name } = project;
  return {
    path,
    database,
    name,
    get db() {
      return db();
    },
    write,
    refresh: () => project.refresh(),
    asAgent: (work) => project.asAgent(work),
    close: () => project.close(),
  };
}

/** Each statement says that an agent asks; between two of them a person may. */
function seenBy({ db, asAgent }: Project): Database {
  return {
    ...db,
    all: (sql, ...values) => asAgent(() => db.all(sql, ...values)),
    get: (sql, ...values) => asAgent(() => db.get(sql, ...values)),
    transaction: (work) => asAgent(() => db.transaction(work)),
    snapshot: (work) => asAgent(() => db.snapshot(work)),
  };
}
