import type { Database } from "../../kernel/database.ts";
import { Failure } from "../../kernel/failure.ts";
import { fold } from "../../text/folding.ts";
import { likenessAmong } from "../../text/likeness.ts";
import { codedPlaces } from "./qda/storage-codebook.ts";
import { allCategories, allCodes, type CategoryRow, type CodeRow } from "./qda/storage-codes.ts";
import { type CodedPlace, sharedPassages } from "./shared-passages.ts";

/** Two codes that may be one. */
export interface Twins {
  one: CodeRow;
  other: CodeRow;
  /** How alike their names are, from 0 to 1. */
  names: number;
  /** The share of the passages of both that the other one marks too. */
  passages: number;
}

/** Codes that are alike by name, or mark the same passages; the likeliest first. */
export function twinCodes(db: Database, threshold: number): Twins[] {
  const codes = allCodes(db);
  const words = codes.map(({ name }) => wordsOf(name));
  const alikeTo = likenessAmong(words);
  const shared = sharedPassages(placesOf(db));
  const found: Twins[] = [];
  const places = new Map(codes.map(({ id }, place) => [id, place]));
  for (const [place, one] of codes.entries()) {
    const alike = alikeTo(place);
    const common = new Float64Array(codes.length);
    for (const [id, count] of shared.get(one.id) ?? []) {
      const at = places.get(id);
      if (at !== undefined) common[at] = count;
    }
    for (let next = place + 1; next < codes.length; next++) {
      const other = codes[next];
      if (!other) break;
      const both = one.segments + other.segments;
      const passages = both === 0 ? 0 : Math.min((common[next] ?? 0) / both, 1);
      const names = words[place] === "" ? 0 : (alike[next] ?? 0);
      if (Math.max(names, passages) >= threshold) found.push({ one, other, names, passages });
    }
  }
  return found.sort(
    (a, b) => Math.max(b.names, b.passages) - Math.max(a.names, a.passages) || a.one.id - b.one.id,
  );
}

/** The places of each source that are coded. */
function placesOf(db: Database): CodedPlace[][] {
  const sources: CodedPlace[][] = [];
  let last: (CodedPlace & { source: number; codes: Map<number, number> }) | undefined;
  for (const { source, start, end, code, times } of codedPlaces(db)) {
    if (last?.source !== source) sources.push([]);
    if (last?.source !== source || last.start !== start || last.end !== end) {
      last = { source, start, end, codes: new Map() };
      sources.at(-1)?.push(last);
    }
    last.codes.set(code, times);
  }
  return sources;
}

/** Names are the same whatever the order of their words, their case and their accents. */
const wordsOf = (name: string): string =>
  (fold(name).match(/[\p{L}\p{N}]+/gu) ?? []).sort().join(" ");

/** Refuses to hang something below itself, however far down. */
export function refuseCircle(
  all: readonly { id: number; parent: number | null }[],
  id: number,
  parent: number | null,
  code: string,
): void {
  const parents = new Map(all.map((one) => [one.id, one.parent]));
  const seen = new Set([id]);
  for (
    let above = parent;
    above !== null && above !== undefined;
    above = parents.get(above) ?? null
  ) {
    if (seen.has(above)) {
      throw new Failure("conflict", `${code}/CIRCLE`, "That would hang it below itself");
    }
    seen.add(above);
  }
}

export function categoryNamed(db: Database, name: string): CategoryRow | undefined {
  const wanted = name.toLowerCase();
  return allCategories(db).find((category) => category.name.toLowerCase() === wanted);
}

/** The name of a code by the words that it marks: on one line, and no longer than names may be. */
export function inVivoName(words: string): string {
  const line = words.replace(/\s+/g, " ").trim();
  const letters = [...line];
  return letters.length <= 100 ? line : `${letters.slice(0, 99).join("").trimEnd()}…`;
}
