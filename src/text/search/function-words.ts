/**
 * English stop words. In a query they would only favour long texts, so they count little beside
 * other words.
 */
export const isFunctionWord = (folded: string): boolean => functionWords.has(folded);

const functionWords = new Set(
  `a about am an and any are as at be been being both but by can could did do does doing each
  else for from had has have having he her here hers him his how i if in into is it its just me
  my no nor not of on or other our ours she should so some such than that the their theirs them
  then there these they this those through to too us very was we were what when where which while
  who whom whose why will with would you your yours`.split(/\s+/),
);

/**
 * Whether two function words in a row are probably meant as a statement of a programming language:
 * `for of loop`, `if else`.
 */
export const isStatement = (first: string, second: string): boolean =>
  statements.has(`${first} ${second}`);

const statements = new Set([
  "do while",
  "else if",
  "for each",
  "for in",
  "for of",
  "if else",
  "if then",
  "while do",
]);
