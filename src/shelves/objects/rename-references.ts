import type { Occurrence } from "./following.ts";
import { lastPart } from "./rename-definitions.ts";
import type { RenameEdit, Renaming } from "./rename-edit.ts";
import type { Target } from "./target.ts";
import type { View } from "./view.ts";
import { declaresFolder } from "./workspace-object.ts";

/** The references that name an object, what belongs to it, its fields, or its folder. */
export function* referenceEdits(view: View, renaming: Renaming): Generator<RenameEdit> {
  const { object, family } = renaming;
  const targets = declaresFolder(object) ? view.objects : family;
  for (const target of targets) {
    for (const occurrence of view.occurrencesOf(target)) {
      const { source, raw, line, startCol } = occurrence;
      for (const { offset, before, after } of piecesOf(occurrence, renaming, view)) {
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

interface Piece {
  /** From the first bracket. */
  offset: number;
  before: string;
  after: string;
}

function* piecesOf(
  { raw, target }: Occurrence,
  { object, newId, family, renamed }: Renaming,
  { resolver }: View,
): Generator<Piece> {
  const parts = partsOf(raw);
  const path = parts.at(-1);
  if (path && target && family.has(target)) {
    const begins = (name: string): boolean =>
      path.text === name || path.text.startsWith(`${name}.`);
    const { id, localId } = object;
    if (begins(id)) yield { offset: path.offset, before: id, after: renamed(id) };
    else if (target === object && localId !== undefined && begins(localId)) {
      yield { offset: path.offset, before: localId, after: lastPart(object, newId) };
    }
  }
  if (!declaresFolder(object)) return;
  const place = folderPart(resolver.read(raw), parts.length, object.kind);
  const folder = parts[place];
  const isMeant =
    folder?.text === object.id &&
    (object.kind === "__Workspace" || target?.workspace === object.workspace);
  if (folder && isMeant) yield { offset: folder.offset, before: object.id, after: newId };
}

/** Which part of a reference names the workspace or the namespace; -1 where none does. */
function folderPart({ workspace, namespace }: Target, count: number, kind: string): number {
  if (count < 2) return -1;
  if (kind === "__Workspace") return workspace === undefined ? -1 : 0;
  if (namespace === undefined) return -1;
  return workspace === undefined ? 0 : 1;
}

/** `[[#ns:Kind:id]]` → `ns`, `Kind`, `id`, each with its place. */
function partsOf(raw: string): { text: string; offset: number }[] {
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
