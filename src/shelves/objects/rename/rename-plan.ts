import { Failure, invalid } from "../../../kernel/failure.ts";
import { parseFile } from "../../../text/objects/parsing/parse-file.ts";
import { compareText } from "../../../text/strings/compare-text.ts";
import { requireObject } from "../tool-arguments.ts";
import { declaresFolder, textField, type WorkspaceObject } from "../workspace/workspace-object.ts";
import type { WorkspaceView } from "../workspace/workspace-view.ts";
import { definitionEdits } from "./definition-edits.ts";
import { assertMeaningsUnchanged } from "./meaning-check.ts";
import { referenceEdits } from "./reference-edits.ts";
import {
  applyRenameEdits,
  type FileTexts,
  type RenameEdit,
  type RenameSpec,
} from "./rename-edit.ts";

/**
 * Plans all edits that give an object a new id: to its definition, to the ids of its descendants, and
 * to all references to them and to their fields. Fails if a reference would resolve to another object.
 */
export function planRename(
  view: WorkspaceView,
  { old, wanted }: { old: string; wanted: string },
  files: FileTexts,
): RenameSpec & { edits: RenameEdit[] } {
  const object = requireObject(view, old);
  const newId = qualifiedNewId(object, wanted);
  const renaming: RenameSpec = {
    object,
    newId,
    subtree: collectSubtree(view, object),
    newIdFor: (id) =>
      id === object.id || id.startsWith(`${object.id}.`) ? newId + id.slice(object.id.length) : id,
  };
  if (newId === object.id) return { ...renaming, edits: [] };
  assertNameFree(view, renaming);
  const edits = [...definitionEdits(renaming, files), ...referenceEdits(view, renaming)].sort(
    (a, b) => compareText(a.file, b.file) || a.line - b.line || a.startCol - b.startCol,
  );
  assertMeaningsUnchanged(
    view,
    { ...renaming, edits },
    reparseEdited(view, renaming, edits, files),
  );
  return { ...renaming, edits };
}

/** The full new id. An object below another one keeps the prefix of its parent. */
function qualifiedNewId({ id, localId, position }: WorkspaceObject, wanted: string): string {
  if (!/^[\p{L}\p{N}_.-]+$/u.test(wanted)) {
    throw invalid(
      `new_id contains invalid characters: '${wanted}'. Only alphanumeric, dash, underscore, and dot are allowed.`,
    );
  }
  if (wanted.split(".").includes(""))
    throw invalid("new_id must have a name before and after each dot");
  if (!position) throw invalid(`'${id}' is not defined in any file, so it cannot be renamed`);
  if (localId === undefined) return wanted;
  const parentPrefix = id.slice(0, id.length - localId.length);
  if (!wanted.includes(".")) return parentPrefix + wanted;
  const isSameParent =
    wanted.startsWith(parentPrefix) && !wanted.slice(parentPrefix.length).includes(".");
  if (isSameParent) return wanted;
  throw invalid(`new_id must keep the parent '${parentPrefix.slice(0, -1)}'`);
}

function collectSubtree(
  { childrenOf }: WorkspaceView,
  object: WorkspaceObject,
): Set<WorkspaceObject> {
  const subtree = new Set([object]);
  for (const member of subtree) {
    for (const child of childrenOf(member)) {
      if (child.id.startsWith(`${object.id}.`)) subtree.add(child);
    }
  }
  return subtree;
}

/** Fails if a new id is already used by an object, a field or the namespace of another folder. */
function assertNameFree(
  view: WorkspaceView,
  { object, newId, subtree, newIdFor }: RenameSpec,
): void {
  const objectsById = (id: string): WorkspaceObject[] =>
    view.resolver.findByName(id).filter((one) => one.id === id);
  const isNear = (one: WorkspaceObject): boolean =>
    one.workspace === object.workspace && one.namespace === object.namespace;
  const existing = [...subtree]
    .flatMap(({ id }) => objectsById(newIdFor(id)))
    .find((one) => !subtree.has(one) && isNear(one));
  if (existing) {
    throw nameConflict(
      `new_id '${existing.id}' is already used by a ${existing.kind} in ${formatLocation(existing)}`,
    );
  }
  const dot = newId.lastIndexOf(".");
  const parentId = newId.slice(0, Math.max(dot, 0));
  const parent = objectsById(parentId).find(isNear);
  if (parent?.record.has(newId.slice(dot + 1))) {
    throw nameConflict(
      `new_id '${newId}' is already used by a field of '${parent.id}' in ${formatLocation(parent)}`,
    );
  }
  const isTop = object.localId === undefined;
  if (isTop && dot > 0 && objectsById(parentId).length === 0) {
    throw invalid(`the parent '${parentId}' of new_id '${newId}' does not exist`);
  }
  if (declaresFolder(object)) {
    const duplicate = objectsById(object.id).find(
      (one) => one !== object && one.kind === object.kind && isNear(one),
    );
    if (duplicate)
      throw nameConflict(
        `'${object.id}' is also defined in ${formatLocation(duplicate)}; rename it manually`,
      );
  }
}

/** Parses the edited files and maps each affected object to its renamed version. */
function reparseEdited(
  { objects, objectsIn }: WorkspaceView,
  { object, newId, subtree, newIdFor }: RenameSpec,
  edits: readonly RenameEdit[],
  { read }: FileTexts,
): Map<WorkspaceObject, WorkspaceObject> {
  const renamed = new Map<WorkspaceObject, WorkspaceObject>();
  for (const file of new Set([...subtree].map((one) => one.file))) {
    const text = applyRenameEdits(
      read(file),
      edits.filter((edit) => edit.file === file),
    );
    // No edit adds or removes lines, so objects keep their line numbers.
    const byLine = new Map(
      parseFile(text).positions.map((position) => [position.line, position.object]),
    );
    for (const one of objectsIn(file)) {
      if (!one.position) continue;
      const record = byLine.get(one.line);
      const id = subtree.has(one) ? newIdFor(one.id) : one.id;
      if (record?.get("__id") !== id || record.get("__kind") !== one.kind) {
        throw nameConflict(
          `'${object.id}' cannot be renamed to '${newId}': see ${formatLocation(one)}`,
        );
      }
      renamed.set(one, { ...one, record, id, localId: textField(record, "__local_id") });
    }
  }
  if (!declaresFolder(object)) return renamed;
  const folder = object.kind === "__Workspace" ? "workspace" : "namespace";
  for (const one of objects) {
    if (one[folder] !== object.id) continue;
    renamed.set(one, { ...(renamed.get(one) ?? one), [folder]: newId });
  }
  return renamed;
}

const formatLocation = ({ file, line }: WorkspaceObject): string => `${file}, line ${line}`;

const nameConflict = (message: string): Failure =>
  new Failure("conflict", "invalid-argument", message);
