import { isFunctionWord } from "../search/function-words.ts";
import { stemOf } from "../search/stems.ts";
import { isSpacelessScript, splitWords, tokenize } from "../search/tokens.ts";

/** A clause that speaks for or against something. */
export interface Clause {
  /** The sentence that contains the clause. */
  sentence: string;
  /** Counted from 1. */
  line: number;
  isAgainst: boolean;
  /** The stems of its content words. */
  about: ReadonlySet<string>;
}

/** Negates what follows it. */
const negationPattern =
  /\b(?:(?:do|does|did|will|shall|should|must|may|can|could|would|is|are|was|were)\s+not(?!\s+only)|(?:do|does|did|wo|should|must|ca|is|are|was|were)n['’]t|cannot|never|not(?!\s+only)|no\s+longer|avoid(?:s|ed|ing)?|instead\s+of|rather\s+than|without|reject(?:s|ed|ing)?|forbid(?:s|den)?|prohibit(?:s|ed)?|ban(?:s|ned)?|against|(?:move|migrate|moving|migrating)\s+away\s+from|stop(?:s|ped)?|drop(?:s|ped)?|replac(?:e|es|ed|ing)|anti-pattern)\b/i;

/** Speaks against the first thing and for the second: `migrating from MongoDB to Postgres`. */
const migrationPattern =
  /\b(?:migrat(?:e|es|ed|ing|ions?)|switch(?:es|ed|ing)?)\s+((?:[^\s,;:()]{1,50}\s+){0,6}?)from\s+([^,;:()]{1,200}?)\s+to\b/gi;

/** `replace MongoDB with Postgres`. */
const replacementPattern = /\breplac(?:e|es|ed|ing)\s+([^,;:()]{1,200}?)\s+(?:with|by)\b/gi;

/** If only these follow a negation, it applies to what precedes it: `MongoDB must not be used`. */
const passiveStems = new Set(
  tokenize(
    "be used use using allowed permitted supported accepted an option appropriate acceptable considered chosen",
  ),
);

/** Words that are common in all proposals and do not characterize any. */
const genericStems = new Set(
  tokenize(
    `use using used uses adopt choose chosen want need propose proposal plan decide decision decided
     shall must may might let make made new all every each also more most one only still well via
     system systems application applications project team approach solution option add introduce
     implement because since therefore between instead rather keep per within across get go put set`,
  ),
);

/** Longer sentences are cut, for text without punctuation. */
const maxSentenceLength = 2_000;

/**
 * Splits text into clauses. `We use Postgres instead of Mongo, and never share tables.` has three:
 * for Postgres, against Mongo, against sharing tables.
 */
export function parseClauses(lines: readonly string[], firstLine = 1): Clause[] {
  return splitSentences(lines, firstLine).flatMap(({ sentence, line }) =>
    sentence
      .replace(migrationPattern, "$1 avoid $2,")
      .replace(replacementPattern, "avoid $1,")
      .split(/[,;:()]|\s[–—-]\s|\b(?:but|whereas|however|because|since|so that)\b/i)
      .flatMap(stancesOfPart)
      .map((stance) => ({ ...stance, sentence, line })),
  );
}

/** Each piece after a negation is negated. If that piece is only passive, the previous one is. */
function stancesOfPart(part: string): Pick<Clause, "isAgainst" | "about">[] {
  const pieces = part.split(negationPattern).map(contentStems);
  const isPassive = (about: ReadonlySet<string> | undefined): boolean =>
    about !== undefined && [...about].every((stem) => passiveStems.has(stem));
  return pieces.flatMap((about, index) => {
    if (index > 0 && isPassive(about)) return [];
    const isAgainst = index > 0 || isPassive(pieces[index + 1]);
    return about.size > 0 ? [{ isAgainst, about }] : [];
  });
}

/** The stems of a text without function words and generic words. */
export function contentStems(text: string): Set<string> {
  const stems = splitWords(text)
    .filter((word) => !isFunctionWord(word) && (word.length > 1 || isSpacelessScript(word)))
    .flatMap((word) => (isSpacelessScript(word) ? tokenize(word) : [stemOf(word)]));
  return new Set(stems.filter((stem) => !genericStems.has(stem)));
}

/**
 * Sentences may wrap across lines, but end at blank lines and before list items, headings, quotes
 * and table rows. Unlike `sentenceFinder`, this strips Markdown syntax from the sentences.
 */
function splitSentences(lines: readonly string[], firstLine: number) {
  const sentences: { sentence: string; line: number }[] = [];
  let current = "";
  let startLine = firstLine;
  const flush = () => {
    const sentence = current.replace(/\s+/g, " ").trim();
    if (sentence !== "") sentences.push({ sentence, line: startLine });
    current = "";
  };
  for (const [index, line] of lines.entries()) {
    const marker = /^\s*(?:[-*+>|#]+|\d+[.)])\s*/.exec(line);
    if (line.trim() === "" || marker) flush();
    const plain = (marker ? line.slice(marker[0].length) : line).replace(/[*_`]+/g, "");
    for (const piece of plain.split(/(?<=[.!?。！？])(?=\s|$|\P{ASCII})/u)) {
      if (current === "") startLine = firstLine + index;
      current += `${current === "" ? "" : " "}${piece.trim()}`;
      if (/[.!?。！？]$/.test(current) || current.length > maxSentenceLength) flush();
    }
  }
  flush();
  return sentences;
}
