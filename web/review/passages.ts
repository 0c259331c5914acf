/** A passage that a proposal speaks of. */
export interface Passage {
  source_id: number;
  code_id?: number;
  start?: number;
  end?: number;
  quote?: string;
}

/** Every passage in a proposal, however deep it lies: a source with positions or words. */
export function passagesIn(given: unknown): Passage[] {
  if (Array.isArray(given)) return given.flatMap(passagesIn);
  if (typeof given !== "object" || given === null) return [];
  const own = passageOf(given as Record<string, unknown>);
  return [...(own ? [own] : []), ...Object.values(given).flatMap(passagesIn)];
}

function passageOf(given: Record<string, unknown>): Passage | undefined {
  const source_id = Number(given.source_id);
  const start = given.start_position ?? given.start_pos;
  const end = given.end_position ?? given.end_pos;
  const hasPlace = typeof start === "number" && typeof end === "number";
  const hasQuote = typeof given.quote === "string";
  if (!source_id || !(hasPlace || hasQuote)) return undefined;
  return {
    source_id,
    ...(Number(given.code_id) && { code_id: Number(given.code_id) }),
    ...(hasPlace && { start, end }),
    ...(hasQuote && { quote: String(given.quote) }),
  };
}

/** A passage as it stands in the text, with what is around it. */
export interface Seen {
  source_id: number;
  source: string;
  code: string | undefined;
  /** Nothing where the words could not be found. */
  place: { start: number; end: number } | undefined;
  before: string;
  words: string;
  behind: string;
}

const around = 120;

/** Positions count letters as people do; so the text is taken apart into those. */
export function found(
  letters: readonly string[],
  passage: Pick<Passage, "start" | "end" | "quote">,
): Pick<Seen, "place" | "before" | "words" | "behind"> {
  const place = placeOf(letters, passage);
  if (!place) return { place, before: "", words: passage.quote ?? "", behind: "" };
  const cut = (from: number, until: number): string => letters.slice(from, until).join("");
  return {
    place,
    before: cut(Math.max(0, place.start - around), place.start),
    words: cut(place.start, place.end),
    behind: cut(place.end, place.end + around),
  };
}

function placeOf(
  letters: readonly string[],
  { start, end, quote }: Pick<Passage, "start" | "end" | "quote">,
): Seen["place"] {
  if (start !== undefined && end !== undefined) return { start, end };
  if (quote === undefined) return undefined;
  const text = letters.join("");
  const unit = text.indexOf(quote);
  if (unit < 0) return undefined;
  const first = [...text.slice(0, unit)].length;
  return { start: first, end: first + [...quote].length };
}
