/** Edits a text by lines and preserves every unedited byte, including line endings. */
export interface EditableLines {
  /** The lines without line endings and byte order mark. */
  readonly lines: readonly string[];
  /** Returns the text with one line replaced. */
  replace(line: number, newLine: string): string;
  /** Returns the text with lines inserted after the given line; 0 is the start. */
  insert(after: number, newLines: readonly string[]): string;
  /** Returns the text with the lines `from` to `to` (inclusive) replaced. */
  splice(from: number, to: number, newLines: readonly string[]): string;
}

/** Line numbers start at 1. New lines use the first line ending of the text. */
export function toEditableLines(text: string): EditableLines {
  const byteOrderMark = text.startsWith("\uFEFF") ? "\uFEFF" : "";
  const parts = text.slice(byteOrderMark.length).split(/(\r\n|\n|\r)/);
  const lines = parts.filter((_, index) => index % 2 === 0);
  const ends = parts.filter((_, index) => index % 2 === 1);
  const defaultEnd = ends[0] ?? "\n";

  function splice(from: number, to: number, newLines: readonly string[]): string {
    const before = lines
      .slice(0, from - 1)
      .map((line, index) => line + (ends[index] ?? defaultEnd));
    const after = lines.slice(to).map((line, index) => line + (ends[to + index] ?? ""));
    const isLast = to >= lines.length;
    const inserted = newLines.map((line, index) => {
      const isEnd = isLast && index === newLines.length - 1;
      return line + (isEnd ? (ends[to - 1] ?? "") : defaultEnd);
    });
    return byteOrderMark + [...before, ...inserted, ...after].join("");
  }

  return {
    lines,
    splice,
    replace(line, newLine) {
      const replaced = lines.map((old, index) => (index === line - 1 ? newLine : old));
      return byteOrderMark + replaced.map((each, index) => each + (ends[index] ?? "")).join("");
    },
    insert: (after, newLines) => splice(after + 1, after, newLines),
  };
}
