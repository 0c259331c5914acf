import { fold } from "../folding.ts";
import { calendarDate } from "./date.ts";

/** What the name of a file tells about the record in it. */
export interface RecordName {
  /** The name without its ending. */
  stem: string;
  /** `adr-`, or what else stands before the number. */
  prefix: string;
  /** The number's digits as written, with their zeros. */
  digits: string;
  number: number | null;
  /** From a name that begins with a date: `20200924-use-lunr`, `2020-09-24-use-lunr`. */
  date: string | null;
  /** What follows the number or the date. */
  slug: string;
}

export function readName(file: string): RecordName {
  const stem = file.slice(file.lastIndexOf("/") + 1).replace(/\.(md|markdown)$/i, "");
  const dated = /^(\d{4})(-?)(\d\d)\2(\d\d)(?=[-_ .]|$)[-_ .]*/.exec(stem);
  const date = dated && calendarDate(dated[1], dated[3], dated[4]);
  if (dated && date) {
    const slug = stem.slice(dated[0].length);
    return { stem, prefix: "", digits: "", number: null, date, slug };
  }
  // More digits than nine are no number that anybody counts by.
  const numbered = /^(adr[-_ ]?)?(\d{1,9})(?=[-_ .]|$)[-_ .]*/i.exec(stem);
  if (!numbered) return { stem, prefix: "", digits: "", number: null, date: null, slug: stem };
  const [head, prefix = "", digits = ""] = numbered;
  const slug = stem.slice(head.length);
  return { stem, prefix, digits, number: Number.parseInt(digits, 10), date: null, slug };
}

/** A title as a file is named by it: `Use Lunr for search!` → `use-lunr-for-search`. */
export function slugOf(title: string): string {
  const words = fold(title)
    .replaceAll("ß", "ss")
    .split(/[^\p{L}\p{N}]+/u);
  return joined(words) || "decision";
}

const longest = 80;

/** As many whole words as a name of that length can have. */
function joined(words: readonly string[]): string {
  let name = "";
  for (const word of words.filter(Boolean)) {
    const next = name === "" ? word.slice(0, longest) : `${name}-${word}`;
    if (next.length > longest) break;
    name = next;
  }
  return name;
}
