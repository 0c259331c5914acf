import { Failure } from "../../kernel/failure.ts";
import { groupedBy } from "../../text/grouped.ts";
import { type Occurrence, standpointOf } from "./following.ts";
import type { RenameEdit, Renaming } from "./rename-edit.ts";
import { openResolver } from "./resolver.ts";
import { prefixesOf, readTarget } from "./target.ts";
import type { View } from "./view.ts";
import type { WorkspaceObject } from "./workspace-object.ts";

/**
 * Follows every reference that a new id could touch once more, as all will be written then, and
 * refuses where one would lead elsewhere. Those that lead nowhere now may gain a meaning.
 */
export function refuseOtherMeanings(
  view: View,
  { object, newId, edits }: Renaming & { edits: readonly RenameEdit[] },
  /** The objects that will be others, by what they are now. */
  anew: ReadonlyMap<WorkspaceObject, WorkspaceObject>,
): void {
  const then = (one: WorkspaceObject): WorkspaceObject => anew.get(one) ?? one;
  const touched = touchedBy(view, edits, [newId, then(object).localId ?? newId]);
  const { kinds, namespaces } = view.resolver.known;
  const known = { kinds, namespaces: new Set([...namespaces, newId]) };
  const names = new Set(touched.flatMap(({ written }) => prefixesOf(readTarget(written, known))));
  const candidates = new Set([...anew.values()]);
  for (const name of names) {
    for (const one of view.resolver.named(name)) candidates.add(then(one));
  }
  const resolver = openResolver([...candidates], known);
  for (const { source, target, raw, line, written } of touched) {
    const found = resolver.resolve(written, standpointOf(then(source)));
    if ("object" in found && found.object === then(target)) continue;
    throw new Failure(
      "conflict",
      "invalid-argument",
      `new_id '${newId}' would give ${raw} in ${source.file}, line ${line}, another meaning`,
      { hints: ["Choose another id, or write that reference with its kind or namespace first."] },
    );
  }
}

/** References that lead somewhere and are edited, or begin with a new name, as they will be. */
function touchedBy(
  view: View,
  edits: readonly RenameEdit[],
  names: readonly string[],
): (Occurrence & { target: WorkspaceObject; written: string })[] {
  const byName = view.once("occurrences by what they begin with", () => occurrencesByName(view));
  const byLine = groupedBy(edits, ({ file, line }) => `${file}:${line}`);
  const near = new Set(names.flatMap((name) => byName.get(name) ?? []));
  for (const file of new Set(edits.map((edit) => edit.file))) {
    for (const one of view.occurrencesIn(file)) near.add(one);
  }
  return [...near].flatMap((occurrence) => {
    const { source, target, line } = occurrence;
    const own = byLine.get(`${source.file}:${line}`) ?? [];
    return target ? [{ ...occurrence, target, written: afterEdits(occurrence, own) }] : [];
  });
}

function occurrencesByName({ occurrences, resolver }: View): Map<string, Occurrence[]> {
  const pairs = occurrences.flatMap((occurrence) =>
    prefixesOf(resolver.read(occurrence.raw)).map((name) => ({ name, occurrence })),
  );
  const named = groupedBy(pairs, ({ name }) => name);
  return new Map([...named].map(([name, own]) => [name, own.map(({ occurrence }) => occurrence)]));
}

function afterEdits({ raw, startCol, endCol }: Occurrence, edits: readonly RenameEdit[]): string {
  let text = raw;
  for (const edit of [...edits].reverse()) {
    if (edit.startCol < startCol || edit.endCol > endCol) continue;
    const [from, to] = [edit.startCol - startCol, edit.endCol - startCol];
    text = text.slice(0, from) + edit.after + text.slice(to);
  }
  return text;
}
