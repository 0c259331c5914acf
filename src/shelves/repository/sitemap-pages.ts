import type { Call } from "../../kernel/call.ts";
import { outOfTime } from "../../kernel/failure.ts";
import { lastChanges, unreadableHistory } from "../../kernel/git.ts";
import type { House } from "../../kernel/house.ts";
import { byLetters } from "../../text/by-letters.ts";
import { isMarkdown, markdownGlob } from "../../text/languages.ts";
import { documentationAt, throughPages } from "./doc-pages.ts";
import { siteOf } from "./docs-site.ts";
import { openTree } from "./repository-tree.ts";
import { sitePage } from "./sitemap.ts";
import type { ReadEntry, SitemapEntry, SitemapProblem } from "./sitemap-protocol.ts";

/** Which pages are meant, and what is told of each. */
export interface AskedPages {
  docsPath: string;
  includePatterns?: string[] | undefined;
  excludePatterns?: string[] | undefined;
  updateFrequency?: string | undefined;
  useGitHistory: boolean;
}

/** The addresses of all pages, in their order, and how many pages the site does not show. */
export async function siteEntries(
  state: Pick<House, "boundary" | "settings">,
  asked: AskedPages,
  base: string,
  call: Call,
): Promise<{ entries: SitemapEntry[]; skipped: number }> {
  const documentation = await documentationAt(state, asked.docsPath, call, {
    pattern: asked.includePatterns?.join(",") || markdownGlob,
    ignore: asked.excludePatterns ?? [],
  });
  const { root, below, folder } = documentation;
  const site = siteOf(state.boundary, openTree(root, state.boundary), below);
  const history = asked.useGitHistory
    ? await lastChanges(folder, state.boundary, call.signal)
    : undefined;
  const changes = history === unreadableHistory ? undefined : history;
  const found = new Map<string, SitemapEntry>();
  const pages = { ...documentation, files: documentation.files.filter(isMarkdown) };
  const stoppedAt = await throughPages(
    state,
    pages,
    call,
    ({ file, lines }) => {
      const inside = below === "" ? file : file.slice(below.length + 1);
      const page = sitePage(inside, lines, site);
      if (!page) return;
      const loc = base + page.address;
      const lastmod = changes?.get(inside)?.slice(0, 10);
      const changefreq = asked.updateFrequency;
      found.set(loc, { loc, ...(lastmod && { lastmod }), ...(changefreq && { changefreq }) });
    },
    () => undefined,
  );
  // Half a sitemap would take pages out of search engines.
  if (stoppedAt !== undefined) throw outOfTime("The time was over before all pages were read");
  const entries = [...found.values()].sort((a, b) => byLetters(a.loc, b.loc));
  return { entries, skipped: pages.files.length - found.size };
}

/** Pages that the sitemap lacks, and addresses that no page has. */
export async function againstPages(
  state: Pick<House, "boundary" | "settings">,
  asked: AskedPages,
  base: string,
  entries: readonly ReadEntry[],
  call: Call,
): Promise<SitemapProblem[]> {
  const { entries: wanted } = await siteEntries(
    state,
    { ...asked, useGitHistory: false },
    base,
    call,
  );
  const known = new Set(entries.map(({ loc }) => loc));
  const pages = new Set(wanted.map(({ loc }) => loc));
  const remedy = "Call manage_sitemap with action: update.";
  return [
    ...entries
      .filter(({ loc }) => loc.startsWith(base) && !pages.has(loc))
      .map(({ loc, line }) => ({
        line,
        rule: "no-page",
        message: `No page is behind '${loc}'.`,
        remedy,
      })),
    ...wanted
      .filter(({ loc }) => !known.has(loc))
      .map(({ loc }) => ({
        line: 1,
        rule: "missing-page",
        message: `The page '${loc}' is not listed.`,
        remedy,
      })),
  ];
}
