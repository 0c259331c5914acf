import * as z from "zod";

/** The supported site generators, named as in the founding document. */
export const ssgNames = ["jekyll", "hugo", "docusaurus", "mkdocs", "eleventy"] as const;

export type Ssg = (typeof ssgNames)[number];

export const ssgInput = z.enum(ssgNames).describe("Site generator");

export type SsgEcosystem = "javascript" | "python" | "ruby" | "go";

/** A generator. Traits are rated from 0 to 10. */
export interface SiteGenerator {
  title: string;
  ecosystem: SsgEcosystem;
  /** Files whose presence shows that the generator is in use. */
  configs: readonly string[];
  /** The folder of the built site. */
  output: string;
  traits: { simplicity: number; features: number; performance: number };
  pros: readonly string[];
  cons: readonly string[];
}

/** The pages folder of all generated configurations, which overrides the generator's default. */
export const pagesFolder = "docs";

/** A file name with each of several extensions. */
const withExtensions = (stem: string, endings: string): string[] =>
  endings.split(" ").map((ending) => `${stem}.${ending}`);

export const siteGenerators: Readonly<Record<Ssg, SiteGenerator>> = {
  jekyll: {
    title: "Jekyll",
    ecosystem: "ruby",
    configs: withExtensions("_config", "yml yaml toml"),
    output: "_site",
    traits: { simplicity: 9, features: 5, performance: 3 },
    pros: ["GitHub Pages supports it without further tools", "one configuration file"],
    cons: ["needs Ruby", "builds slowly with many pages", "no built-in search or versions"],
  },
  hugo: {
    title: "Hugo",
    ecosystem: "go",
    configs: [
      ...withExtensions("hugo", "toml yaml yml json"),
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
    configs: withExtensions("docusaurus.config", "js ts mjs cjs"),
    output: "build",
    traits: { simplicity: 5, features: 10, performance: 6 },
    pros: [
      "versions, translations and a sidebar are built in",
      "pages may contain React components",
    ],
    cons: ["needs Node and many packages", "too much for a few pages"],
  },
  mkdocs: {
    title: "MkDocs",
    ecosystem: "python",
    configs: withExtensions("mkdocs", "yml yaml"),
    output: "site",
    traits: { simplicity: 8, features: 7, performance: 6 },
    pros: ["plain Markdown with search built in", "one configuration file"],
    cons: ["needs Python", "versions need another tool"],
  },
  eleventy: {
    title: "Eleventy",
    ecosystem: "javascript",
    configs: [".eleventy.js", ...withExtensions("eleventy.config", "js mjs cjs ts")],
    output: "_site",
    traits: { simplicity: 8, features: 5, performance: 8 },
    pros: ["small, and sends no script to the reader", "leaves the layout to you"],
    cons: ["needs Node", "no built-in navigation or search"],
  },
};

/** Folders that may contain a site: the root and conventional names. */
export const siteFolders = ["", "docs", "website", "site", "documentation"] as const;
