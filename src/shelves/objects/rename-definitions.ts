import { invalid } from "../../kernel/failure.ts";
import { bracketedIn } from "../../text/objects/brackets.ts";
import type { RenameEdit, Renaming, WrittenFiles } from "./rename-edit.ts";
import type { WorkspaceObject } from "./workspace-object.ts";

/** The definition of an object, and those that name it in a dotted id. */
export function* definitionEdits(
  { object, newId, family, renamed }: Renaming,
  files: WrittenFiles,
): Generator<RenameEdit> {
  for (const one of family) {
    const { file, id, localId = id, place } = one;
    if (!place) continue;
    if (!place.id) {
      if (one === object) yield written(object, lastPart(object, newId), files);
      continue;
    }
    const { line, start: startCol, end: endCol } = place.id;
    const isWhole = endCol - startCol === id.length;
    const before = isWhole ? id : localId;
    const own = one === object ? lastPart(object, newId) : before;
    const after = isWhole ? renamed(id) : own;
    if (after === before) continue;
    yield { file, line, startCol, endCol, before, after, kind: "definition" };
  }
}

/** An id of its own for a heading that has none: in its empty brackets, or behind its title. */
function written(
  { file, line, id }: WorkspaceObject,
  name: string,
  { lineAt }: WrittenFiles,
): RenameEdit {
  const heading = lineAt(file, line);
  if (!heading.startsWith("#")) {
    throw invalid(`'${id}' is a row of a table, which has no id of its own`);
  }
  const edit = { file, line, kind: "definition" } as const;
  for (const { start, inner } of bracketedIn(heading)) {
    const [blank = ""] = inner.split(":", 1);
    if (blank.trim() !== "") continue;
    const startCol = start + 2;
    return { ...edit, startCol, endCol: startCol + blank.length, before: blank, after: name };
  }
  // Marks that close a heading would become a part of its title.
  const before = /(?:[ \t]+#+)?[ \t]*$/.exec(heading)?.[0] ?? "";
  const startCol = heading.length - before.length;
  return { ...edit, startCol, endCol: heading.length, before, after: ` [[${name}]]` };
}

/** The part of a new id that stands in the place of the local one. */
export const lastPart = ({ id, localId = id }: WorkspaceObject, newId: string): string =>
  newId.slice(id.length - localId.length);
