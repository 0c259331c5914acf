import { type Fact, factsOf } from "../../text/frontmatter.ts";

export const presetNames = [
  "realtime",
  "active",
  "recent",
  "weekly",
  "monthly",
  "quarterly",
] as const;

export type PresetName = (typeof presetNames)[number];

export const units = ["minutes", "hours", "days"] as const;

export interface Threshold {
  value: number;
  unit: (typeof units)[number];
}

/** From which age on a page is to be looked at, is stale, and misleads. */
export interface Thresholds {
  warning: Threshold;
  stale: Threshold;
  critical: Threshold;
}

const ages = (unit: Threshold["unit"], warning: number, stale: number, critical: number) => ({
  warning: { value: warning, unit },
  stale: { value: stale, unit },
  critical: { value: critical, unit },
});

export const presets: Readonly<Record<PresetName, Thresholds>> = {
  realtime: ages("minutes", 5, 15, 30),
  active: ages("hours", 2, 6, 12),
  recent: ages("days", 1, 3, 7),
  weekly: ages("days", 7, 14, 30),
  monthly: ages("days", 30, 60, 90),
  quarterly: ages("days", 90, 180, 365),
};

const minutesOf = { minutes: 1, hours: 60, days: 1_440 };

export const millisecondsOf = ({ value, unit }: Threshold): number =>
  value * minutesOf[unit] * 60_000;

export const levels = ["fresh", "warning", "stale", "critical"] as const;

export type Level = (typeof levels)[number];

export function levelOf(age: number, { warning, stale, critical }: Thresholds): Level {
  if (age >= millisecondsOf(critical)) return "critical";
  if (age >= millisecondsOf(stale)) return "stale";
  return age >= millisecondsOf(warning) ? "warning" : "fresh";
}

/** When a page was last changed or found right, and who says so. */
export interface LastTouch {
  /** Milliseconds since 1970. */
  at: number;
  source: "front matter" | "git" | "file";
}

/** The block of the front matter in which dates are kept. */
export const block = "documcp";

/**
 * The newest that the front matter and git tell; the date of the file counts only where both are
 * silent, since a checkout makes every file new.
 */
export function lastTouch(
  lines: readonly string[],
  committed: string | undefined,
  modified: number,
): LastTouch {
  const facts = factsOf(lines);
  const dates: LastTouch[] = [
    ...["last_updated", "last_validated"].flatMap((key) => dated(facts, key)),
    ...(committed === undefined ? [] : [{ at: Date.parse(committed), source: "git" as const }]),
  ];
  const [newest] = dates.filter(({ at }) => Number.isFinite(at)).sort((a, b) => b.at - a.at);
  return newest ?? { at: modified, source: "file" };
}

function dated(facts: readonly Fact[], key: string): LastTouch[] {
  const value = facts.find((fact) => fact.key === `${block}.${key}`)?.value;
  return value === undefined ? [] : [{ at: Date.parse(value), source: "front matter" }];
}

/** Whether a page keeps dates in its front matter. */
export const keepsDates = (lines: readonly string[]): boolean =>
  factsOf(lines).some(({ key }) => key === `${block}.last_updated`);
