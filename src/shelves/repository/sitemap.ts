import { posix } from "node:path";
import { type Fact, factsOf } from "../../text/frontmatter.ts";
import { type DocsSite, plainAddress, unnumbered } from "./docs-site.ts";
import { isIndex } from "./page-kind.ts";
import type { ReadEntry, SitemapEntry } from "./sitemap-protocol.ts";

/** A page that a site shows. */
export interface SitePage {
  /** Relative to the folder of the pages. */
  file: string;
  /** Below the site's address, without a slash at the start. */
  address: string;
}

/** How generators name pages by themselves: `guide/`, `guide` or `guide.html`. */
const manners: Readonly<Record<string, "folder" | "bare">> = {
  mkdocs: "folder",
  hugo: "folder",
  eleventy: "folder",
  astro: "folder",
  docusaurus: "bare",
  mintlify: "bare",
};

/** The page of a file, or nothing where the site does not show it. */
export function sitePage(
  file: string,
  lines: readonly string[],
  site: DocsSite | undefined,
): SitePage | undefined {
  const facts = factsOf(lines);
  if (isHidden(file, facts)) return undefined;
  const said = saidOf(facts, "permalink") ?? saidOf(facts, "slug") ?? saidOf(facts, "url");
  const manner = manners[site?.system ?? ""] ?? "html";
  const folder = posix.dirname(file) === "." ? "" : posix.dirname(file);
  if (said !== undefined) {
    const place = said.startsWith("/") ? said.slice(1) : posix.join(folder, said);
    return {
      file,
      address: encoded(/[/.]/.test(place.slice(-5)) || manner !== "folder" ? place : `${place}/`),
    };
  }
  const stem = plainAddress(site?.system === "docusaurus" ? unnumbered(file) : file);
  if (isIndex(file)) return { file, address: stem === "" ? "" : encoded(`${stem}/`) };
  const ending = { folder: "/", bare: "", html: ".html" }[manner];
  return { file, address: encoded(stem + ending) };
}

/** Drafts, parts of other pages, and what a search engine shall not know. */
const isHidden = (file: string, facts: readonly Fact[]): boolean =>
  file.split("/").some((name) => name.startsWith("_") && !/^_index\./.test(name)) ||
  /(^|\/)404\.[^/]+$/.test(file) ||
  ["draft", "noindex", "unlisted"].some((key) => saidOf(facts, key) === "true") ||
  saidOf(facts, "published") === "false";

const saidOf = (facts: readonly Fact[], key: string): string | undefined =>
  facts.find((fact) => fact.key === key && fact.value !== "")?.value;

const encoded = (path: string): string => path.split("/").map(encodeURIComponent).join("/");

/** What would change in a sitemap, by addresses. */
export interface SitemapChange {
  added: string[];
  removed: string[];
  updated: string[];
}

/**
 * A sitemap brought up to date: pages that are new come in, pages of this site that are gone go out,
 * and what a person wrote into an entry stays.
 */
export function updatedEntries(
  old: readonly ReadEntry[],
  fresh: readonly SitemapEntry[],
  baseUrl: string,
): { entries: SitemapEntry[]; change: SitemapChange } {
  const known = new Map(old.map(({ line: _, ...entry }) => [entry.loc, entry]));
  const wanted = new Map(fresh.map((entry) => [entry.loc, entry]));
  const change: SitemapChange = { added: [], removed: [], updated: [] };
  const entries: SitemapEntry[] = [];
  for (const entry of fresh) {
    const before = known.get(entry.loc);
    const after = {
      ...entry,
      ...before,
      ...(entry.lastmod !== undefined && { lastmod: entry.lastmod }),
    };
    if (!before) change.added.push(entry.loc);
    else if (after.lastmod !== before.lastmod) change.updated.push(entry.loc);
    entries.push(after);
  }
  for (const [loc, entry] of known) {
    if (wanted.has(loc)) continue;
    if (loc.startsWith(baseUrl)) change.removed.push(loc);
    else entries.push(entry);
  }
  return { entries, change };
}
