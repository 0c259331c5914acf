/** The length of the longest run of a fence character. A longer fence can enclose the text. */
export function longestRun(text: string, mark: "`" | "~"): number {
  let longest = 0;
  let run = 0;
  for (let at = text.indexOf(mark); at >= 0 && at < text.length; at++) {
    run = text[at] === mark ? run + 1 : 0;
    longest = Math.max(longest, run);
  }
  return longest;
}
