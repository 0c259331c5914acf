/** What searches find and in which order: names, symbols, function words, proximity, snippets. */
export const searchRanking = {
  "search.names.parts":
    "names in camelCase, PascalCase, snake_case and kebab-case are found by the whole name and by its parts",
  "search.names.within":
    "longer names that contain a name rank before passages with its scattered parts",
  "search.names.explained":
    "the explanation of a score says which words are parts of a name in the passage",
  "search.names.weak": "a part of a name has less weight than a separate word",
  "search.names.highlight": "only the matching part of a name is highlighted",
  "search.symbols.found": "operators, and words with symbols, are found as written",
  "search.function-words.decide":
    "function words are required only if the query has no other words; otherwise they count in titles",
  "search.titles.whole":
    "a title that consists of words of the query raises the score, by its share of the query",
  "search.function-words.explained": "the explanation of a score lists function words too",
  "search.proximity.order":
    "words that are adjacent and in the order of the query increase the score",
  "search.proximity.sentence": "for a pasted sentence, the passage that contains it ranks first",
  "search.positions.phrases": "phrases and exclusions are checked without reading passages",
  "search.scores.distinct":
    "scores distinguish a title match from a mention, and a mention from a partial match",
  "search.snippet.prose":
    "a snippet shows prose rather than lists of links, macros and front matter",
  "search.snippet.ellipsis": "a snippet is truncated between words, and the truncation is marked",
  "search.snippet.match-line":
    "a result has the line of its match in addition to the lines of its passage",
  "search.query.top-three": "a hybrid query keeps the best keyword results at the top",
};
