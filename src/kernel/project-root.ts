import { basename } from "node:path";
import type { Boundary } from "./boundary.ts";
import type { Call } from "./call.ts";
import { Failure, notFound } from "./failure.ts";

/** The project that a proposal or a change belongs to: it is applied or undone there only. */
export interface ProjectRoot {
  /** Its real path. */
  readonly root: string;
  /** How people call it. */
  readonly name: string;
}

/** A folder as a project, by its real path. */
export const projectAt = (root: string): ProjectRoot => ({ root, name: basename(root) || root });

/** The columns in which a project is stored. */
export interface ProjectColumns {
  project: string | null;
  project_name: string | null;
}

export const projectIn = ({ project, project_name }: ProjectColumns): ProjectRoot | undefined =>
  project === null ? undefined : { root: project, name: project_name ?? basename(project) };

/**
 * The SQL condition of rows that may be shown where everything but one folder is out of reach. The
 * parameter is that folder; null shows all rows. Rows without a project belong to the home, and may
 * name what lies outside of the folder.
 */
export const shownBelow = (parameter: string): string =>
  `(${parameter} IS NULL OR project = ${parameter}
     OR substr(project, 1, length(${parameter}) + 1) = ${parameter} || '/')`;

/** Refuses to record a change of another project than the one that the call is bound to. */
export function refuseOtherProject(call: Call, project: ProjectRoot | undefined): void {
  if (call.project === undefined || call.project === project?.root) return;
  throw new Failure(
    "conflict",
    "other-project",
    `This belongs to the project '${basename(call.project)}' and can only be applied there.`,
    { hints: ["Nothing was written."] },
  );
}

/** A row of one of the lists of the home. */
interface Numbered {
  kind: "Change" | "Proposal";
  id: number;
}

/** Under a force root, what belongs outside of it, or to the home as a whole, is not known at all. */
export function refuseUnknown(
  boundary: Boundary,
  { kind, id }: Numbered,
  project: ProjectRoot | undefined,
): void {
  if (!boundary.isFenced || (project && boundary.holds(project.root))) return;
  const remedy = kind === "Change" ? "`activity` lists the changes." : "`proposals` lists them.";
  throw notFound(`${kind} not found: ${id}`, [remedy]);
}

/** Refuses, by naming the project, what is to be applied in a folder that this process cannot reach. */
export function refuseUnreachable(
  boundary: Boundary,
  what: Numbered,
  project: ProjectRoot | undefined,
): void {
  refuseUnknown(boundary, what, project);
  const { kind, id } = what;
  if (!project) return;
  const { root, name } = project;
  const belongs = `${kind} ${id} belongs to the project '${name}'`;
  let real: string | undefined;
  try {
    real = boundary.unrestricted.enter(root);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
  }
  if (real === root) return;
  throw new Failure("conflict", "other-project", `${belongs} in ${root}, which cannot be opened.`, {
    hints: ["Bring the folder back to that place, or reject the proposal. Nothing was written."],
  });
}
