import { Failure } from "../../kernel/failure.ts";
import type { Project } from "./project.ts";
import type { QualitativeState } from "./state.ts";

/** Reading a file takes a while, in which somebody may open another project. */
export function stillOpen(state: QualitativeState, path: string, task: string): Project {
  const project = state.needed();
  if (project.path === path) return project;
  throw new Failure(
    "conflict",
    `${task}/OTHER_PROJECT`,
    "Another project was opened while the file was read.",
    { hints: ["Open the project again, and import the file once more."] },
  );
}
