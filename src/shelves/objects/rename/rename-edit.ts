import { elementAt } from "../../../text/arrays/element-at.ts";
import { splitLines } from "../../../text/strings/lines.ts";
import type { WorkspaceObject } from "../workspace/workspace-object.ts";

/** A change within a line. Columns are zero-based UTF-16 offsets, the end exclusive. */
export interface RenameEdit {
  file: string;
  line: number;
  startCol: number;
  endCol: number;
  /** The old text and its replacement. */
  before: string;
  after: string;
  kind: "definition" | "reference";
}

/** The renamed object and its new id. */
export interface RenameSpec {
  object: WorkspaceObject;
  newId: string;
  /** The object and its descendants whose ids start with its id. */
  subtree: ReadonlySet<WorkspaceObject>;
  /** Replaces the old id at the start of a dotted id. */
  newIdFor(id: string): string;
}

/** The texts of the files to edit. */
export interface FileTexts {
  /** The text of a file, with a byte order mark if it has one. */
  read(file: string): string;
  /** A line of a file by its one-based number. */
  lineAt(file: string, line: number): string;
}

/** Reads each file and splits it into lines only once. */
export function createFileTexts(read: (file: string) => string): FileTexts {
  const cache = new Map<string, { text: string; lines: string[] }>();
  const fileAt = (file: string) => {
    const content = cache.get(file) ?? splitText(read(file));
    cache.set(file, content);
    return content;
  };
  return {
    read: (file) => fileAt(file).text,
    lineAt: (file, line) => fileAt(file).lines[line - 1] ?? "",
  };
}

const splitText = (text: string) => ({ text, lines: splitLines(text.replace(/^\uFEFF/, "")) });

/** Applies edits to a text. Line ends and everything else are unchanged. */
export function applyRenameEdits(text: string, edits: readonly RenameEdit[]): string {
  const mark = text.startsWith("\uFEFF") ? "\uFEFF" : "";
  // Even indexes are lines, odd ones their line ends.
  const pieces = text.slice(mark.length).split(/(\r\n|\n|\r)/);
  // Edits are applied from last to first, so that earlier columns stay valid.
  for (const { line, startCol, endCol, after } of [...edits].reverse()) {
    const index = (line - 1) * 2;
    const old = elementAt(pieces, index);
    pieces[index] = old.slice(0, startCol) + after + old.slice(endCol);
  }
  return mark + pieces.join("");
}
