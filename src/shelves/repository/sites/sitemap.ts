import { posix } from "node:path";
import { type FrontmatterFact, frontmatterFacts } from "../../../text/markdown/frontmatter.ts";
import { isIndexPage } from "../content/page-kind.ts";
import { type DocsSite, normalizeAddress, stripOrderNumbers } from "./docs-site.ts";
import type { ParsedSitemapEntry, SitemapEntry } from "./sitemap-format.ts";

/** A page that a site shows. */
export interface SitePage {
  /** Relative to the folder of the pages. */
  file: string;
  /** Relative to the site's address, without a leading slash. */
  address: string;
}

/** The default URL style of each generator: `guide/`, `guide` or `guide.html`. */
const urlStyles: Readonly<Record<string, "folder" | "bare">> = {
  mkdocs: "folder",
  hugo: "folder",
  eleventy: "folder",
  astro: "folder",
  docusaurus: "bare",
  mintlify: "bare",
};

/** The page of a file; undefined if the site does not show it. */
export function resolveSitePage(
  file: string,
  lines: readonly string[],
  site: DocsSite | undefined,
): SitePage | undefined {
  const facts = frontmatterFacts(lines);
  if (isExcludedPage(file, facts)) return undefined;
  const declaredPath =
    frontMatterValue(facts, "permalink") ??
    frontMatterValue(facts, "slug") ??
    frontMatterValue(facts, "url");
  const style = urlStyles[site?.system ?? ""] ?? "html";
  const folder = posix.dirname(file) === "." ? "" : posix.dirname(file);
  if (declaredPath !== undefined) {
    const path = declaredPath.startsWith("/")
      ? declaredPath.slice(1)
      : posix.join(folder, declaredPath);
    return {
      file,
      address: encodePath(/[/.]/.test(path.slice(-5)) || style !== "folder" ? path : `${path}/`),
    };
  }
  const stem = normalizeAddress(site?.system === "docusaurus" ? stripOrderNumbers(file) : file);
  if (isIndexPage(file)) return { file, address: stem === "" ? "" : encodePath(`${stem}/`) };
  const suffix = { folder: "/", bare: "", html: ".html" }[style];
  return { file, address: encodePath(stem + suffix) };
}

/** Excludes drafts, partials, and pages hidden from search engines. */
const isExcludedPage = (file: string, facts: readonly FrontmatterFact[]): boolean =>
  file.split("/").some((name) => name.startsWith("_") && !/^_index\./.test(name)) ||
  /(^|\/)404\.[^/]+$/.test(file) ||
  ["draft", "noindex", "unlisted"].some((key) => frontMatterValue(facts, key) === "true") ||
  frontMatterValue(facts, "published") === "false";

const frontMatterValue = (facts: readonly FrontmatterFact[], key: string): string | undefined =>
  facts.find((fact) => fact.key === key && fact.value !== "")?.value;

const encodePath = (path: string): string => path.split("/").map(encodeURIComponent).join("/");

/** The changes to a sitemap, by address. */
export interface SitemapChange {
  added: string[];
  removed: string[];
  updated: string[];
}

/**
 * Updates a sitemap: adds new pages and removes deleted pages of this site. Fields that a person
 * wrote into an entry are kept.
 */
export function mergeSitemapEntries(
  oldEntries: readonly ParsedSitemapEntry[],
  newEntries: readonly SitemapEntry[],
  baseUrl: string,
): { entries: SitemapEntry[]; change: SitemapChange } {
  const oldByAddress = new Map(oldEntries.map(({ line: _, ...entry }) => [entry.loc, entry]));
  const newByAddress = new Map(newEntries.map((entry) => [entry.loc, entry]));
  const change: SitemapChange = { added: [], removed: [], updated: [] };
  const entries: SitemapEntry[] = [];
  for (const entry of newEntries) {
    const before = oldByAddress.get(entry.loc);
    const after = {
      ...entry,
      ...before,
      ...(entry.lastmod !== undefined && { lastmod: entry.lastmod }),
    };
    if (!before) change.added.push(entry.loc);
    else if (after.lastmod !== before.lastmod) change.updated.push(entry.loc);
    entries.push(after);
  }
  for (const [loc, entry] of oldByAddress) {
    if (newByAddress.has(loc)) continue;
    if (loc.startsWith(baseUrl)) change.removed.push(loc);
    else entries.push(entry);
  }
  return { entries, change };
}
