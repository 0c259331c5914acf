/** A passage that a proposal refers to. */
export interface ProposedPassage {
  source_id: number;
  code_id?: number;
  start?: number;
  end?: number;
  quote?: string;
}

/** Every passage in the input of a proposal, at any depth: a source with positions or a quote. */
export function passagesIn(value: unknown): ProposedPassage[] {
  if (Array.isArray(value)) return value.flatMap(passagesIn);
  if (typeof value !== "object" || value === null) return [];
  const passage = passageOf(value as Record<string, unknown>);
  return [...(passage ? [passage] : []), ...Object.values(value).flatMap(passagesIn)];
}

function passageOf(fields: Record<string, unknown>): ProposedPassage | undefined {
  const source_id = Number(fields.source_id);
  const start = fields.start_position ?? fields.start_pos;
  const end = fields.end_position ?? fields.end_pos;
  const hasRange = typeof start === "number" && typeof end === "number";
  const hasQuote = typeof fields.quote === "string";
  if (!source_id || !(hasRange || hasQuote)) return undefined;
  return {
    source_id,
    ...(Number(fields.code_id) && { code_id: Number(fields.code_id) }),
    ...(hasRange && { start, end }),
    ...(hasQuote && { quote: String(fields.quote) }),
  };
}

/** A passage in its source, with the text around it. */
export interface PassageExcerpt {
  source_id: number;
  source: string;
  code: string | undefined;
  /** Undefined if the quote was not found. */
  range: { start: number; end: number } | undefined;
  before: string;
  text: string;
  after: string;
}

const contextChars = 120;

/** Positions count code points, so the text is given as an array of these. */
export function excerptOf(
  codePoints: readonly string[],
  passage: Pick<ProposedPassage, "start" | "end" | "quote">,
): Pick<PassageExcerpt, "range" | "before" | "text" | "after"> {
  const range = passageRange(codePoints, passage);
  if (!range) return { range, before: "", text: passage.quote ?? "", after: "" };
  const cut = (from: number, until: number): string => codePoints.slice(from, until).join("");
  return {
    range,
    before: cut(Math.max(0, range.start - contextChars), range.start),
    text: cut(range.start, range.end),
    after: cut(range.end, range.end + contextChars),
  };
}

function passageRange(
  codePoints: readonly string[],
  { start, end, quote }: Pick<ProposedPassage, "start" | "end" | "quote">,
): PassageExcerpt["range"] {
  if (start !== undefined && end !== undefined) return { start, end };
  if (quote === undefined) return undefined;
  const text = codePoints.join("");
  const offset = text.indexOf(quote);
  if (offset < 0) return undefined;
  const first = [...text.slice(0, offset)].length;
  return { start: first, end: first + [...quote].length };
}
