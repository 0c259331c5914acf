import type { PlacedRecord, RecordSet } from "./record-set.ts";

const nygardSections: [string, RegExp][] = [
  ["Context", /^context/i],
  ["Decision", /^decision/i],
  ["Consequences", /^consequences/i],
];
const madrSections: [string, RegExp][] = [
  ["Context and Problem Statement", /^context/i],
  ["Considered Options", /^considered options/i],
  ["Decision Outcome", /^decision/i],
];

/** The sections of Nygard's format; a record with any other section has another format. */
const nygardSectionPattern =
  /^(?:status|date|deciders|context|decision|consequences|notes?|links?|references|related\b.*)$/i;

/** Folders in which most records have Nygard's format; all their records are expected to. */
export function findNygardFolders({ decisions }: RecordSet): Set<string> {
  const balance = new Map<string, number>();
  for (const { folder, format } of decisions) {
    balance.set(folder, (balance.get(folder) ?? 0) + (format === "nygard" ? 1 : -1));
  }
  return new Set([...balance.keys()].filter((folder) => (balance.get(folder) ?? 0) > 0));
}

/**
 * The sections that a record must have, by name. An unknown format, such as one in another
 * language, has none.
 */
export function requiredSections(
  format: PlacedRecord["format"],
  titles: readonly string[],
  isAmongNygard: boolean,
): readonly [name: string, fits: RegExp][] {
  if (format.startsWith("madr")) return madrSections;
  const isNygard = titles.length > 0 && titles.every((title) => nygardSectionPattern.test(title));
  return isNygard || isAmongNygard ? nygardSections : [];
}
