/** A range of a text in UTF-16 units. `end` is exclusive. */
export interface TextSpan {
  start: number;
  end: number;
}

/**
 * Finds a quote in a text, at most `limit` times. If there is no exact match, any white space
 * matches any other, because copying a passage often joins its lines.
 */
export function findQuote(text: string, quote: string, limit = 1_000): TextSpan[] {
  if (quote.trim() === "") return [];
  const exact = findExactQuote(text, quote, limit);
  return exact.length > 0 ? exact : findQuoteIgnoringSpaces(text, quote, limit);
}

/** The occurrence that starts nearest to a position; on a tie, the earlier one. */
export function findNearestQuote(
  text: string,
  quote: string,
  position: number,
): TextSpan | undefined {
  if (quote.trim() === "") return undefined;
  const starts = [text.lastIndexOf(quote, position), text.indexOf(quote, position)];
  const exact = starts
    .filter((start) => start >= 0)
    .map((start) => ({ start, end: start + quote.length }));
  const spans =
    exact.length > 0 ? exact : findQuoteIgnoringSpaces(text, quote, Number.POSITIVE_INFINITY);
  const [first, ...others] = spans;
  const distance = ({ start }: TextSpan): number => Math.abs(start - position);
  return (
    first && others.reduce((best, span) => (distance(span) < distance(best) ? span : best), first)
  );
}

/** Exact occurrences, which may overlap. The quote may be white space only. */
export function findExactQuote(text: string, quote: string, limit: number): TextSpan[] {
  const spans: TextSpan[] = [];
  for (let from = 0; spans.length < limit; ) {
    const start = text.indexOf(quote, from);
    if (start < 0) break;
    spans.push({ start, end: start + quote.length });
    from = start + 1;
  }
  return spans;
}

function findQuoteIgnoringSpaces(text: string, quote: string, limit: number): TextSpan[] {
  const words = quote.trim().split(/\s+/);
  // A plain search is much faster than the regular expression and rules out most absent quotes.
  if (words.some((word) => !text.includes(word))) return [];
  const escaped = words.map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  const spans: TextSpan[] = [];
  for (const match of text.matchAll(new RegExp(escaped.join("\\s+"), "g"))) {
    spans.push({ start: match.index, end: match.index + match[0].length });
    if (spans.length === limit) break;
  }
  return spans;
}
