import { escapeXml } from "../../../text/formats/xml-escape.ts";

/** One address of a sitemap. */
export interface SitemapEntry {
  loc: string;
  lastmod?: string;
  changefreq?: string;
  priority?: string;
}

export interface ParsedSitemapEntry extends SitemapEntry {
  /** The 1-based line where its `url` starts. */
  line: number;
}

export interface SitemapProblem {
  line: number;
  rule: string;
  message: string;
  remedy: string;
}

export interface ParsedSitemap {
  entries: ParsedSitemapEntry[];
  /** True for a list of other sitemaps. */
  isIndex: boolean;
  problems: SitemapProblem[];
}

export const sitemapNamespace = "http://www.sitemaps.org/schemas/sitemap/0.9";

const sitemapKeys = ["loc", "lastmod", "changefreq", "priority"] as const;

export type SitemapKey = (typeof sitemapKeys)[number];

export const isSitemapKey = (name: string): name is SitemapKey =>
  sitemapKeys.some((key) => key === name);

export const changeFrequencies = [
  "always",
  "hourly",
  "daily",
  "weekly",
  "monthly",
  "yearly",
  "never",
] as const;

/** Limits of the sitemap protocol. */
const maxSitemapEntries = 50_000;
const maxUrlLength = 2_048;
const maxSitemapBytes = 50 * 1024 * 1024;

/** Finds violations of the sitemap protocol. */
export function validateSitemap(
  text: string,
  sitemap: ParsedSitemap,
  baseUrl: string | undefined,
): SitemapProblem[] {
  const problems = [...sitemap.problems];
  const report = (line: number, rule: string, message: string, remedy: string): void => {
    problems.push({ line, rule, message, remedy });
  };
  if (Buffer.byteLength(text) > maxSitemapBytes)
    report(
      1,
      "too-large",
      "The file is larger than 50 MB.",
      "Split it, and list the parts in a sitemap index.",
    );
  if (sitemap.entries.length > maxSitemapEntries)
    report(
      1,
      "too-many",
      `It has ${sitemap.entries.length} addresses.`,
      `Split it: ${maxSitemapEntries} are allowed.`,
    );
  const firstLines = new Map<string, number>();
  for (const { loc, lastmod, changefreq, priority, line } of sitemap.entries) {
    const firstLine = firstLines.get(loc);
    if (firstLine === undefined) firstLines.set(loc, line);
    else if (loc !== "")
      report(line, "duplicate", `'${loc}' is already in line ${firstLine}.`, "Remove one of them.");
    if (loc === "") report(line, "no-loc", "An entry has no address.", "Give it a 'loc'.");
    else if (!URL.canParse(loc) || !/^https?:$/.test(new URL(loc).protocol)) {
      report(
        line,
        "not-absolute",
        `'${loc}' is not a full address.`,
        "Write it with https:// and the host.",
      );
    } else if (loc.length >= maxUrlLength)
      report(
        line,
        "too-long",
        "The address is too long.",
        `Keep it below ${maxUrlLength} characters.`,
      );
    else if (baseUrl !== undefined && !loc.startsWith(baseUrl)) {
      report(
        line,
        "other-site",
        `'${loc}' does not begin with '${baseUrl}'.`,
        "A sitemap may list only addresses of its own site.",
      );
    }
    if (lastmod !== undefined && !isDate(lastmod))
      report(line, "lastmod", `'${lastmod}' is not a date.`, "Write it as 2020-12-31.");
    if (changefreq !== undefined && !changeFrequencies.some((one) => one === changefreq)) {
      report(
        line,
        "changefreq",
        `'${changefreq}' is not a frequency.`,
        `Use one of ${changeFrequencies.join(", ")}.`,
      );
    }
    if (priority !== undefined && !/^(0(\.\d+)?|1(\.0+)?)$/.test(priority)) {
      report(
        line,
        "priority",
        `'${priority}' is not a priority.`,
        "Write a number from 0.0 to 1.0.",
      );
    }
  }
  return problems.sort((a, b) => a.line - b.line);
}

const isDate = (text: string): boolean =>
  /^\d{4}(-\d\d(-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?)?)?$/.test(text) &&
  !Number.isNaN(Date.parse(text));

/** Deterministic: equal entries give equal text. */
export function renderSitemap(entries: readonly SitemapEntry[]): string {
  const rows = entries.map((entry) => {
    const fields = sitemapKeys.flatMap((key) => {
      const value = entry[key];
      return value === undefined ? [] : [`    <${key}>${escapeXml(value)}</${key}>`];
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
