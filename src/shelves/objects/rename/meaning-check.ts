import { Failure } from "../../../kernel/failure.ts";
import { groupBy } from "../../../text/arrays/group-by.ts";
import { type Occurrence, referenceScopeOf } from "../references/occurrences.ts";
import { parseReferenceTarget, pathPrefixes } from "../references/reference-target.ts";
import { createReferenceResolver } from "../references/resolver.ts";
import type { WorkspaceObject } from "../workspace/workspace-object.ts";
import type { WorkspaceView } from "../workspace/workspace-view.ts";
import type { RenameEdit, RenameSpec } from "./rename-edit.ts";

/**
 * Resolves every reference that a rename could affect as it will be after the edits, and fails if
 * one would resolve to another object. References that are broken now may become valid.
 */
export function assertMeaningsUnchanged(
  view: WorkspaceView,
  { object, newId, edits }: RenameSpec & { edits: readonly RenameEdit[] },
  /** The renamed version of each object that changes. */
  renamed: ReadonlyMap<WorkspaceObject, WorkspaceObject>,
): void {
  const afterRename = (object: WorkspaceObject): WorkspaceObject => renamed.get(object) ?? object;
  const touched = touchedOccurrences(view, edits, [newId, afterRename(object).localId ?? newId]);
  const { kinds, namespaces } = view.resolver.knownNames;
  const known = { kinds, namespaces: new Set([...namespaces, newId]) };
  const names = new Set(
    touched.flatMap(({ written }) => pathPrefixes(parseReferenceTarget(written, known))),
  );
  const candidates = new Set([...renamed.values()]);
  for (const name of names) {
    for (const match of view.resolver.findByName(name)) candidates.add(afterRename(match));
  }
  const resolver = createReferenceResolver([...candidates], known);
  for (const { source, target, raw, line, written } of touched) {
    const found = resolver.resolve(written, referenceScopeOf(afterRename(source)));
    if ("object" in found && found.object === afterRename(target)) continue;
    throw new Failure(
      "conflict",
      "invalid-argument",
      `new_id '${newId}' would change the target of ${raw} in ${source.file}, line ${line}`,
      { hints: ["Choose another id, or first add the kind or namespace to that reference."] },
    );
  }
}

/** The valid references that are edited or start with a new name, in their new form. */
function touchedOccurrences(
  view: WorkspaceView,
  edits: readonly RenameEdit[],
  names: readonly string[],
): (Occurrence & { target: WorkspaceObject; written: string })[] {
  const byName = view.memoize("occurrences by what they begin with", () => occurrencesByName(view));
  const byLine = groupBy(edits, ({ file, line }) => `${file}:${line}`);
  const affected = new Set(names.flatMap((name) => byName.get(name) ?? []));
  for (const file of new Set(edits.map((edit) => edit.file))) {
    for (const occurrence of view.occurrencesIn(file)) affected.add(occurrence);
  }
  return [...affected].flatMap((occurrence) => {
    const { source, target, line } = occurrence;
    const own = byLine.get(`${source.file}:${line}`) ?? [];
    return target ? [{ ...occurrence, target, written: referenceAfterEdits(occurrence, own) }] : [];
  });
}

function occurrencesByName({ occurrences, resolver }: WorkspaceView): Map<string, Occurrence[]> {
  const pairs = occurrences.flatMap((occurrence) =>
    pathPrefixes(resolver.parse(occurrence.raw)).map((name) => ({ name, occurrence })),
  );
  const named = groupBy(pairs, ({ name }) => name);
  return new Map([...named].map(([name, own]) => [name, own.map(({ occurrence }) => occurrence)]));
}

function referenceAfterEdits(
  { raw, startCol, endCol }: Occurrence,
  edits: readonly RenameEdit[],
): string {
  let text = raw;
  for (const edit of [...edits].reverse()) {
    if (edit.startCol < startCol || edit.endCol > endCol) continue;
    const [from, to] = [edit.startCol - startCol, edit.endCol - startCol];
    text = text.slice(0, from) + edit.after + text.slice(to);
  }
  return text;
}
