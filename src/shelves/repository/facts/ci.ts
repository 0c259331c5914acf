import { baseNameOf, parentFolder } from "../../../text/strings/relative-path.ts";
import type { RepoModel } from "../repo/repo-model.ts";

/** The configuration files of CI systems; all paths are relative to the root. */
const ciConfigs: readonly [string, RegExp][] = [
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

export const detectCi = ({ shallowPaths }: RepoModel): string[] =>
  ciConfigs
    .filter(([, pattern]) => shallowPaths.some((path) => pattern.test(path)))
    .map(([name]) => name);

/** Whether the project has container files, except those of editors and samples. */
export const hasContainerFile = ({ ownFiles, roleOf }: RepoModel): boolean =>
  ownFiles.some(({ path }) => {
    const name = baseNameOf(path);
    const isContainer =
      /^(Dockerfile|Containerfile)(\..+)?$/.test(name) ||
      /\.dockerfile$/i.test(name) ||
      /^(docker-)?compose([.-][^/]+)?\.ya?ml$/.test(name);
    return isContainer && roleOf(parentFolder(path)).tests === undefined;
  });

/** Translations have a language code in the name: `README.zh-CN.md`. */
const readmeName =
  /^readme(([._-][a-z]{2}([-_][a-z]{2,4})?)?\.(md|mdx|markdown|rst|txt|adoc|asciidoc|org|html))?$/i;
const contributingName = /^contributing(\.(md|markdown|rst|txt|adoc|asciidoc|org))?$/i;

/** In the root or in `.github`. */
const isAtTop = (path: string, pattern: RegExp): boolean =>
  pattern.test(path) ||
  (path.startsWith(".github/") && pattern.test(path.slice(".github/".length)));

export const hasReadme = ({ shallowPaths }: RepoModel): boolean =>
  shallowPaths.some((path) => isAtTop(path, readmeName));

export const hasContributing = ({ shallowPaths }: RepoModel): boolean =>
  shallowPaths.some(
    (path) =>
      isAtTop(path, contributingName) || /^docs\/CONTRIBUTING(\.(md|rst|txt|adoc))?$/.test(path),
  );
