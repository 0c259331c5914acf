import { linesOf } from "../../text/lines.ts";
import type { WorkspaceObject } from "./workspace-object.ts";

/** A piece of a line that changes. Columns count from zero in UTF-16 units, the end exclusive. */
export interface RenameEdit {
  file: string;
  line: number;
  startCol: number;
  endCol: number;
  /** What stands there now, and what comes in its place. */
  before: string;
  after: string;
  kind: "definition" | "reference";
}

/** What is renamed, and what it is called then. */
export interface Renaming {
  object: WorkspaceObject;
  newId: string;
  /** The object, and those below it whose ids begin with its own. */
  family: ReadonlySet<WorkspaceObject>;
  /** Names that begin with the old id begin with the new one instead. */
  renamed(id: string): string;
}

/** What stands in the files that are to be edited. */
export interface WrittenFiles {
  /** The text of a file, with a byte order mark if it has one. */
  textOf(file: string): string;
  /** A line of a file, counted from one as the parser does. */
  lineAt(file: string, line: number): string;
}

/** Each file is read and cut into lines once, however many of its lines are asked for. */
export function writtenFiles(read: (file: string) => string): WrittenFiles {
  const known = new Map<string, { text: string; lines: string[] }>();
  const fileAt = (file: string) => {
    const found = known.get(file) ?? cut(read(file));
    known.set(file, found);
    return found;
  };
  return {
    textOf: (file) => fileAt(file).text,
    lineAt: (file, line) => fileAt(file).lines[line - 1] ?? "",
  };
}

const cut = (text: string) => ({ text, lines: linesOf(text.replace(/^\uFEFF/, "")) });

/** A text after edits to it; everything else, the ends of lines too, is as it was. */
export function withEdits(text: string, edits: readonly RenameEdit[]): string {
  const mark = text.startsWith("\uFEFF") ? "\uFEFF" : "";
  // Lines at even places, what ends them at odd ones.
  const pieces = text.slice(mark.length).split(/(\r\n|\n|\r)/);
  // From the last edit to the first, so that columns before it stay true.
  for (const { line, startCol, endCol, after } of [...edits].reverse()) {
    const at = (line - 1) * 2;
    const old = pieces[at] ?? "";
    pieces[at] = old.slice(0, startCol) + after + old.slice(endCol);
  }
  return mark + pieces.join("");
}
