import type { Occurrence } from "../references/occurrences.ts";
import type { ReferenceTarget } from "../references/reference-target.ts";
import { declaresFolder } from "../workspace/workspace-object.ts";
import type { WorkspaceView } from "../workspace/workspace-view.ts";
import { newLocalIdOf } from "./definition-edits.ts";
import type { RenameEdit, RenameSpec } from "./rename-edit.ts";

/** Edits to the references to an object, its descendants, its fields or its folder. */
export function* referenceEdits(view: WorkspaceView, renaming: RenameSpec): Generator<RenameEdit> {
  const { object, subtree } = renaming;
  const targets = declaresFolder(object) ? view.objects : subtree;
  for (const target of targets) {
    for (const occurrence of view.occurrencesOf(target)) {
      const { source, raw, line, startCol } = occurrence;
      for (const { offset, before, after } of changedSpans(occurrence, renaming, view)) {
        yield {
          file: source.file,
          line,
          startCol: startCol + offset,
          endCol: startCol + offset + before.length,
          before: raw.slice(offset, offset + before.length),
          after,
          kind: "reference",
        };
      }
    }
  }
}

interface ReferenceSpan {
  /** Relative to the first bracket. */
  offset: number;
  before: string;
  after: string;
}

function* changedSpans(
  { raw, target }: Occurrence,
  { object, newId, subtree, newIdFor }: RenameSpec,
  { resolver }: WorkspaceView,
): Generator<ReferenceSpan> {
  const parts = splitReference(raw);
  const path = parts.at(-1);
  if (path && target && subtree.has(target)) {
    const begins = (name: string): boolean =>
      path.text === name || path.text.startsWith(`${name}.`);
    const { id, localId } = object;
    if (begins(id)) yield { offset: path.offset, before: id, after: newIdFor(id) };
    else if (target === object && localId !== undefined && begins(localId)) {
      yield { offset: path.offset, before: localId, after: newLocalIdOf(object, newId) };
    }
  }
  if (!declaresFolder(object)) return;
  const index = folderPartIndex(resolver.parse(raw), parts.length, object.kind);
  const folder = parts[index];
  const isRenamedFolder =
    folder?.text === object.id &&
    (object.kind === "__Workspace" || target?.workspace === object.workspace);
  if (folder && isRenamedFolder) yield { offset: folder.offset, before: object.id, after: newId };
}

/** The index of the part of a reference with the workspace or namespace; -1 if it has none. */
function folderPartIndex(
  { workspace, namespace }: ReferenceTarget,
  count: number,
  kind: string,
): number {
  if (count < 2) return -1;
  if (kind === "__Workspace") return workspace === undefined ? -1 : 0;
  if (namespace === undefined) return -1;
  return workspace === undefined ? 0 : 1;
}

/** `[[#ns:Kind:id]]` → `ns`, `Kind`, `id`, each with its offset. */
function splitReference(raw: string): { text: string; offset: number }[] {
  let offset = raw.lastIndexOf("#") + 1;
  return raw
    .slice(offset, -2)
    .split(":")
    .map((written) => {
      const part = { text: written.trim(), offset: offset + written.search(/\S|$/) };
      offset += written.length + 1;
      return part;
    });
}
