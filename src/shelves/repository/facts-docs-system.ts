import { folderOf, nameOf } from "./folders.ts";
import type { Sight } from "./sight.ts";

export interface DocsSystem {
  system: string;
  /** The file that sets it up. */
  config: string;
}

/** Generators by the file that sets them up. Where several are there, the first of these is meant. */
const byConfig: readonly [string, RegExp][] = [
  ["docusaurus", /(^|\/)docusaurus\.config\.[cm]?[jt]s$/],
  ["vitepress", /(^|\/)\.vitepress\/config\.[cm]?[jt]s$/],
  ["vuepress", /(^|\/)\.vuepress\/config\.[cm]?[jt]s$/],
  ["mdbook", /(^|\/)book\.toml$/],
  ["mkdocs", /(^|\/)mkdocs([.-][\w-]+)?\.ya?ml$/],
  ["zensical", /(^|\/)zensical\.toml$/],
  ["sphinx", /^([^/]+\/)?(docs?|documentation|sphinx)(\/(source|src|sphinx|en))?\/conf\.py$/i],
  ["antora", /(^|\/)antora(-playbook)?\.yml$/],
  ["hugo", /(^|\/)hugo\.(toml|ya?ml|json)$/],
  ["eleventy", /(^|\/)(\.eleventy|eleventy\.config)\.[cm]?[jt]s$/],
  ["gitbook", /(^|\/)\.gitbook\.ya?ml$/],
  ["mintlify", /(^|\/)mint\.json$/],
  ["docfx", /(^|\/)docfx\.json$/],
  ["quarto", /(^|\/)_quarto\.ya?ml$/],
  ["pkgdown", /(^|\/)_?pkgdown\.ya?ml$/],
  ["jupyter-book", /(^|\/)(_toc|myst)\.ya?ml$/],
  ["writerside", /(^|\/)writerside\.cfg$/],
  ["docsify", /^(docs\/)?_(sidebar|coverpage)\.md$/],
  ["jekyll", /^(docs?|site|website)\/_config\.ya?ml$/],
  ["doxygen", /(^|\/)Doxyfile(\.in)?$/],
  ["documenter", /^docs\/make\.jl$/],
  ["docc", /\.docc\/[^/]+\.md$/],
];

/** A word of each name above, so that most files are asked no further. */
const named =
  /conf|book\.toml|mkdocs|zensical|antora|hugo|eleventy|mint\.json|docfx|quarto|pkgdown|_toc|myst|writerside|_sidebar|_coverpage|Doxyfile|make\.jl|\.docc\//;

/** Generators that are known by what the project, or its site, depends on. */
const byDependency: readonly [string, string][] = [
  ["@astrojs/starlight", "starlight"],
  ["nextra", "nextra"],
  ["fumadocs-core", "fumadocs"],
  ["@docusaurus/core", "docusaurus"],
  ["vitepress", "vitepress"],
  ["ex_doc", "ex_doc"],
];

/** A configuration deeper than this belongs to something within the project. */
const deepest = 3;
/** Pages that are sources among sources lie deeper, and in folders that are named for them. */
const amongSources = /(^|\/)src\/docs\/antora\/antora\.yml$/;

export function docsSystemOf(sight: Sight): DocsSystem | undefined {
  const { files, roleOf, manifests } = sight;
  const isFrom = (path: string): boolean => {
    const role = roleOf(folderOf(path));
    return !role.vendored && !role.sample && role.tests === undefined;
  };
  const near = files
    .map(({ path }) => path)
    .filter((path) => path.split("/").length <= deepest + 1 || amongSources.test(path))
    .filter(isFrom);
  const likely = near.filter((path) => named.test(path));
  for (const [system, pattern] of byConfig) {
    const config = likely.filter((path) => pattern.test(path)).sort(byDepth)[0];
    if (config !== undefined) return { system, config };
  }
  // Records of decisions are the least that a project documents itself by.
  return withoutConfig(near, manifests) ?? recordsOf(near);
}

const keepers: readonly [string, RegExp][] = [
  ["log4brains (ADR)", /^\.log4brains\.ya?ml$/],
  ["adr-tools (ADR)", /^\.adr-dir$/],
];

function recordsOf(near: readonly string[]): DocsSystem | undefined {
  for (const [system, pattern] of keepers) {
    const config = near.find((path) => pattern.test(path));
    if (config !== undefined) return { system, config };
  }
  return undefined;
}

function withoutConfig(
  near: readonly string[],
  manifests: Sight["manifests"],
): DocsSystem | undefined {
  for (const [dependency, system] of byDependency) {
    const placed = manifests.find(({ said }) =>
      [...(said?.dependencies ?? []), ...(said?.devDependencies ?? [])].includes(dependency),
    );
    if (placed) return { system, config: placed.file };
  }
  const has = (pattern: RegExp): boolean => near.some((path) => pattern.test(path));
  // Names that anybody may use count beside a generator's own folders.
  const older = near.find((path) => /^([^/]+\/)?config\.(toml|ya?ml)$/.test(path));
  if (
    older !== undefined &&
    has(/^([^/]+\/)?(archetypes|layouts)\//) &&
    has(/^([^/]+\/)?content\//)
  ) {
    return { system: "hugo", config: older };
  }
  const jekyll = near.find((path) => path === "_config.yml" || path === "_config.yaml");
  if (jekyll !== undefined && has(/^(_layouts|_posts|_includes|index\.(md|html)$|Gemfile$)/)) {
    return { system: "jekyll", config: jekyll };
  }
  const gitbook = near.find((path) => nameOf(path) === "book.json");
  return gitbook !== undefined && has(/(^|\/)SUMMARY\.md$/)
    ? { system: "gitbook", config: gitbook }
    : undefined;
}

/** What lies nearer to the top speaks for the project. */
const byDepth = (a: string, b: string): number =>
  a.split("/").length - b.split("/").length || (a < b ? -1 : 1);
