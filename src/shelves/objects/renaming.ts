import { Failure, invalid } from "../../kernel/failure.ts";
import { byLetters } from "../../text/by-letters.ts";
import { parseFile } from "../../text/objects/file.ts";
import { objectNamed } from "./asked.ts";
import { definitionEdits } from "./rename-definitions.ts";
import { type RenameEdit, type Renaming, type WrittenFiles, withEdits } from "./rename-edit.ts";
import { refuseOtherMeanings } from "./rename-meanings.ts";
import { referenceEdits } from "./rename-references.ts";
import type { View } from "./view.ts";
import { declaresFolder, textIn, type WorkspaceObject } from "./workspace-object.ts";

/**
 * Everything that must be written differently so that an object has another id and all that meant
 * it still does: its definition, those of objects that name it in their own ids, and references
 * to it, to what belongs to it and to its fields. Nothing else may come to mean something else.
 */
export function planRename(
  view: View,
  { old, wanted }: { old: string; wanted: string },
  files: WrittenFiles,
): Renaming & { edits: RenameEdit[] } {
  const object = objectNamed(view, old);
  const newId = wholeId(object, wanted);
  const renaming: Renaming = {
    object,
    newId,
    family: familyOf(view, object),
    renamed: (id) =>
      id === object.id || id.startsWith(`${object.id}.`) ? newId + id.slice(object.id.length) : id,
  };
  if (newId === object.id) return { ...renaming, edits: [] };
  refuseTaken(view, renaming);
  const edits = [...definitionEdits(renaming, files), ...referenceEdits(view, renaming)].sort(
    (a, b) => byLetters(a.file, b.file) || a.line - b.line || a.startCol - b.startCol,
  );
  refuseOtherMeanings(view, { ...renaming, edits }, readAnew(view, renaming, edits, files));
  return { ...renaming, edits };
}

/** An object that belongs to another keeps the name of its parent. */
function wholeId({ id, localId, place }: WorkspaceObject, wanted: string): string {
  if (!/^[\p{L}\p{N}_.-]+$/u.test(wanted)) {
    throw invalid(
      `new_id contains invalid characters: '${wanted}'. Only alphanumeric, dash, underscore, and dot are allowed.`,
    );
  }
  if (wanted.split(".").includes("")) throw invalid("new_id must have a name around each dot");
  if (!place) throw invalid(`'${id}' is not written in any file, so it cannot be renamed`);
  if (localId === undefined) return wanted;
  const stem = id.slice(0, id.length - localId.length);
  if (!wanted.includes(".")) return stem + wanted;
  const isSameParent = wanted.startsWith(stem) && !wanted.slice(stem.length).includes(".");
  if (isSameParent) return wanted;
  throw invalid(`new_id must stay below '${stem.slice(0, -1)}', which the object belongs to`);
}

function familyOf({ childrenOf }: View, object: WorkspaceObject): Set<WorkspaceObject> {
  const family = new Set([object]);
  for (const member of family) {
    for (const child of childrenOf(member)) {
      if (child.id.startsWith(`${object.id}.`)) family.add(child);
    }
  }
  return family;
}

/** Names that somebody has already, as an object, as a field or as another folder's namespace. */
function refuseTaken(view: View, { object, newId, family, renamed }: Renaming): void {
  const named = (id: string): WorkspaceObject[] =>
    view.resolver.named(id).filter((one) => one.id === id);
  const isNear = (one: WorkspaceObject): boolean =>
    one.workspace === object.workspace && one.namespace === object.namespace;
  const other = [...family]
    .flatMap(({ id }) => named(renamed(id)))
    .find((one) => !family.has(one) && isNear(one));
  if (other) {
    throw taken(`new_id '${other.id}' is taken by a ${other.kind} in ${placeOf(other)}`);
  }
  const dot = newId.lastIndexOf(".");
  const above = newId.slice(0, Math.max(dot, 0));
  const parent = named(above).find(isNear);
  if (parent?.record.has(newId.slice(dot + 1))) {
    throw taken(`new_id '${newId}' is taken by a field of '${parent.id}' in ${placeOf(parent)}`);
  }
  const isTop = object.localId === undefined;
  if (isTop && dot > 0 && named(above).length === 0) {
    throw invalid(`new_id '${newId}' would belong to '${above}', which is not there`);
  }
  if (declaresFolder(object)) {
    const twin = named(object.id).find(
      (one) => one !== object && one.kind === object.kind && isNear(one),
    );
    if (twin) throw taken(`'${object.id}' is declared in ${placeOf(twin)} too; rename by hand`);
  }
}

/** The objects that will be others, each by what it is now. */
function readAnew(
  { objects, objectsIn }: View,
  { object, newId, family, renamed }: Renaming,
  edits: readonly RenameEdit[],
  { textOf }: WrittenFiles,
): Map<WorkspaceObject, WorkspaceObject> {
  const anew = new Map<WorkspaceObject, WorkspaceObject>();
  for (const file of new Set([...family].map((one) => one.file))) {
    const text = withEdits(
      textOf(file),
      edits.filter((edit) => edit.file === file),
    );
    // No edit moves a line, so an object is where it was.
    const byLine = new Map(parseFile(text).places.map((place) => [place.line, place.object]));
    for (const one of objectsIn(file)) {
      if (!one.place) continue;
      const record = byLine.get(one.line);
      const id = family.has(one) ? renamed(one.id) : one.id;
      if (record?.get("__id") !== id || record.get("__kind") !== one.kind) {
        throw taken(`'${object.id}' cannot become '${newId}': see ${placeOf(one)}`);
      }
      anew.set(one, { ...one, record, id, localId: textIn(record, "__local_id") });
    }
  }
  if (!declaresFolder(object)) return anew;
  const folder = object.kind === "__Workspace" ? "workspace" : "namespace";
  for (const one of objects) {
    if (one[folder] !== object.id) continue;
    anew.set(one, { ...(anew.get(one) ?? one), [folder]: newId });
  }
  return anew;
}

const placeOf = ({ file, line }: WorkspaceObject): string => `${file}, line ${line}`;

const taken = (message: string): Failure => new Failure("conflict", "invalid-argument", message);
