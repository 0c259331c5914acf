import { type FrontmatterFact, frontmatterFacts } from "../../../text/markdown/frontmatter.ts";

export const freshnessPresetNames = [
  "realtime",
  "active",
  "recent",
  "weekly",
  "monthly",
  "quarterly",
] as const;

export type FreshnessPresetName = (typeof freshnessPresetNames)[number];

export const ageUnits = ["minutes", "hours", "days"] as const;

export interface AgeThreshold {
  value: number;
  unit: (typeof ageUnits)[number];
}

/** The ages from which a page needs a review, is stale, or is critically outdated. */
export interface AgeThresholds {
  warning: AgeThreshold;
  stale: AgeThreshold;
  critical: AgeThreshold;
}

const thresholdsIn = (
  unit: AgeThreshold["unit"],
  warning: number,
  stale: number,
  critical: number,
) => ({
  warning: { value: warning, unit },
  stale: { value: stale, unit },
  critical: { value: critical, unit },
});

export const freshnessPresets: Readonly<Record<FreshnessPresetName, AgeThresholds>> = {
  realtime: thresholdsIn("minutes", 5, 15, 30),
  active: thresholdsIn("hours", 2, 6, 12),
  recent: thresholdsIn("days", 1, 3, 7),
  weekly: thresholdsIn("days", 7, 14, 30),
  monthly: thresholdsIn("days", 30, 60, 90),
  quarterly: thresholdsIn("days", 90, 180, 365),
};

const minutesPerUnit = { minutes: 1, hours: 60, days: 1_440 };

export const thresholdMs = ({ value, unit }: AgeThreshold): number =>
  value * minutesPerUnit[unit] * 60_000;

export const freshnessLevels = ["fresh", "warning", "stale", "critical"] as const;

export type FreshnessLevel = (typeof freshnessLevels)[number];

export function freshnessLevel(
  age: number,
  { warning, stale, critical }: AgeThresholds,
): FreshnessLevel {
  if (age >= thresholdMs(critical)) return "critical";
  if (age >= thresholdMs(stale)) return "stale";
  return age >= thresholdMs(warning) ? "warning" : "fresh";
}

/** When a page was last changed or validated, and the source of that date. */
export interface LastUpdate {
  /** Milliseconds since 1970. */
  at: number;
  source: "front matter" | "git" | "file";
}

/** The front matter block that contains the dates. */
export const freshnessBlock = "documcp";

/**
 * The newest date in the front matter and git. The file's modification time is a fallback only: a
 * checkout sets it to now.
 */
export function findLastUpdate(
  lines: readonly string[],
  committed: string | undefined,
  modified: number,
): LastUpdate {
  const facts = frontmatterFacts(lines);
  const dates: LastUpdate[] = [
    ...["last_updated", "last_validated"].flatMap((key) => frontMatterDate(facts, key)),
    ...(committed === undefined ? [] : [{ at: Date.parse(committed), source: "git" as const }]),
  ];
  const [newest] = dates.filter(({ at }) => Number.isFinite(at)).sort((a, b) => b.at - a.at);
  return newest ?? { at: modified, source: "file" };
}

function frontMatterDate(facts: readonly FrontmatterFact[], key: string): LastUpdate[] {
  const value = facts.find((fact) => fact.key === `${freshnessBlock}.${key}`)?.value;
  return value === undefined ? [] : [{ at: Date.parse(value), source: "front matter" }];
}

/** Whether a page has dates in its front matter. */
export const hasFreshnessDates = (lines: readonly string[]): boolean =>
  frontmatterFacts(lines).some(({ key }) => key === `${freshnessBlock}.last_updated`);
