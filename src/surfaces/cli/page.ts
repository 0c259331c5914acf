/** Breaks text at spaces so that no line passes `width`; a word longer than that stays whole. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) {
      lines[lines.length - 1] = `${last} ${word}`;
    } else lines.push(word);
  }
  return lines;
}

/** A list of things and what they are, in two columns; a long thing has a line of its own. */
export function twoColumns(
  rows: readonly (readonly [string, string])[],
  width: number,
  widestHead = usualHead,
): string {
  const fitting = rows.map(([head]) => head.length).filter((length) => length <= widestHead);
  const column = Math.max(0, ...fitting) + gap;
  const lines = rows.flatMap(([head, about]) => {
    const wrapped = wrap(about, Math.max(20, width - indent - column));
    const [first = "", ...others] = head.length > widestHead ? ["", ...wrapped] : wrapped;
    return [
      " ".repeat(indent) + head.padEnd(column) + first,
      ...others.map((line) => " ".repeat(indent + column) + line),
    ];
  });
  return lines.map((line) => `${line.trimEnd()}\n`).join("");
}

/** What is longer would leave too little of the line for what it means. */
export const usualHead = 34;

const indent = 2;
const gap = 3;

/** Without its full stop, as the lines of a list have none. */
export function firstSentence(summary: string): string {
  const [sentence = ""] = summary.replace(/\s+/g, " ").split(/(?<=[.!?]) /);
  return sentence.replace(/\.$/, "");
}

/** The first sentence, cut at a word where even that is too long for its line. */
export function oneLine(summary: string, width: number): string {
  const words = firstSentence(summary);
  if (words.length <= width) return words;
  return `${words.slice(0, width - 1).replace(/\s+\S*$/, "")}…`;
}
