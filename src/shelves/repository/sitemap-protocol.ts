import { inMarkup } from "../../text/markup.ts";

/** One address of a sitemap. */
export interface SitemapEntry {
  loc: string;
  lastmod?: string;
  changefreq?: string;
  priority?: string;
}

export interface ReadEntry extends SitemapEntry {
  /** Where its `url` begins, counted from one. */
  line: number;
}

export interface SitemapProblem {
  line: number;
  rule: string;
  message: string;
  remedy: string;
}

export interface ReadSitemap {
  entries: ReadEntry[];
  /** True for a list of other sitemaps. */
  isIndex: boolean;
  problems: SitemapProblem[];
}

export const sitemapNamespace = "http://www.sitemaps.org/schemas/sitemap/0.9";

const keys = ["loc", "lastmod", "changefreq", "priority"] as const;

export type SitemapKey = (typeof keys)[number];

export const isSitemapKey = (name: string): name is SitemapKey => keys.some((key) => key === name);

export const changeFrequencies = [
  "always",
  "hourly",
  "daily",
  "weekly",
  "monthly",
  "yearly",
  "never",
] as const;

/** The most that the protocol of sitemaps allows. */
const mostEntries = 50_000;
const longestAddress = 2_048;
const mostBytes = 50 * 1024 * 1024;

/** What breaks the protocol of sitemaps. */
export function sitemapProblems(
  text: string,
  read: ReadSitemap,
  baseUrl: string | undefined,
): SitemapProblem[] {
  const found = [...read.problems];
  const say = (line: number, rule: string, message: string, remedy: string): void => {
    found.push({ line, rule, message, remedy });
  };
  if (Buffer.byteLength(text) > mostBytes)
    say(
      1,
      "too-large",
      "It has more than 50 MB.",
      "Split it, and list the parts in a sitemap index.",
    );
  if (read.entries.length > mostEntries)
    say(
      1,
      "too-many",
      `It has ${read.entries.length} addresses.`,
      `Split it: ${mostEntries} are allowed.`,
    );
  const first = new Map<string, number>();
  for (const { loc, lastmod, changefreq, priority, line } of read.entries) {
    const known = first.get(loc);
    if (known === undefined) first.set(loc, line);
    else if (loc !== "")
      say(line, "duplicate", `'${loc}' stands in line ${known} already.`, "Take one of them away.");
    if (loc === "") say(line, "no-loc", "An entry has no address.", "Give it a 'loc'.");
    else if (!URL.canParse(loc) || !/^https?:$/.test(new URL(loc).protocol)) {
      say(
        line,
        "not-absolute",
        `'${loc}' is no whole address.`,
        "Write it with https:// and the host.",
      );
    } else if (loc.length >= longestAddress)
      say(line, "too-long", "The address is too long.", `Keep it below ${longestAddress} letters.`);
    else if (baseUrl !== undefined && !loc.startsWith(baseUrl)) {
      say(
        line,
        "other-site",
        `'${loc}' does not begin with '${baseUrl}'.`,
        "A sitemap lists addresses of its own site.",
      );
    }
    if (lastmod !== undefined && !isDate(lastmod))
      say(line, "lastmod", `'${lastmod}' is no date.`, "Write it as 2020-12-31.");
    if (changefreq !== undefined && !changeFrequencies.some((one) => one === changefreq)) {
      say(
        line,
        "changefreq",
        `'${changefreq}' is no frequency.`,
        `Choose of ${changeFrequencies.join(", ")}.`,
      );
    }
    if (priority !== undefined && !/^(0(\.\d+)?|1(\.0+)?)$/.test(priority)) {
      say(line, "priority", `'${priority}' is no priority.`, "Write a number from 0.0 to 1.0.");
    }
  }
  return found.sort((a, b) => a.line - b.line);
}

const isDate = (text: string): boolean =>
  /^\d{4}(-\d\d(-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?)?)?$/.test(text) &&
  !Number.isNaN(Date.parse(text));

/** The same entries always give the same text. */
export function writeSitemap(entries: readonly SitemapEntry[]): string {
  const rows = entries.map((entry) => {
    const fields = keys.flatMap((key) => {
      const value = entry[key];
      return value === undefined ? [] : [`    <${key}>${inMarkup(value)}</${key}>`];
    });
    return ["  <url>", ...fields, "  </url>"].join("\n");
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<urlset xmlns="${sitemapNamespace}">`,
    ...rows,
    "</urlset>",
    "",
  ].join("\n");
}
