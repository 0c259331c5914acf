import { foldText } from "../search/folded-text.ts";
import { calendarDate } from "./date.ts";

/** The parts of the file name of a record. */
export interface RecordName {
  /** The name without its extension. */
  stem: string;
  /** The part before the number, such as `adr-`. */
  prefix: string;
  /** The digits of the number, with leading zeros. */
  digits: string;
  number: number | null;
  /** For a name that starts with a date: `20200924-use-lunr`, `2020-09-24-use-lunr`. */
  date: string | null;
  /** The part after the number or date. */
  slug: string;
}

export function parseRecordName(file: string): RecordName {
  const stem = file.slice(file.lastIndexOf("/") + 1).replace(/\.(md|markdown)$/i, "");
  const dated = /^(\d{4})(-?)(\d\d)\2(\d\d)(?=[-_ .]|$)[-_ .]*/.exec(stem);
  const date = dated && calendarDate(dated[1], dated[3], dated[4]);
  if (dated && date) {
    const slug = stem.slice(dated[0].length);
    return { stem, prefix: "", digits: "", number: null, date, slug };
  }
  // More than nine digits are an id or a timestamp, not a record number.
  const numbered = /^(adr[-_ ]?)?(\d{1,9})(?=[-_ .]|$)[-_ .]*/i.exec(stem);
  if (!numbered) return { stem, prefix: "", digits: "", number: null, date: null, slug: stem };
  const [head, prefix = "", digits = ""] = numbered;
  const slug = stem.slice(head.length);
  return { stem, prefix, digits, number: Number.parseInt(digits, 10), date: null, slug };
}

/** The slug of a title: `Use Lunr for search!` → `use-lunr-for-search`. */
export function titleSlug(title: string): string {
  const words = foldText(title)
    .replaceAll("ß", "ss")
    .split(/[^\p{L}\p{N}]+/u);
  return joinWords(words) || "decision";
}

const maxSlugLength = 80;

/** Joins as many whole words as fit into the maximum length. */
function joinWords(words: readonly string[]): string {
  let name = "";
  for (const word of words.filter(Boolean)) {
    const next = name === "" ? word.slice(0, maxSlugLength) : `${name}-${word}`;
    if (next.length > maxSlugLength) break;
    name = next;
  }
  return name;
}
