import { invalid } from "../../../kernel/failure.ts";
import { findBracketTokens } from "../../../text/objects/parsing/brackets.ts";
import type { WorkspaceObject } from "../workspace/workspace-object.ts";
import type { FileTexts, RenameEdit, RenameSpec } from "./rename-edit.ts";

/** Edits to the definition of an object and to definitions whose dotted ids contain its id. */
export function* definitionEdits(
  { object, newId, subtree, newIdFor }: RenameSpec,
  files: FileTexts,
): Generator<RenameEdit> {
  for (const member of subtree) {
    const { file, id, localId = id, position } = member;
    if (!position) continue;
    if (!position.id) {
      if (member === object) yield newDefinitionEdit(object, newLocalIdOf(object, newId), files);
      continue;
    }
    const { line, start: startCol, end: endCol } = position.id;
    const isWhole = endCol - startCol === id.length;
    const before = isWhole ? id : localId;
    const own = member === object ? newLocalIdOf(object, newId) : before;
    const after = isWhole ? newIdFor(id) : own;
    if (after === before) continue;
    yield { file, line, startCol, endCol, before, after, kind: "definition" };
  }
}

/** Adds an id to a heading without one: in its empty brackets, or after its title. */
function newDefinitionEdit(
  { file, line, id }: WorkspaceObject,
  name: string,
  { lineAt }: FileTexts,
): RenameEdit {
  const heading = lineAt(file, line);
  if (!heading.startsWith("#")) {
    throw invalid(`'${id}' is a table row; its id cannot be renamed`);
  }
  const edit = { file, line, kind: "definition" } as const;
  for (const { start, inner } of findBracketTokens(heading)) {
    const [blank = ""] = inner.split(":", 1);
    if (blank.trim() !== "") continue;
    const startCol = start + 2;
    return { ...edit, startCol, endCol: startCol + blank.length, before: blank, after: name };
  }
  // Text after a closing `#` sequence would make it part of the title.
  const before = /(?:[ \t]+#+)?[ \t]*$/.exec(heading)?.[0] ?? "";
  const startCol = heading.length - before.length;
  return { ...edit, startCol, endCol: heading.length, before, after: ` [[${name}]]` };
}

/** The part of a new id that replaces the local id. */
export const newLocalIdOf = ({ id, localId = id }: WorkspaceObject, newId: string): string =>
  newId.slice(id.length - localId.length);
