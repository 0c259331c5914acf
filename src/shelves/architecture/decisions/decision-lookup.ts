import { invalid, notFound } from "../../../kernel/failure.ts";
import { toPrintable } from "../../../text/strings/printable.ts";
import { similarNames } from "../../../text/strings/similar-names.ts";
import type { PlacedRecord, RecordSet } from "./record-set.ts";

/**
 * Finds a record by its number (`4`, `0004`, `ADR-4`), its name (`0004-use-lunr`, `use-lunr`,
 * `0004-use-lunr.md`) or its path. With several folders a number may be `backend/4`. Never guesses:
 * several matches are an error, and if there is none the error suggests similar names.
 */
export function findDecision({ decisions }: RecordSet, id: string): PlacedRecord {
  const name = id.trim();
  if (name === "") throw invalid("id must not be empty", ["Give a number, a name or a file path."]);
  const [match, ...others] = matchDecisions(decisions, name);
  if (match && others.length === 0) return match;
  const quoted = toPrintable(name).slice(0, 200);
  if (match) {
    const files = [match, ...others].slice(0, 20).map(({ file }) => toPrintable(file));
    throw invalid(`'${quoted}' is ambiguous: it could be ${files.join(" or ")}.`, [
      "Give the file path.",
    ]);
  }
  const names = decisions.flatMap(({ file, name }) => [file, name.stem, name.slug]);
  const guesses = similarNames(name.slice(0, 200), [...new Set(names)]);
  throw notFound(`There is no decision '${quoted}'.`, [
    ...(guesses.length > 0 ? [`Did you mean ${guesses.map(toPrintable).join(" or ")}?`] : []),
    "`adr list` shows all of them.",
  ]);
}

/** The most exact kind of match wins, so a full path is never ambiguous. */
function matchDecisions(decisions: readonly PlacedRecord[], name: string): PlacedRecord[] {
  const stem = name
    .replace(/^\.?\//, "")
    .replace(/\.(md|markdown)$/i, "")
    .toLowerCase();
  const slash = stem.lastIndexOf("/");
  const [folderPart, last] = [stem.slice(0, Math.max(slash, 0)), stem.slice(slash + 1)];
  const digits = /^(?:adr[-\s#]*|#)?(\d{1,9})$/.exec(last)?.[1];
  const number = digits === undefined ? undefined : Number.parseInt(digits, 10);
  const isInFolder = ({ folder }: PlacedRecord): boolean =>
    folderPart === "" ||
    folder.toLowerCase() === folderPart ||
    folder.toLowerCase().endsWith(`/${folderPart}`);
  const matchers: ((record: PlacedRecord) => boolean)[] = [
    ({ file }) => file.toLowerCase() === name.toLowerCase(),
    (record) => record.name.stem.toLowerCase() === last && isInFolder(record),
    (record) => number !== undefined && record.number === number && isInFolder(record),
    (record) => record.name.slug.toLowerCase() === last && isInFolder(record),
  ];
  for (const isMatch of matchers) {
    const matches = decisions.filter(isMatch);
    if (matches.length > 0) return matches;
  }
  return [];
}

/** The label of a record, e.g. `0004 Use Lunr`; its title alone if it has no number. */
export const decisionLabel = ({ name, title }: PlacedRecord): string =>
  toPrintable(name.number === null ? title : `${name.digits} ${title}`);
