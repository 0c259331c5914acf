/** Lines are counted from one, and end at `\n`, `\r\n` or a lone `\r`, as editors count them. */
export const linesOf = (text: string): string[] => text.split(/\r\n|\n|\r/);

/** `1: first`, `2: second`: the form in which every shelf numbers lines for a reader. */
export function numbered(lines: readonly string[], first = 1): string {
  return lines.map((line, index) => `${first + index}: ${line}`).join("\n");
}

/** At most `count` lines from line `from` on. */
export function lineRange(lines: readonly string[], from = 1, count?: number): string[] {
  const start = Math.max(from, 1) - 1;
  return lines.slice(start, count === undefined ? undefined : start + count);
}
