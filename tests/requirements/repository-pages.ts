/** What the repository shelf promises of pages: links, content, README and sitemap. */
export const repositoryPages = {
  "repository.content.findings":
    "links, code, files and scripts are found wrong where they are, with evidence and a remedy",
  "repository.diataxis.findings":
    "pages of the wrong kind, empty and unfinished ones are told with their evidence",
  "repository.diataxis.install":
    "with an analysis, commands of another package manager than the project's are told",
  "repository.diataxis.kinds":
    "a kind of documentation without a page is missed, and a strict reader is told more",
  "repository.links.bounded": "results are paged, and every link is shown once",
  "repository.links.commonmark": "links, headings and code are found as CommonMark has them",
  "repository.links.formats": "a caller chooses numbers, problems or every link",
  "repository.links.hostile": "no file of a repository breaks the check of the others",
  "repository.links.ignored": "patterns leave links out, and a bad one is named",
  "repository.links.offline":
    "outside links are skipped until a person and the caller both allow them",
  "repository.links.outside": "answers of the web are told apart, and redirects are followed",
  "repository.links.partial": "a call that is over gives what it has and says where it stopped",
  "repository.links.plain": "without a site only files and folders are there, as GitHub shows them",
  "repository.links.private": "no private network is asked, whatever a page says",
  "repository.links.proof":
    "of 2,000 pages with links of every kind, each is judged as it is: no miss, no false alarm",
  "repository.links.refusals":
    "broken links fail a call where that is wished, and a folder without pages always",
  "repository.links.remedy": "a finding names its place, what is written there and what helps",
  "repository.links.sites": "addresses of a site lead where its generator makes them lead",
  "repository.readme.absent": "a folder without a README in Markdown says so",
  "repository.readme.checks": "a README is judged by what it tells a newcomer",
  "repository.sitemap.dates": "the date of a page is that of its last commit",
  "repository.sitemap.generated":
    "a sitemap holds the addresses that the site gives its pages, and no drafts",
  "repository.sitemap.refusals": "an address that is none is refused by its parameter's name",
  "repository.sitemap.safe":
    "nothing is written in a dry run, and nothing is replaced without being asked",
  "repository.sitemap.updated": "an update adds and removes pages and keeps what a person wrote",
  "repository.sitemap.validated":
    "what breaks the protocol or does not fit the pages is told by its line",
};
