/** A stretch of a text in UTF-16 units, the end left out. */
export interface Place {
  start: number;
  end: number;
}

/**
 * Where words stand in a text: letter by letter, or else with other white space between them, since
 * whoever copies a passage often joins its lines. Only so many places are looked for.
 */
export function placesOf(text: string, quote: string, most = 1_000): Place[] {
  if (quote.trim() === "") return [];
  const exact = exactPlaces(text, quote, most);
  return exact.length > 0 ? exact : loosePlaces(text, quote, most);
}

/** The place of the words that begins nearest to a position; of two as near, the one before it. */
export function nearestPlace(text: string, quote: string, position: number): Place | undefined {
  if (quote.trim() === "") return undefined;
  const starts = [text.lastIndexOf(quote, position), text.indexOf(quote, position)];
  const exact = starts
    .filter((start) => start >= 0)
    .map((start) => ({ start, end: start + quote.length }));
  const places = exact.length > 0 ? exact : loosePlaces(text, quote, Number.POSITIVE_INFINITY);
  const [first, ...others] = places;
  const distance = ({ start }: Place): number => Math.abs(start - position);
  return (
    first && others.reduce((best, one) => (distance(one) < distance(best) ? one : best), first)
  );
}

/** Where exactly these letters stand, be they only white space; places may overlap. */
export function exactPlaces(text: string, quote: string, most: number): Place[] {
  const places: Place[] = [];
  for (let from = 0; places.length < most; ) {
    const start = text.indexOf(quote, from);
    if (start < 0) break;
    places.push({ start, end: start + quote.length });
    from = start + 1;
  }
  return places;
}

function loosePlaces(text: string, quote: string, most: number): Place[] {
  const words = quote.trim().split(/\s+/);
  // A search letter by letter is many times as fast, and most quotes that are not there end here.
  if (words.some((word) => !text.includes(word))) return [];
  const escaped = words.map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  const places: Place[] = [];
  for (const match of text.matchAll(new RegExp(escaped.join("\\s+"), "g"))) {
    places.push({ start: match.index, end: match.index + match[0].length });
    if (places.length === most) break;
  }
  return places;
}
