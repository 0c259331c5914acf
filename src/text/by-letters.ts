/** Orders texts by their letters as they are stored: the same on every machine and in every language. */
export const byLetters = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
