import type { Database } from "../../kernel/database.ts";
import { referencesIn } from "./qda/references.ts";
import { privateNumbers } from "./qda/storage-privacy.ts";
import type { RowChange } from "./qda/storage-rows.ts";

/**
 * Ends a write of an agent that would change or delete rows of a private source, such as the codings
 * of a code that it deletes. The agent is not told why: the write waits for a person instead.
 */
export class TouchesPrivate extends Error {}

/** Those of the changes that are about a private source, or one that was private before them. */
export function privateChanges(db: Database, changes: readonly RowChange[]): RowChange[] {
  const hidden = new Set([
    ...privateNumbers(db),
    ...changes.flatMap(({ table, id, before }) =>
      table === "lectern_sources" && before?.private === 1 ? [id] : [],
    ),
  ]);
  if (hidden.size === 0) return [];
  return changes.filter((change) => sourcesOf(change).some((id) => hidden.has(id)));
}

const sourcesOf = ({ table, id, before, after }: RowChange): number[] => [
  ...(table === "source" || table === "lectern_sources" ? [id] : []),
  ...[before, after]
    .flatMap((row) => (row ? referencesIn(table, row) : []))
    .flatMap((named) => (named.table === "source" ? [named.id] : [])),
];
