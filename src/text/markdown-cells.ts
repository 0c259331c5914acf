/** Words as words of Markdown: signs that would begin emphasis, code, a link or HTML are escaped. */
export const inMarkdown = (text: string): string =>
  // `_` within a word begins nothing.
  text.replace(/[\\`*[\]<>]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, "\\$&");

/** Cells as lines of a table, the first row being its head. A bar ends a cell, even within code. */
export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  return [head, head.map(() => "---"), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |\n`)
    .join("");
}
