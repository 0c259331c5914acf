import { basename } from "node:path";
import type { Call } from "../call.ts";
import { Failure, notFound } from "../failure.ts";
import type { Settings } from "../home/settings.ts";
import type { Boundary } from "../paths/boundary.ts";

/** The project of a proposal or change, which can be applied or undone there only. */
export interface ProjectRef {
  /** Its real path. */
  readonly root: string;
  /** Its display name. */
  readonly name: string;
}

/** The project at a real path. */
export const projectRefAt = (root: string): ProjectRef => ({ root, name: basename(root) || root });

/** The columns that store a project. */
export interface ProjectColumns {
  project: string | null;
  project_name: string | null;
}

export const projectRefFromRow = ({
  project,
  project_name,
}: ProjectColumns): ProjectRef | undefined =>
  project === null ? undefined : { root: project, name: project_name ?? basename(project) };

/**
 * The real path of the force root; records of projects outside of it are hidden. Undefined without
 * a force root.
 */
export const visibleFolder = ({
  boundary,
  settings: { forceRoot },
}: {
  boundary: Boundary;
  settings: Pick<Settings, "forceRoot">;
}): string | undefined =>
  forceRoot === undefined ? undefined : boundary.unrestricted.resolvePath(forceRoot);

/**
 * SQL condition for the rows visible under a force root. The parameter is that folder; null shows
 * all rows. Rows without a project concern the home and may mention paths outside the folder, so
 * they are hidden.
 */
export const projectWithinSql = (parameter: string): string =>
  `(project = ${parameter} OR ${parameter} IS NULL
     OR substr(project, 1, length(${parameter}) + 1) = ${parameter} || '/')`;

/** Throws if a call that is bound to one project records a change of another. */
export function assertSameProject(call: Call, project: ProjectRef | undefined): void {
  if (call.project === undefined || call.project === project?.root) return;
  throw new Failure(
    "conflict",
    "other-project",
    `This is part of the project '${basename(call.project)}' and can only be applied there.`,
    { hints: ["Nothing was written."] },
  );
}

/** A change or a proposal. */
interface RecordRef {
  kind: "Change" | "Proposal";
  id: number;
}

/** Under a force root, records of other projects and of the home are reported as not found. */
export function assertVisible(
  boundary: Boundary,
  { kind, id }: RecordRef,
  project: ProjectRef | undefined,
): void {
  if (!boundary.isConfined || (project && boundary.allowsFolder(project.root))) return;
  const remedy = kind === "Change" ? "`activity` lists the changes." : "`proposals` lists them.";
  throw notFound(`${kind} not found: ${id}`, [remedy]);
}

/** Throws, naming the project, if this process cannot access the project's folder. */
export function assertReachable(
  boundary: Boundary,
  record: RecordRef,
  project: ProjectRef | undefined,
): void {
  assertVisible(boundary, record, project);
  const { kind, id } = record;
  if (!project) return;
  const { root, name } = project;
  const subject = `${kind} ${id} belongs to the project '${name}'`;
  let realPath: string | undefined;
  try {
    realPath = boundary.unrestricted.resolvePath(root);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
  }
  if (realPath === root) return;
  throw new Failure("conflict", "other-project", `${subject} in ${root}, which cannot be opened.`, {
    hints: ["Restore the folder at that path, or reject the proposal. Nothing was written."],
  });
}
