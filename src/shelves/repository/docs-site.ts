import { posix } from "node:path";
import type { Boundary } from "../../kernel/boundary.ts";
import type { Fact } from "../../text/frontmatter.ts";
import type { Flavour } from "../../text/markdown/leaves.ts";
import { textOf } from "./file-text.ts";
import { generators } from "./generators.ts";
import type { RepositoryTree } from "./repository-tree.ts";

/** The site that pages are made into, where a configuration says so. */
export interface DocsSite {
  system: string;
  /** The configuration, relative to the repository. */
  config: string;
  /** Folders in which an address that begins with a slash is looked for, the likeliest first. */
  tops: string[];
  /** What the addresses of the whole site begin with: `/project`, or nothing. */
  prefix: string;
}

/** Systems beside those that the shelf can configure, by what is found where they are used. */
const others: Readonly<Record<string, readonly string[]>> = {
  vitepress: [".vitepress"],
  vuepress: [".vuepress"],
  mdbook: ["book.toml"],
  sphinx: ["conf.py"],
  astro: ["astro.config.mjs", "astro.config.ts", "astro.config.js"],
  antora: ["antora.yml"],
  quarto: ["_quarto.yml"],
  mintlify: ["mint.json", "docs.json"],
  docsify: [".docsifyrc"],
};

/** Where generators keep pages, and files that are served as they are. */
const innerFolders = [
  "docs",
  "content",
  "src",
  "src/content/docs",
  "src/pages",
  "pages",
  "static",
  "public",
  "docs/public",
  "assets",
  ".vuepress/public",
];

/** Looks for a configuration beside the pages and in each folder above, up to the repository. */
export function siteOf(
  boundary: Boundary,
  tree: RepositoryTree,
  docs: string,
): DocsSite | undefined {
  const known = {
    ...Object.fromEntries(Object.entries(generators).map(([name, { configs }]) => [name, configs])),
    ...others,
  };
  for (let folder = docs; ; folder = posix.dirname(folder)) {
    const place = folder === "." ? "" : folder;
    for (const [system, configs] of Object.entries(known)) {
      const config = configs.map((name) => posix.join(place, name)).find(isThere);
      if (config === undefined) continue;
      const tops = [docs, place, ...innerFolders.map((name) => posix.join(place, name))];
      const prefix = prefixIn(textOf(boundary, tree.root, config) ?? "");
      return { system, config, tops: [...new Set(tops)], prefix };
    }
    if (place === "") return undefined;
  }

  function isThere(path: string): boolean {
    const { kind } = tree.at(path);
    return kind === "file" || kind === "folder";
  }
}

const prefixIn = (config: string): string =>
  /\bbase(?:Url|URL|url)?["']?\s*[:=]\s*["'](\/[^"'\s]*?)\/?["']/.exec(config)?.[1] ?? "";

/** What a generator makes by itself, so that no file of the repository is behind it. */
export const isMadeBySite = (path: string): boolean =>
  /(^|\/)(tags?|category|categories|blog\/(archive|page|tags)|search|404)(\/|\.html|$)|(^|\/)(rss|atom|feed|sitemap)(\.xml|\/|$)/i.test(
    path,
  );

/** Names that a folder's own page has. */
const indexNames = /(^|\/)(index|readme|_index)$/i;

/** An address as it is compared: without slashes around it, the ending and the index's name. */
export const plainAddress = (path: string): string =>
  path
    .replace(/^\/+|(?<!\/)\/+$/g, "")
    .replace(/\.(html?|mdx?|markdown|mkd)$/i, "")
    .replace(indexNames, "")
    .replace(/^(\.\/)+/, "");

/** Docusaurus orders pages by numbers that are not part of their addresses. */
export const unnumbered = (file: string): string =>
  file.replace(/(^|\/)\d+\s*[-_.]+\s*(?=[^/])/g, "$1");

/** Every address that a page answers to beside its file's own name. */
export function* addressesOf(file: string, facts: readonly Fact[]): Generator<string> {
  const folder = posix.dirname(file) === "." ? "" : posix.dirname(file);
  yield plainAddress(file);
  if (unnumbered(file) !== file) yield plainAddress(unnumbered(file));
  for (const { key, value } of facts) {
    if (/^(slug|permalink|url|aliases|redirect_from|id)$/.test(key)) {
      yield plainAddress(value.startsWith("/") ? value : posix.join(folder, value));
    }
  }
}

/** What the pages of a site are written in. */
export const flavourOf = (file: string, site: DocsSite | undefined): Flavour => ({
  isMdx: /\.mdx$/i.test(file),
  hasAdmonitions: site?.system === "mkdocs",
});
