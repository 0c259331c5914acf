/** Requirements of the repository shelf: links, content, README and sitemap. */
export const repositoryPages = {
  "repository.content.findings":
    "wrong links, code, files and scripts are reported with location, evidence and remedy",
  "repository.diataxis.findings":
    "misplaced, empty and unfinished pages are reported with evidence",
  "repository.diataxis.install":
    "with an analysis, install commands of another package manager are reported",
  "repository.diataxis.kinds":
    "a missing documentation kind is reported, and strict mode reports more",
  "repository.links.bounded": "results are paged, and every link is listed once",
  "repository.links.commonmark": "links, headings and code are parsed according to CommonMark",
  "repository.links.formats": "the caller can request counts, problems or every link",
  "repository.links.hostile": "a hostile file does not affect the check of the others",
  "repository.links.ignored": "ignore patterns exclude links, and an invalid one is named",
  "repository.links.offline":
    "external links are skipped unless both the person and the caller allow them",
  "repository.links.outside": "HTTP responses are classified, and redirects are followed",
  "repository.links.partial": "an interrupted call returns its partial result and where it stopped",
  "repository.links.plain": "without a site, links resolve to files and folders as on GitHub",
  "repository.links.private": "no request is sent to a private network",
  "repository.links.proof":
    "in 2,000 pages with links of every kind, each link is classified correctly",
  "repository.links.refusals":
    "broken links fail the call on request, and a folder without pages always does",
  "repository.links.remedy": "a finding has its location, the link as written and a remedy",
  "repository.links.sites": "site URLs resolve as the site generator resolves them",
  "repository.readme.absent": "a folder without a Markdown README is reported",
  "repository.readme.checks": "a README is checked for what a new user needs",
  "repository.sitemap.dates": "a page's date is that of its last commit",
  "repository.sitemap.generated": "a sitemap contains the site's page URLs, without drafts",
  "repository.sitemap.refusals": "an invalid URL is refused under its parameter's name",
  "repository.sitemap.safe":
    "a dry run writes nothing, and nothing is overwritten unless requested",
  "repository.sitemap.updated": "an update adds and removes pages and keeps manual entries",
  "repository.sitemap.validated":
    "protocol violations and mismatches with the pages are reported by line",
};
