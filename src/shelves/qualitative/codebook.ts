import type { Database } from "../../kernel/database.ts";
import { Failure } from "../../kernel/failure.ts";
import { fold } from "../../text/folding.ts";
import { likeness } from "../../text/likeness.ts";
import { sharedPassages } from "./qda/storage-codebook.ts";
import type { CategoryRow, CodeRow } from "./qda/storage-codes.ts";
import { allCategories, allCodes } from "./qda/storage-codes.ts";

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
  const shared = new Map(
    sharedPassages(db).map((row) => [`${row.one} ${row.other}`, row.ofOne + row.ofOther]),
  );
  const found: Twins[] = [];
  for (const [place, one] of codes.entries()) {
    for (const other of codes.slice(place + 1)) {
      const key = [one.id, other.id].sort((a, b) => a - b).join(" ");
      const both = one.segments + other.segments;
      const passages = both === 0 ? 0 : Math.min((shared.get(key) ?? 0) / both, 1);
      const names = likeNames(one.name, other.name);
      if (Math.max(names, passages) >= threshold) found.push({ one, other, names, passages });
    }
  }
  return found.sort(
    (a, b) => Math.max(b.names, b.passages) - Math.max(a.names, a.passages) || a.one.id - b.one.id,
  );
}

/** Names are the same whatever the order of their words, their case and their accents. */
function likeNames(one: string, other: string): number {
  const [first, second] = [one, other].map((name) =>
    (fold(name).match(/[\p{L}\p{N}]+/gu) ?? []).sort().join(" "),
  );
  return first === second && first !== "" ? 1 : likeness(first ?? "", second ?? "");
}

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
