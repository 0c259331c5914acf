/** Wraps text at spaces; a word longer than `width` has its own line. */
export function wrapWords(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) {
      lines[lines.length - 1] = `${last} ${word}`;
    } else lines.push(word);
  }
  return lines;
}

/** A list in two columns: names and descriptions. A long name has its own line. */
export function twoColumns(
  rows: readonly (readonly [string, string])[],
  width: number,
  widestHead = defaultHeadWidth,
): string {
  const fitting = rows.map(([head]) => head.length).filter((length) => length <= widestHead);
  const column = Math.max(0, ...fitting) + gap;
  const lines = rows.flatMap(([head, about]) => {
    const wrapped = wrapWords(about, Math.max(20, width - indent - column));
    const [first = "", ...others] = head.length > widestHead ? ["", ...wrapped] : wrapped;
    return [
      " ".repeat(indent) + head.padEnd(column) + first,
      ...others.map((line) => " ".repeat(indent + column) + line),
    ];
  });
  return lines.map((line) => `${line.trimEnd()}\n`).join("");
}

/** The maximum width of the first column. */
export const defaultHeadWidth = 34;

const indent = 2;
const gap = 3;

/** The first sentence without its full stop, for lists. */
export function firstSentence(summary: string): string {
  const [sentence = ""] = summary.replace(/\s+/g, " ").split(/(?<=[.!?]) /);
  return sentence.replace(/\.$/, "");
}

/** The first sentence, truncated at a word if it is longer than `width`. */
export function shortSummary(summary: string, width: number): string {
  const sentence = firstSentence(summary);
  if (sentence.length <= width) return sentence;
  return `${sentence.slice(0, width - 1).replace(/\s+\S*$/, "")}…`;
}
