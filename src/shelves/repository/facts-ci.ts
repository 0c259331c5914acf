import { folderOf, nameOf } from "./folders.ts";
import type { Sight } from "./sight.ts";

/** Where each system for continuous integration is told what to do; all paths are from the root. */
const systems: readonly [string, RegExp][] = [
  ["appveyor", /^\.?appveyor\.ya?ml$/],
  ["aws-codebuild", /^buildspec\.ya?ml$/],
  [
    "azure-pipelines",
    /^(\.azure-pipelines\/.+|\.azuredevops\/.+|\.azure\/pipelines\/.+|\.?azure-pipelines([-.].+)?)\.ya?ml$/,
  ],
  ["bitbucket-pipelines", /^bitbucket-pipelines\.ya?ml$/],
  ["bitrise", /^bitrise\.ya?ml$/],
  ["buildkite", /^\.buildkite\/.+\.(ya?ml|json|sh)$/],
  ["builds.sr.ht", /^(\.build\.yml|\.builds\/.+\.yml)$/],
  ["circleci", /^(\.circleci\/config\.ya?ml|circle\.yml)$/],
  ["cirrus-ci", /^\.cirrus\.(ya?ml|star)$/],
  ["codefresh", /^codefresh\.ya?ml$/],
  ["codemagic", /^codemagic\.ya?ml$/],
  ["drone", /^\.drone\.(ya?ml|star|jsonnet)$/],
  ["forgejo-actions", /^\.forgejo\/workflows\/[^/]+\.ya?ml$/],
  ["gitea-actions", /^\.gitea\/workflows\/[^/]+\.ya?ml$/],
  ["github-actions", /^\.github\/workflows\/[^/]+\.ya?ml$/],
  ["gitlab-ci", /^\.gitlab-ci\.ya?ml$/],
  ["google-cloud-build", /^cloudbuild\.(ya?ml|json)$/],
  ["jenkins", /^Jenkinsfile([-.].+)?$/],
  ["semaphore", /^\.semaphore\/.+\.ya?ml$/],
  ["teamcity", /^\.teamcity\/.+\.(kts?|xml)$/],
  ["travis-ci", /^\.travis\.ya?ml$/],
  ["wercker", /^wercker\.ya?ml$/],
  ["woodpecker", /^\.woodpecker(\.ya?ml|\/.+\.ya?ml)$/],
];

export const ciSystems = ({ near }: Sight): string[] =>
  systems.filter(([, place]) => near.some((path) => place.test(path))).map(([name]) => name);

/** Made for containers: not the one that an editor opens, and none among samples. */
export const hasContainers = ({ own, roleOf }: Sight): boolean =>
  own.some(({ path }) => {
    const name = nameOf(path);
    const isContainer =
      /^(Dockerfile|Containerfile)(\..+)?$/.test(name) ||
      /\.dockerfile$/i.test(name) ||
      /^(docker-)?compose([.-][^/]+)?\.ya?ml$/.test(name);
    return isContainer && roleOf(folderOf(path)).tests === undefined;
  });

/** Translations have their language in the name: `README.zh-CN.md`. */
const readme =
  /^readme(([._-][a-z]{2}([-_][a-z]{2,4})?)?\.(md|mdx|markdown|rst|txt|adoc|asciidoc|org|html))?$/i;
const contributing = /^contributing(\.(md|markdown|rst|txt|adoc|asciidoc|org))?$/i;

/** At the top, or in the folder that is for such files. */
const isAtTop = (path: string, pattern: RegExp): boolean =>
  pattern.test(path) ||
  (path.startsWith(".github/") && pattern.test(path.slice(".github/".length)));

export const hasReadme = ({ near }: Sight): boolean => near.some((path) => isAtTop(path, readme));

export const hasContributing = ({ near }: Sight): boolean =>
  near.some(
    (path) =>
      isAtTop(path, contributing) || /^docs\/CONTRIBUTING(\.(md|rst|txt|adoc))?$/.test(path),
  );
