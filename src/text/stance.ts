import { isFunctionWord } from "./function-words.ts";
import { stemOf } from "./stems.ts";
import { isSpaceless, tokensOf, wordsOf } from "./tokens.ts";

/** A stretch of text in which one thing is said, and whether it is said for or against it. */
export interface Clause {
  /** The sentence that it is a part of. */
  sentence: string;
  /** Counted from one. */
  line: number;
  isAgainst: boolean;
  /** Stems of what it is about, without words that say nothing. */
  about: ReadonlySet<string>;
}

/** What speaks against that which follows it. */
const against =
  /\b(?:(?:do|does|did|will|shall|should|must|may|can|could|would|is|are|was|were)\s+not(?!\s+only)|(?:do|does|did|wo|should|must|ca|is|are|was|were)n['’]t|cannot|never|not(?!\s+only)|no\s+longer|avoid(?:s|ed|ing)?|instead\s+of|rather\s+than|without|reject(?:s|ed|ing)?|forbid(?:s|den)?|prohibit(?:s|ed)?|ban(?:s|ned)?|against|(?:move|migrate|moving|migrating)\s+away\s+from|stop(?:s|ped)?|drop(?:s|ped)?|replac(?:e|es|ed|ing)|anti-pattern)\b/i;

/** What is left for something else, which is for that: `migrating from MongoDB to Postgres`. */
const leaving =
  /\b(?:migrat(?:e|es|ed|ing|ions?)|switch(?:es|ed|ing)?)\s+((?:[^\s,;:()]{1,50}\s+){0,6}?)from\s+([^,;:()]{1,200}?)\s+to\b/gi;

/** The same in other words: `replace MongoDB with Postgres`. */
const replacing = /\breplac(?:e|es|ed|ing)\s+([^,;:()]{1,200}?)\s+(?:with|by)\b/gi;

/** What is against a thing named before it: `MongoDB must not be used`. */
const passive = new Set(
  tokensOf(
    "be used use using allowed permitted supported accepted an option appropriate acceptable considered chosen",
  ),
);

/** Words of every proposal, which tell none from another. */
const empty = new Set(
  tokensOf(
    `use using used uses adopt choose chosen want need propose proposal plan decide decision decided
     shall must may might let make made new all every each also more most one only still well via
     system systems application applications project team approach solution option add introduce
     implement because since therefore between instead rather keep per within across get go put set`,
  ),
);

/** Longer than any sentence; a file without full stops is cut. */
const longestSentence = 2_000;

/**
 * Reads lines as clauses. `We use Postgres instead of Mongo, and never share tables.` has three:
 * for Postgres, against Mongo, against sharing tables.
 */
export function clausesOf(lines: readonly string[], firstLine = 1): Clause[] {
  return sentencesOf(lines, firstLine).flatMap(({ sentence, line }) =>
    sentence
      .replace(leaving, "$1 avoid $2,")
      .replace(replacing, "avoid $1,")
      .split(/[,;:()]|\s[–—-]\s|\b(?:but|whereas|however|because|since|so that)\b/i)
      .flatMap(stancesIn)
      .map((stance) => ({ ...stance, sentence, line })),
  );
}

/** Each piece behind a word of refusal is refused; where it only says so, the one before it is. */
function stancesIn(part: string): Pick<Clause, "isAgainst" | "about">[] {
  const pieces = part.split(against).map(contentOf);
  const isPassive = (about: ReadonlySet<string> | undefined): boolean =>
    about !== undefined && [...about].every((stem) => passive.has(stem));
  return pieces.flatMap((about, place) => {
    if (place > 0 && isPassive(about)) return [];
    const isAgainst = place > 0 || isPassive(pieces[place + 1]);
    return about.size > 0 ? [{ isAgainst, about }] : [];
  });
}

/** The stems of a text that say what it is about. */
export function contentOf(text: string): Set<string> {
  const stems = wordsOf(text)
    .filter((word) => !isFunctionWord(word) && (word.length > 1 || isSpaceless(word)))
    .flatMap((word) => (isSpaceless(word) ? tokensOf(word) : [stemOf(word)]));
  return new Set(stems.filter((stem) => !empty.has(stem)));
}

/** A line end is a space, save before a list item, a heading, a table row and after a blank line. */
function sentencesOf(lines: readonly string[], firstLine: number) {
  const found: { sentence: string; line: number }[] = [];
  let open = "";
  let line = firstLine;
  const close = () => {
    const words = open.replace(/\s+/g, " ").trim();
    if (words !== "") found.push({ sentence: words, line });
    open = "";
  };
  for (const [index, written] of lines.entries()) {
    const item = /^\s*(?:[-*+>|#]+|\d+[.)])\s*/.exec(written);
    if (written.trim() === "" || item) close();
    const plain = (item ? written.slice(item[0].length) : written).replace(/[*_`]+/g, "");
    for (const piece of plain.split(/(?<=[.!?。！？])(?=\s|$|\P{ASCII})/u)) {
      if (open === "") line = firstLine + index;
      open += `${open === "" ? "" : " "}${piece.trim()}`;
      if (/[.!?。！？]$/.test(open) || open.length > longestSentence) close();
    }
  }
  close();
  return found;
}
