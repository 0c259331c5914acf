import { invalid, notFound } from "../../kernel/failure.ts";
import { nearest } from "../../text/similar-names.ts";
import { visible } from "../../text/visible.ts";
import type { PlacedRecord, RecordSet } from "./record-set.ts";

/**
 * The record that a caller names: by its number (`4`, `0004`, `ADR-4`), its name (`0004-use-lunr`,
 * `use-lunr`, `0004-use-lunr.md`) or its path. With several folders a number may be `backend/4`.
 * Never a guess: of several none is taken, and of none the nearest are only told.
 */
export function recordNamed({ decisions }: RecordSet, given: string): PlacedRecord {
  const wanted = given.trim();
  if (wanted === "") throw invalid("id must not be empty", ["Give a number, a name or a file."]);
  const [found, ...others] = matches(decisions, wanted);
  if (found && others.length === 0) return found;
  const shown = visible(wanted).slice(0, 200);
  if (found) {
    const files = [found, ...others].slice(0, 20).map(({ file }) => visible(file));
    throw invalid(`'${shown}' could be ${files.join(" or ")}.`, ["Give the file."]);
  }
  const names = decisions.flatMap(({ file, name }) => [file, name.stem, name.slug]);
  const guesses = nearest(wanted.slice(0, 200), [...new Set(names)]);
  throw notFound(`There is no decision '${shown}'.`, [
    ...(guesses.length > 0 ? [`Did you mean ${guesses.map(visible).join(" or ")}?`] : []),
    "`adr list` shows all of them.",
  ]);
}

/** The most exact kind of name that fits anything decides, so a whole path is never ambiguous. */
function matches(decisions: readonly PlacedRecord[], wanted: string): PlacedRecord[] {
  const word = wanted
    .replace(/^\.?\//, "")
    .replace(/\.(md|markdown)$/i, "")
    .toLowerCase();
  const slash = word.lastIndexOf("/");
  const [place, last] = [word.slice(0, Math.max(slash, 0)), word.slice(slash + 1)];
  const digits = /^(?:adr[-\s#]*|#)?(\d{1,9})$/.exec(last)?.[1];
  const number = digits === undefined ? undefined : Number.parseInt(digits, 10);
  const isThere = ({ folder }: PlacedRecord): boolean =>
    place === "" || folder.toLowerCase() === place || folder.toLowerCase().endsWith(`/${place}`);
  const ways: ((record: PlacedRecord) => boolean)[] = [
    ({ file }) => file.toLowerCase() === wanted.toLowerCase(),
    (record) => record.name.stem.toLowerCase() === last && isThere(record),
    (record) => number !== undefined && record.number === number && isThere(record),
    (record) => record.name.slug.toLowerCase() === last && isThere(record),
  ];
  for (const fits of ways) {
    const found = decisions.filter(fits);
    if (found.length > 0) return found;
  }
  return [];
}

/** How a record is called in a line: `0004 Use Lunr`, or by its name where it has no number. */
export const calledBy = ({ name, title }: PlacedRecord): string =>
  visible(name.number === null ? title : `${name.digits} ${title}`);
