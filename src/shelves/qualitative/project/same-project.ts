import { Failure } from "../../../kernel/failure.ts";
import type { QualitativeState } from "../state.ts";
import type { QdaProject } from "./project.ts";

/** Fails if another project was opened while a file was read. */
export function requireSameProject(
  state: QualitativeState,
  path: string,
  errorCode: string,
): QdaProject {
  const project = state.requireProject();
  if (project.path === path) return project;
  throw new Failure(
    "conflict",
    `${errorCode}/OTHER_PROJECT`,
    "Another project was opened while the file was read.",
    { hints: ["Open the project again and repeat the import."] },
  );
}
