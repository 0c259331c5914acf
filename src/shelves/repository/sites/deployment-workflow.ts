import { childPath } from "../../../text/strings/relative-path.ts";
import { quoteString } from "../files/escaped-text.ts";
import { type Ssg, siteGenerators } from "./site-generators.ts";

/** The parameters of a workflow. */
export interface Deployment {
  ssg: Ssg;
  /** The branch that is published on push. */
  branch: string;
  /** The folder of the generator's configuration, relative to the repository; `""` for its root. */
  folder: string;
  /** How dependencies are installed, according to the files in the folder. */
  install: InstallMethod;
  customDomain?: string | undefined;
}

export type InstallMethod =
  | "npm ci"
  | "npm install"
  | "yarn"
  | "pnpm"
  | "requirements"
  | "bundle"
  | "none";

/** Actions are pinned to exact versions, so that they do not change unnoticed. */
const actions = {
  checkout: "actions/checkout@v4.2.2",
  node: "actions/setup-node@v4.4.0",
  python: "actions/setup-python@v5.6.0",
  ruby: "ruby/setup-ruby@v1.161.0",
  hugo: "peaceiris/actions-hugo@v3.0.0",
  configure: "actions/configure-pages@v5.0.0",
  upload: "actions/upload-pages-artifact@v3.0.1",
  deploy: "actions/deploy-pages@v4.0.5",
};

/**
 * A workflow that builds the site and publishes it on GitHub Pages. The build job may only read the
 * repository; only the deploy job may write pages.
 */
export function pagesWorkflow(deployment: Deployment): string {
  const { ssg, branch, customDomain } = deployment;
  const output = inFolder(deployment, siteGenerators[ssg].output);
  const domain = customDomain ? [yamlStep(["run", `cp CNAME ${output}/CNAME`])] : [];
  const steps = [
    yamlStep(["uses", actions.checkout], ["with", { "persist-credentials": "false" }]),
    yamlStep(["id", "pages"], ["uses", actions.configure]),
    ...buildSteps(deployment),
    ...domain,
    yamlStep(["uses", actions.upload], ["with", { path: output }]),
  ];
  return `name: Publish documentation

on:
  push:
    branches: [${quoteString(branch)}]
  workflow_dispatch:

permissions: {}

concurrency:
  group: pages
  cancel-in-progress: false

jobs:
  build:
    runs-on: ubuntu-24.04
    permissions:
      contents: read
      pages: read
    steps:
${indented(steps, 6)}

  deploy:
    needs: build
    runs-on: ubuntu-24.04
    permissions:
      pages: write
      id-token: write
    environment:
      name: github-pages
      url: \${{ steps.deployment.outputs.page_url }}
    steps:
${indented([yamlStep(["id", "deployment"], ["uses", actions.deploy])], 6)}
`;
}

/** A workflow that builds the site in CI and deploys the output to Vercel. */
export function vercelWorkflow({ branch, folder }: Deployment): string {
  const workingDirectory: YamlEntry[] = folder === "" ? [] : [["working-directory", folder]];
  const vercel = (args: string) =>
    yamlStep(["run", `vercel ${args} --token="$VERCEL_TOKEN"`], ...workingDirectory);
  const steps = [
    yamlStep(["uses", actions.checkout], ["with", { "persist-credentials": "false" }]),
    yamlStep(["uses", actions.node], ["with", { "node-version": '"22"' }]),
    yamlStep(["run", "npm install --global --ignore-scripts vercel@39"]),
    vercel("pull --yes --environment=production"),
    vercel("build --prod"),
    vercel("deploy --prebuilt --prod"),
  ];
  return `name: Publish documentation on Vercel

on:
  push:
    branches: [${quoteString(branch)}]
  workflow_dispatch:

permissions:
  contents: read

jobs:
  deploy:
    runs-on: ubuntu-24.04
    env:
      VERCEL_ORG_ID: \${{ secrets.VERCEL_ORG_ID }}
      VERCEL_PROJECT_ID: \${{ secrets.VERCEL_PROJECT_ID }}
      VERCEL_TOKEN: \${{ secrets.VERCEL_TOKEN }}
    steps:
${indented(steps, 6)}
`;
}

