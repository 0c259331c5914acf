import { Failure } from "../../../kernel/failure.ts";
import type { Database } from "../../../kernel/storage/database.ts";
import { literalPattern } from "../../../text/patterns/literal-pattern.ts";
import { type LinearPattern, readRegex } from "../../../text/patterns/regex.ts";
import { InvalidPatternError } from "../../../text/patterns/regex-parser.ts";
import type { TextSpan } from "../../../text/spans/quote-search.ts";
import { paragraphFinder, sentenceFinder } from "../../../text/spans/sentence-spans.ts";
import { allSources } from "../qda/storage-sources.ts";
import { readSourceText, requireSource } from "../sources/source.ts";
import type { CodedPassage } from "./passages.ts";

export const matchTypes = ["exact", "contains", "regex"] as const;
export const matchScopes = ["all", "first", "last"] as const;
export const matchExpansions = ["none", "sentence", "paragraph"] as const;

/** A search pattern, and how far to expand its matches. */
export interface PatternRequest {
  pattern: string;
  match_type: (typeof matchTypes)[number];
  scope: (typeof matchScopes)[number];
  expand: (typeof matchExpansions)[number];
  case_sensitive: boolean;
}

/** Finds ranges in one text, in UTF-16 units, ordered by start. */
export type PassageFinder = (text: string) => TextSpan[];

/** A pattern with more matches is probably a mistake and is rejected. */
const maxMatches = 10_000;

/** Compiles a pattern. An invalid one is rejected before any text is read. */
export function createPatternFinder(request: PatternRequest, errorCode: string): PassageFinder {
  const { scope, expand } = request;
  const expression = withPatternErrors(errorCode, () => compilePattern(request));
  const expandRange = { none: undefined, sentence: sentenceFinder, paragraph: paragraphFinder }[
    expand
  ];
  return (text) => {
    const limit = scope === "first" ? 1 : maxMatches + 1;
    const matches = withPatternErrors(errorCode, () => expression.places(text, limit));
    // The search stops at the limit, so the last match is unknown.
    if (scope === "last" && matches.length > maxMatches) throw tooManyMatches(errorCode);
    const selected = scope === "last" ? matches.slice(-1) : matches;
    return distinctRanges(expandRange ? selected.map(expandRange(text)) : selected);
  };
}

function compilePattern({ pattern, match_type, case_sensitive }: PatternRequest): LinearPattern {
  if (match_type === "regex") {
    return readRegex(case_sensitive || pattern.startsWith("(?i)") ? pattern : `(?i)${pattern}`);
  }
  return literalPattern(pattern, {
    isWhole: match_type === "exact",
    isCaseSensitive: case_sensitive,
  });
}

function withPatternErrors<Result>(errorCode: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof InvalidPatternError)) throw error;
    throw new Failure(
      "invalid",
      `${errorCode}/INVALID_PATTERN`,
      `Invalid parameter 'pattern': ${error.message}.`,
      { hints: ["To search for literal text, set match_type to exact or contains."] },
    );
  }
}

/** Several matches in one sentence expand to the same range. */
const distinctRanges = (ranges: readonly TextSpan[]): TextSpan[] =>
  ranges.filter(({ start, end }, number) => {
    const before = ranges[number - 1];
    return before?.start !== start || before.end !== end;
  });

export interface PatternMatch extends CodedPassage {
  source_name: string;
}

/** Finds matches in one source, or in all sources with a text. */
export function findMatches(
  db: Database,
  { code, source, task: errorCode }: { code: number; source: number | undefined; task: string },
  find: PassageFinder,
): PatternMatch[] {
  const sources = source === undefined ? allSources(db) : [requireSource(db, source)];
  const matches: PatternMatch[] = [];
  for (const { id, name } of sources.filter(({ size }) => size)) {
    const text = readSourceText(db, id);
    for (const range of find(text.text)) {
      const [start, end] = [text.codePointAt(range.start), text.codePointAt(range.end)];
      const passageText = text.slice(start, end);
      matches.push({ code, source: id, source_name: name, start, end, text: passageText });
    }
    if (matches.length > maxMatches) throw tooManyMatches(errorCode);
  }
  return matches;
}

const tooManyMatches = (errorCode: string): Failure =>
  new Failure(
    "too-large",
    `${errorCode}/TOO_MANY_MATCHES`,
    `There are more than ${maxMatches} matches.`,
    {
      hints: ["Narrow the pattern, or name one source by source_id."],
    },
  );
