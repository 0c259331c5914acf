import type { Database } from "../../kernel/database.ts";
import { Failure } from "../../kernel/failure.ts";
import { UnreadableExpression } from "../../text/expression-grammar.ts";
import { type LinearExpression, readExpression } from "../../text/linear-expression.ts";
import { literalExpression } from "../../text/literal-expression.ts";
import type { Place } from "../../text/quotes.ts";
import { paragraphFinder, sentenceFinder } from "../../text/sentences.ts";
import type { Passage } from "./coding.ts";
import { allSources } from "./qda/storage-sources.ts";
import { readText, sourceById } from "./source.ts";

export const matchTypes = ["exact", "contains", "regex"] as const;
export const scopes = ["all", "first", "last"] as const;
export const expansions = ["none", "sentence", "paragraph"] as const;

/** What to look for, and how much of the text around it is meant. */
export interface Pattern {
  pattern: string;
  match_type: (typeof matchTypes)[number];
  scope: (typeof scopes)[number];
  expand: (typeof expansions)[number];
  case_sensitive: boolean;
}

/** Finds places in one text, in UTF-16 units, from its start to its end. */
export type Finder = (text: string) => Place[];

/** More than this in one call is a slip of the pattern, not a coding. */
const mostMatches = 10_000;

/** Looks for a pattern; one that is no pattern is refused before any text is read. */
export function patternFinder(wanted: Pattern, task: string): Finder {
  const { scope, expand } = wanted;
  const expression = inWords(task, () => expressionOf(wanted));
  const around = { none: undefined, sentence: sentenceFinder, paragraph: paragraphFinder }[expand];
  return (text) => {
    const most = scope === "first" ? 1 : mostMatches + 1;
    const found = inWords(task, () => expression.places(text, most));
    // Which of so many is the last is not known.
    if (scope === "last" && found.length > mostMatches) throw tooMany(task);
    const chosen = scope === "last" ? found.slice(-1) : found;
    return different(around ? chosen.map(around(text)) : chosen);
  };
}

function expressionOf({ pattern, match_type, case_sensitive }: Pattern): LinearExpression {
  if (match_type === "regex") {
    return readExpression(
      case_sensitive || pattern.startsWith("(?i)") ? pattern : `(?i)${pattern}`,
    );
  }
  return literalExpression(pattern, {
    isWhole: match_type === "exact",
    isCaseSensitive: case_sensitive,
  });
}

function inWords<Result>(task: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof UnreadableExpression)) throw error;
    throw new Failure(
      "invalid",
      `${task}/INVALID_PATTERN`,
      `Invalid parameter 'pattern': ${error.message}.`,
      { hints: ["To look for the letters as they are, set match_type to exact or contains."] },
    );
  }
}

/** Two words of one sentence mean that sentence once. */
const different = (places: readonly Place[]): Place[] =>
  places.filter(({ start, end }, number) => {
    const before = places[number - 1];
    return before?.start !== start || before.end !== end;
  });

/** A passage that would be coded. */
export interface Match extends Passage {
  source_name: string;
}

/** Everything that is found in one source, or in all that have a text. */
export function matchesIn(
  db: Database,
  { code, source, task }: { code: number; source: number | undefined; task: string },
  find: Finder,
): Match[] {
  const sources = source === undefined ? allSources(db) : [sourceById(db, source)];
  const matches: Match[] = [];
  for (const { id, name } of sources.filter(({ size }) => size)) {
    const text = readText(db, id);
    for (const place of find(text.text)) {
      const [start, end] = [text.codePointAt(place.start), text.codePointAt(place.end)];
      const words = text.slice(start, end);
      matches.push({ code, source: id, source_name: name, start, end, text: words });
    }
    if (matches.length > mostMatches) throw tooMany(task);
  }
  return matches;
}

const tooMany = (task: string): Failure =>
  new Failure("too-large", `${task}/TOO_MANY_MATCHES`, `There are over ${mostMatches} matches.`, {
    hints: ["Narrow the pattern, or name one source by source_id."],
  });
