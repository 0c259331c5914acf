/**
 * Estimates the token count for models without an available tokenizer. Errs on the high side for
 * prose, code and scripts without spaces. Words are counted separately, so the counts of parts add
 * up to the count of the whole.
 */
export function estimateTokens(text: string): number {
  let sum = 0;
  for (const [word] of text.matchAll(/\S+/g)) {
    const alphanumerics = word.match(/[a-z0-9]/gi)?.length ?? 0;
    const punctuation = word.match(/[!-/:-@[-`{-~]/g)?.length ?? 0;
    let nonAscii = 0;
    for (const char of word) if (char > "\x7f") nonAscii += char > "\u07ff" ? 1.5 : 1;
    sum += Math.ceil(alphanumerics / 3 + punctuation + nonAscii);
  }
  return sum;
}
