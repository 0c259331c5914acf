import type { PlacedRecord, RecordSet } from "./record-set.ts";

const nygard: [string, RegExp][] = [
  ["Context", /^context/i],
  ["Decision", /^decision/i],
  ["Consequences", /^consequences/i],
];
const madr: [string, RegExp][] = [
  ["Context and Problem Statement", /^context/i],
  ["Considered Options", /^considered options/i],
  ["Decision Outcome", /^decision/i],
];

/** What a record of Nygard's form has; one with another section is of another form. */
const nygardSection =
  /^(?:status|date|deciders|context|decision|consequences|notes?|links?|references|related\b.*)$/i;

/** Records of one folder are meant to have one form: where most are of Nygard's, all should be. */
export function foldersMostlyNygard({ decisions }: RecordSet): Set<string> {
  const surplus = new Map<string, number>();
  for (const { folder, format } of decisions) {
    surplus.set(folder, (surplus.get(folder) ?? 0) + (format === "nygard" ? 1 : -1));
  }
  return new Set([...surplus.keys()].filter((folder) => (surplus.get(folder) ?? 0) > 0));
}

/**
 * The sections that a record must have, by name. A form that we do not know, such as one in another
 * language, has sections of its own.
 */
export function wantedSections(
  format: PlacedRecord["format"],
  titles: readonly string[],
  isAmongNygard: boolean,
): readonly [name: string, fits: RegExp][] {
  if (format.startsWith("madr")) return madr;
  const isNygard = titles.length > 0 && titles.every((title) => nygardSection.test(title));
  return isNygard || isAmongNygard ? nygard : [];
}
