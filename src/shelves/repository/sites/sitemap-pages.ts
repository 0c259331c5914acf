import type { Call } from "../../../kernel/call.ts";
import { timeoutFailure } from "../../../kernel/failure.ts";
import { lastCommitDates, unreadableHistory } from "../../../kernel/git/git.ts";
import type { Runtime } from "../../../kernel/runtime/runtime.ts";
import { isMarkdownFile, markdownGlob } from "../../../text/software/programming-languages.ts";
import { compareText } from "../../../text/strings/compare-text.ts";
import { findPages, visitPages } from "../pages/page-set.ts";
import { createRepoTree } from "../repo/repo-tree.ts";
import { detectDocsSite } from "./docs-site.ts";
import { resolveSitePage } from "./sitemap.ts";
import type { ParsedSitemapEntry, SitemapEntry, SitemapProblem } from "./sitemap-format.ts";

/** Which pages to include, and which fields to write. */
export interface SitemapPageOptions {
  docsPath: string;
  includePatterns?: string[] | undefined;
  excludePatterns?: string[] | undefined;
  updateFrequency?: string | undefined;
  useGitHistory: boolean;
}

/** The sorted addresses of all pages, and the number of pages that the site does not show. */
export async function collectSitemapEntries(
  state: Pick<Runtime, "boundary" | "settings">,
  options: SitemapPageOptions,
  base: string,
  call: Call,
): Promise<{ entries: SitemapEntry[]; skipped: number }> {
  const documentation = await findPages(state, options.docsPath, call, {
    pattern: options.includePatterns?.join(",") || markdownGlob,
    ignore: options.excludePatterns ?? [],
  });
  const { root, relativeFolder, folder } = documentation;
  const site = detectDocsSite(state.boundary, createRepoTree(root, state.boundary), relativeFolder);
  const history = options.useGitHistory
    ? await lastCommitDates(folder, state.boundary, call.signal)
    : undefined;
  const changes = history === unreadableHistory ? undefined : history;
  const byAddress = new Map<string, SitemapEntry>();
  const pages = { ...documentation, files: documentation.files.filter(isMarkdownFile) };
  const stoppedAt = await visitPages(
    state,
    pages,
    call,
    ({ file, lines }) => {
      const relativePath = relativeFolder === "" ? file : file.slice(relativeFolder.length + 1);
      const page = resolveSitePage(relativePath, lines, site);
      if (!page) return;
      const loc = base + page.address;
      const lastmod = changes?.get(relativePath)?.slice(0, 10);
      const changefreq = options.updateFrequency;
      byAddress.set(loc, { loc, ...(lastmod && { lastmod }), ...(changefreq && { changefreq }) });
    },
    () => undefined,
  );
  // A partial sitemap would remove pages from search engines.
  if (stoppedAt !== undefined)
    throw timeoutFailure("The time limit was reached before all pages were read");
  const entries = [...byAddress.values()].sort((a, b) => compareText(a.loc, b.loc));
  return { entries, skipped: pages.files.length - byAddress.size };
}

/** Pages missing from the sitemap, and addresses without a page. */
export async function compareWithPages(
  state: Pick<Runtime, "boundary" | "settings">,
  options: SitemapPageOptions,
  base: string,
  entries: readonly ParsedSitemapEntry[],
  call: Call,
): Promise<SitemapProblem[]> {
  const { entries: pageEntries } = await collectSitemapEntries(
    state,
    { ...options, useGitHistory: false },
    base,
    call,
  );
  const listed = new Set(entries.map(({ loc }) => loc));
  const pages = new Set(pageEntries.map(({ loc }) => loc));
  const remedy = "Call manage_sitemap with action: update.";
  return [
    ...entries
      .filter(({ loc }) => loc.startsWith(base) && !pages.has(loc))
      .map(({ loc, line }) => ({
        line,
        rule: "no-page",
        message: `There is no page for '${loc}'.`,
        remedy,
      })),
    ...pageEntries
      .filter(({ loc }) => !listed.has(loc))
      .map(({ loc }) => ({
        line: 1,
        rule: "missing-page",
        message: `The page '${loc}' is not listed.`,
        remedy,
      })),
  ];
}
