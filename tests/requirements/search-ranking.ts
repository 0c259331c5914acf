/** What searches find and in which order: names, symbols, function words, proximity, snippets. */
export const searchRanking = {
  "search.names.parts":
    "names in camelCase, PascalCase, snake_case and kebab-case are found whole and by their parts",
  "search.names.within":
    "a name finds the longer names that contain it, before its scattered parts",
  "search.names.explained":
    "the explanation of a score tells which words are parts of a name in the passage",
  "search.names.weak": "a part of a name counts less than the word itself",
  "search.names.highlight": "only the matching part of a name is highlighted",
  "search.symbols.found": "operators, and words with symbols, are found as written",
  "search.function-words.decide":
    "function words decide if the query has nothing else; otherwise they count in titles",
  "search.function-words.explained": "the explanation of a score lists function words too",
  "search.proximity.order": "words that are adjacent and in the order of the query count more",
  "search.proximity.sentence": "a pasted sentence finds the passage that contains it first",
  "search.positions.phrases": "phrases and exclusions are decided without reading passages",
  "search.scores.distinct":
    "a score tells a title from a mention and a mention from a part of the query",
  "search.snippet.prose":
    "a snippet shows prose rather than lists of links, macros and front matter",
  "search.snippet.ellipsis": "a snippet is cut between words, and the cut is marked",
  "search.snippet.match-line": "a result has the line of its match beside the lines of its passage",
  "search.query.top-three": "a hybrid query keeps the best keyword results at the top",
};
