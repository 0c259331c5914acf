/** Words joined by line ends. Part of a word is found in such a text faster than by a scan of rows. */
export type WordText = string;

/** The words that contain a part; if it is a whole one, only between separators and ends of words. */
export function wordsContaining(text: WordText, part: string, isWhole: boolean): string[] {
  const words: string[] = [];
  for (let at = text.indexOf(part); at >= 0; ) {
    const start = text.lastIndexOf("\n", at) + 1;
    const end = endOfWord(text, at);
    const partEnd = at + part.length;
    const isFound =
      !isWhole ||
      ((at === start || text[at - 1] === "_") && (partEnd === end || text[partEnd] === "_"));
    if (isFound) words.push(text.slice(start, end));
    at = text.indexOf(part, isFound ? end : at + 1);
  }
  return words;
}

/** The names that contain another one; if it has a separator, as a whole part. */
export const longerNames = (text: WordText, name: string): string[] =>
  wordsContaining(text, name, name.includes("_")).filter((word) => word !== name);

function endOfWord(text: WordText, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end;
}
