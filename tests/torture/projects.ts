import { join } from "node:path";
import { readCopy } from "./stores.ts";

/**
 * A change of a project is told in the project's own log and in the list of activity, which is
 * another file. What stands in one of them alone was half done.
 */
export function changesApart(home: string, project: string): string[] {
  const own = readCopy(join(project, "data.qda"), (db) =>
    db.all<{ call: string }>("SELECT call FROM lectern_changes"),
  ).map(({ call }) => call);
  const told = readCopy(join(home, "lectern.sqlite"), (db) =>
    db.all<{ call: string }>(
      "SELECT call FROM changes WHERE json_extract(undo, '$.input.project') = ?",
      project,
    ),
  ).map(({ call }) => call);
  const untold = own.filter((call) => !told.includes(call));
  const undone = told.filter((call) => !own.includes(call));
  return [
    ...(untold.length > 0 ? [`${untold.length} changes are not in the list of activity`] : []),
    ...(undone.length > 0 ? [`${undone.length} changes are told that were not made`] : []),
  ];
}
