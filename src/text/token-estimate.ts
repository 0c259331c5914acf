/**
 * About how many tokens a model makes of a text, for models whose own table we do not have: rather
 * more than they do, for prose, code and scripts without spaces. Each word counts for itself, so
 * that parts of a text come to as many as the whole.
 */
export function estimateTokens(text: string): number {
  let sum = 0;
  for (const [word] of text.matchAll(/\S+/g)) {
    const plain = word.match(/[a-z0-9]/gi)?.length ?? 0;
    const marks = word.match(/[!-/:-@[-`{-~]/g)?.length ?? 0;
    let others = 0;
    for (const letter of word) if (letter > "\x7f") others += letter > "\u07ff" ? 1.5 : 1;
    sum += Math.ceil(plain / 3 + marks + others);
  }
  return sum;
}
