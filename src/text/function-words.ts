/**
 * English words that hold a sentence together and say nothing of what it is about. In a question
 * they only pull up long texts; where a query has nothing else they count like all others.
 */
export const isFunctionWord = (folded: string): boolean => functionWords.has(folded);

const functionWords = new Set(
  `a about am an and any are as at be been being both but by can could did do does doing each
  else for from had has have having he her here hers him his how i if in into is it its just me
  my no nor not of on or other our ours she should so some such than that the their theirs them
  then there these they this those through to too us very was we were what when where which while
  who whom whose why will with would you your yours`.split(/\s+/),
);