/** The build settings for Vercel. */
export function vercelSettings({ ssg, install }: Deployment): Record<string, unknown> {
  const installCommand = installCommands[install];
  return {
    $schema: "https://openapi.vercel.sh/vercel.json",
    framework: null,
    ...(installCommand && { installCommand: installCommand }),
    buildCommand: buildCommands[ssg],
    outputDirectory: siteGenerators[ssg].output,
  };
}

const buildCommands: Record<Ssg, string> = {
  docusaurus: "npm run build",
  eleventy: "npm run build",
  mkdocs: "mkdocs build",
  hugo: "hugo --minify",
  jekyll: "bundle exec jekyll build",
};

const installCommands: Record<InstallMethod, string | undefined> = {
  "npm ci": "npm ci",
  "npm install": "npm install --no-audit --no-fund",
  yarn: "corepack enable && yarn install",
  pnpm: "corepack enable && pnpm install --frozen-lockfile",
  requirements: "pip install -r requirements.txt",
  bundle: "bundle install",
  none: undefined,
};

function buildSteps(deployment: Deployment): string[] {
  const { ssg, folder, install } = deployment;
  const workingDirectory: YamlEntry[] = folder === "" ? [] : [["working-directory", folder]];
  const installCommand = installCommands[install];
  const installSteps = installCommand
    ? [yamlStep(["run", installCommand], ...workingDirectory)]
    : [];
  const [origin, path] = [pagesStepOutput("origin"), pagesStepOutput("base_path")];
  const node = yamlStep(["uses", actions.node], ["with", { "node-version": '"22"' }]);
  switch (ssg) {
    case "docusaurus":
    case "eleventy":
      return [
        node,
        ...installSteps,
        yamlStep(["run", buildCommands[ssg]], ...workingDirectory, [
          "env",
          { SITE_URL: origin, BASE_URL: `${path}/` },
        ]),
      ];
    case "mkdocs":
      return [
        yamlStep(["uses", actions.python], ["with", { "python-version": '"3.12"' }]),
        ...(installSteps.length > 0
          ? installSteps
          : [yamlStep(["run", `pip install "mkdocs>=1.6,<2"`])]),
        yamlStep(["run", buildCommands[ssg]], ...workingDirectory),
      ];
    case "hugo":
      return [
        yamlStep(["uses", actions.hugo], ["with", { "hugo-version": "0.128.0", extended: "true" }]),
        yamlStep(["run", `${buildCommands[ssg]} --baseURL "$BASE_URL"`], ...workingDirectory, [
          "env",
          { BASE_URL: `${pagesStepOutput("base_url")}/` },
        ]),
      ];
    case "jekyll":
      return [
        yamlStep(["uses", actions.ruby], ["with", { "ruby-version": '"3.2"' }]),
        ...installSteps,
        yamlStep(["run", `${buildCommands[ssg]} --baseurl "$BASE_PATH"`], ...workingDirectory, [
          "env",
          { JEKYLL_ENV: "production", BASE_PATH: path },
        ]),
      ];
  }
}

/** An expression for an output of the configure-pages step. */
const pagesStepOutput = (name: string): string => `\${{ steps.pages.outputs.${name} }}`;

type YamlEntry = [key: string, value: string | Record<string, string>];

/** A workflow step in YAML. Nested values must be quoted by the caller if necessary. */
function yamlStep(...entries: YamlEntry[]): string {
  const lines = entries.flatMap(([key, value]) =>
    typeof value === "string"
      ? [`${key}: ${plainOrQuoted(value)}`]
      : [
          `${key}:`,
          ...Object.entries(value).map(([name, entryValue]) => `  ${name}: ${entryValue}`),
        ],
  );
  return lines.map((line, index) => (index === 0 ? `- ${line}` : `  ${line}`)).join("\n");
}

const plainOrQuoted = (value: string): string =>
  /^[\w./@-][\w ./@=&-]*$/.test(value) ? value : quoteString(value);

const indented = (steps: readonly string[], by: number): string =>
  steps
    .join("\n")
    .split("\n")
    .map((line) => " ".repeat(by) + line)
    .join("\n");

const inFolder = ({ folder }: Deployment, path: string): string => childPath(folder, path);
