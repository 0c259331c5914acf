import { join } from "node:path";
import { readLive } from "../store-copies.ts";

/**
 * A project change is recorded in the project's own log and in the activity list, which is
 * another file. An entry in only one of them is incomplete.
 */
export function inconsistentChanges(home: string, project: string): string[] {
  const inProject = readLive(join(project, "data.qda"), (db) =>
    db.all<{ call: string }>("SELECT call FROM lectern_changes"),
  ).map(({ call }) => call);
  const inActivity = readLive(join(home, "lectern.sqlite"), (db) =>
    db.all<{ call: string }>(
      "SELECT call FROM changes WHERE json_extract(undo, '$.input.project') = ?",
      project,
    ),
  ).map(({ call }) => call);
  const unlisted = inProject.filter((call) => !inActivity.includes(call));
  const missing = inActivity.filter((call) => !inProject.includes(call));
  return [
    ...(unlisted.length > 0 ? [`${unlisted.length} changes are not in the activity list`] : []),
    ...(missing.length > 0
      ? [`${missing.length} changes are in the activity list but not in the project`]
      : []),
  ];
}
