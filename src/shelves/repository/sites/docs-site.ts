import { posix } from "node:path";
import type { Boundary } from "../../../kernel/paths/boundary.ts";
import type { FrontmatterFact } from "../../../text/markdown/frontmatter.ts";
import type { MarkdownFlavour } from "../../../text/markdown/leaf-blocks.ts";
import { readRepositoryText } from "../repo/file-text.ts";
import type { RepoTree } from "../repo/repo-tree.ts";
import { siteGenerators } from "./site-generators.ts";

/** The site that pages are built into, if one is configured. */
export interface DocsSite {
  system: string;
  /** The configuration, relative to the repository. */
  config: string;
  /** Folders against which root-relative addresses are resolved, most likely first. */
  rootFolders: string[];
  /** The path prefix of all addresses: `/project`, or empty. */
  prefix: string;
}

/** Configuration files of generators that this shelf detects but cannot configure. */
const otherSystemConfigs: Readonly<Record<string, readonly string[]>> = {
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

/** Conventional folders of pages and static files. */
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

/**
 * Searches for a configuration next to the pages and in each folder above, up to the repository.
 */
export function detectDocsSite(
  boundary: Boundary,
  tree: RepoTree,
  docs: string,
): DocsSite | undefined {
  const allConfigs = {
    ...Object.fromEntries(
      Object.entries(siteGenerators).map(([name, { configs }]) => [name, configs]),
    ),
    ...otherSystemConfigs,
  };
  for (let folder = docs; ; folder = posix.dirname(folder)) {
    const siteRoot = folder === "." ? "" : folder;
    for (const [system, configs] of Object.entries(allConfigs)) {
      const config = configs.map((name) => posix.join(siteRoot, name)).find(exists);
      if (config === undefined) continue;
      const rootFolders = [
        docs,
        siteRoot,
        ...innerFolders.map((name) => posix.join(siteRoot, name)),
      ];
      const prefix = findUrlPrefix(readRepositoryText(boundary, tree.root, config) ?? "");
      return { system, config, rootFolders: [...new Set(rootFolders)], prefix };
    }
    if (siteRoot === "") return undefined;
  }

  function exists(path: string): boolean {
    const { kind } = tree.lookup(path);
    return kind === "file" || kind === "folder";
  }
}

const findUrlPrefix = (config: string): string =>
  /\bbase(?:Url|URL|url)?["']?\s*[:=]\s*["'](\/[^"'\s]*?)\/?["']/.exec(config)?.[1] ?? "";

/** Whether a generator creates this path without a source file. */
export const isGeneratedPath = (path: string): boolean =>
  /(^|\/)(tags?|category|categories|blog\/(archive|page|tags)|search|404)(\/|\.html|$)|(^|\/)(rss|atom|feed|sitemap)(\.xml|\/|$)/i.test(
    path,
  );

/** Names of index pages. */
const indexNames = /(^|\/)(index|readme|_index)$/i;

/** Normalizes an address for comparison: without outer slashes, extension and index name. */
export const normalizeAddress = (path: string): string =>
  path
    .replace(/^\/+|(?<!\/)\/+$/g, "")
    .replace(/\.(html?|mdx?|markdown|mkd)$/i, "")
    .replace(indexNames, "")
    .replace(/^(\.\/)+/, "");

/** Docusaurus sorts pages by number prefixes that are not part of their addresses. */
export const stripOrderNumbers = (file: string): string =>
  file.replace(/(^|\/)\d+\s*[-_.]+\s*(?=[^/])/g, "$1");

/** Every address of a page, including those in its front matter. */
export function* pageAddresses(file: string, facts: readonly FrontmatterFact[]): Generator<string> {
  const folder = posix.dirname(file) === "." ? "" : posix.dirname(file);
  yield normalizeAddress(file);
  if (stripOrderNumbers(file) !== file) yield normalizeAddress(stripOrderNumbers(file));
  for (const { key, value } of facts) {
    if (/^(slug|permalink|url|aliases|redirect_from|id)$/.test(key)) {
      yield normalizeAddress(value.startsWith("/") ? value : posix.join(folder, value));
    }
  }
}

/** The Markdown dialect of a page in a site. */
export const markdownFlavour = (file: string, site: DocsSite | undefined): MarkdownFlavour => ({
  isMdx: /\.mdx$/i.test(file),
  hasAdmonitions: site?.system === "mkdocs",
});
