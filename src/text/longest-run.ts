/** How long the longest row of a mark in a text is: a fence that is longer is not closed by it. */
export function longestRun(text: string, mark: "`" | "~"): number {
  let longest = 0;
  let run = 0;
  for (let at = text.indexOf(mark); at >= 0 && at < text.length; at++) {
    run = text[at] === mark ? run + 1 : 0;
    longest = Math.max(longest, run);
  }
  return longest;
}
