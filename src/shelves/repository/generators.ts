import * as z from "zod";

/** The site generators that the shelf can configure, by the names of the founding document. */
export const ssgNames = ["jekyll", "hugo", "docusaurus", "mkdocs", "eleventy"] as const;

export type Ssg = (typeof ssgNames)[number];

export const ssgInput = z.enum(ssgNames).describe("Site generator");

export type Ecosystem = "javascript" | "python" | "ruby" | "go";

/** What is known of a generator. Traits are between 0 and 10, as its users judge them. */
export interface Generator {
  title: string;
  ecosystem: Ecosystem;
  /** Files whose presence says that the generator is in use. */
  configs: readonly string[];
  /** Where the site is built. */
  output: string;
  traits: { simplicity: number; features: number; performance: number };
  pros: readonly string[];
  cons: readonly string[];
}

/** Where our configurations look for pages, whatever the generator's own habit. */
export const pagesFolder = "docs";

/** One name with each of several endings. */
const named = (stem: string, endings: string): string[] =>
  endings.split(" ").map((ending) => `${stem}.${ending}`);

export const generators: Readonly<Record<Ssg, Generator>> = {
  jekyll: {
    title: "Jekyll",
    ecosystem: "ruby",
    configs: named("_config", "yml yaml toml"),
    output: "_site",
    traits: { simplicity: 9, features: 5, performance: 3 },
    pros: ["GitHub Pages knows it without further tools", "one configuration file"],
    cons: ["needs Ruby", "builds slowly with many pages", "no search or versions of its own"],
  },
  hugo: {
    title: "Hugo",
    ecosystem: "go",
    configs: [
      ...named("hugo", "toml yaml yml json"),
      "config/_default/hugo.toml",
      "config/_default/config.toml",
    ],
    output: "public",
    traits: { simplicity: 6, features: 7, performance: 10 },
    pros: ["one program without dependencies", "builds thousands of pages in seconds"],
    cons: ["templates in Go's own language", "themes differ in quality"],
  },
  docusaurus: {
    title: "Docusaurus",
    ecosystem: "javascript",
    configs: named("docusaurus.config", "js ts mjs cjs"),
    output: "build",
    traits: { simplicity: 5, features: 10, performance: 6 },
    pros: ["versions, translations and a sidebar are built in", "pages may hold React components"],
    cons: ["needs Node and many packages", "more than a few pages need"],
  },
  mkdocs: {
    title: "MkDocs",
    ecosystem: "python",
    configs: named("mkdocs", "yml yaml"),
    output: "site",
    traits: { simplicity: 8, features: 7, performance: 6 },
    pros: ["plain Markdown with search built in", "one configuration file"],
    cons: ["needs Python", "versions need another tool"],
  },
  eleventy: {
    title: "Eleventy",
    ecosystem: "javascript",
    configs: [".eleventy.js", ...named("eleventy.config", "js mjs cjs ts")],
    output: "_site",
    traits: { simplicity: 8, features: 5, performance: 8 },
    pros: ["small, and sends no script to the reader", "leaves the layout to you"],
    cons: ["needs Node", "navigation and search are yours to make"],
  },
};

/** Folders in which a repository keeps its site, beside its root. */
export const siteFolders = ["", "docs", "website", "site", "documentation"] as const;
