/** Escapes characters that would start emphasis, code, links or HTML. */
export const escapeMarkdown = (text: string): string =>
  // `_` inside a word is literal.
  text.replace(/[\\`*[\]<>]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, "\\$&");

/** Renders a table. A `|` is escaped, because it ends a cell even inside code. */
export function renderMarkdownTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  return [head, head.map(() => "---"), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |\n`)
    .join("");
}
