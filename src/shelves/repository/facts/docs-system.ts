import { baseNameOf, parentFolder } from "../../../text/strings/relative-path.ts";
import type { RepoModel } from "../repo/repo-model.ts";

export interface DocsSystem {
  system: string;
  /** Its configuration file. */
  config: string;
}

/** Generators by their configuration file. If there are several, the first in this list wins. */
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

/** A cheap prefilter: a part of each name above. */
const configNameHint =
  /conf|book\.toml|mkdocs|zensical|antora|hugo|eleventy|mint\.json|docfx|quarto|pkgdown|_toc|myst|writerside|_sidebar|_coverpage|Doxyfile|make\.jl|\.docc\//;

/** Generators detected by a dependency of the project or its site. */
const byDependency: readonly [string, string][] = [
  ["@astrojs/starlight", "starlight"],
  ["nextra", "nextra"],
  ["fumadocs-core", "fumadocs"],
  ["@docusaurus/core", "docusaurus"],
  ["vitepress", "vitepress"],
  ["ex_doc", "ex_doc"],
];

/** A deeper configuration file belongs to something within the project. */
const maxConfigDepth = 3;
/** Antora pages among sources are deeper, in conventional folders. */
const amongSources = /(^|\/)src\/docs\/antora\/antora\.yml$/;

export function detectDocsSystem(model: RepoModel): DocsSystem | undefined {
  const { files, roleOf, manifests } = model;
  const isOwn = (path: string): boolean => {
    const role = roleOf(parentFolder(path));
    return !role.vendored && !role.sample && role.tests === undefined;
  };
  const nearPaths = files
    .map(({ path }) => path)
    .filter((path) => path.split("/").length <= maxConfigDepth + 1 || amongSources.test(path))
    .filter(isOwn);
  const candidates = nearPaths.filter((path) => configNameHint.test(path));
  for (const [system, pattern] of byConfig) {
    const config = candidates.filter((path) => pattern.test(path)).sort(byDepth)[0];
    if (config !== undefined) return { system, config };
  }
  // Decision record tools are the last resort.
  return detectWithoutConfig(nearPaths, manifests) ?? detectAdrTool(nearPaths);
}

const adrTools: readonly [string, RegExp][] = [
  ["log4brains (ADR)", /^\.log4brains\.ya?ml$/],
  ["adr-tools (ADR)", /^\.adr-dir$/],
];

function detectAdrTool(nearPaths: readonly string[]): DocsSystem | undefined {
  for (const [system, pattern] of adrTools) {
    const config = nearPaths.find((path) => pattern.test(path));
    if (config !== undefined) return { system, config };
  }
  return undefined;
}

function detectWithoutConfig(
  nearPaths: readonly string[],
  manifests: RepoModel["manifests"],
): DocsSystem | undefined {
  for (const [dependency, system] of byDependency) {
    const located = manifests.find(({ manifest }) =>
      [...(manifest?.dependencies ?? []), ...(manifest?.devDependencies ?? [])].includes(
        dependency,
      ),
    );
    if (located) return { system, config: located.file };
  }
  const has = (pattern: RegExp): boolean => nearPaths.some((path) => pattern.test(path));
  // Common file names count only next to a generator's own folders.
  const hugoConfig = nearPaths.find((path) => /^([^/]+\/)?config\.(toml|ya?ml)$/.test(path));
  if (
    hugoConfig !== undefined &&
    has(/^([^/]+\/)?(archetypes|layouts)\//) &&
    has(/^([^/]+\/)?content\//)
  ) {
    return { system: "hugo", config: hugoConfig };
  }
  const jekyll = nearPaths.find((path) => path === "_config.yml" || path === "_config.yaml");
  if (jekyll !== undefined && has(/^(_layouts|_posts|_includes|index\.(md|html)$|Gemfile$)/)) {
    return { system: "jekyll", config: jekyll };
  }
  const gitbook = nearPaths.find((path) => baseNameOf(path) === "book.json");
  return gitbook !== undefined && has(/(^|\/)SUMMARY\.md$/)
    ? { system: "gitbook", config: gitbook }
    : undefined;
}

/** Files closer to the root come first. */
const byDepth = (a: string, b: string): number =>
  a.split("/").length - b.split("/").length || (a < b ? -1 : 1);
