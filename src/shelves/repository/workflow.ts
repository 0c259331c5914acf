import { generators, type Ssg } from "./generators.ts";
import { quoted } from "./written-values.ts";

/** What a workflow is made for. */
export interface Deployment {
  ssg: Ssg;
  /** The branch whose pushes are published. */
  branch: string;
  /** Where the generator's configuration lies, relative to the repository; `""` for its root. */
  folder: string;
  /** How what the generator needs is installed, as the files in the folder say. */
  install: Install;
  customDomain?: string | undefined;
}

export type Install =
  | "npm ci"
  | "npm install"
  | "yarn"
  | "pnpm"
  | "requirements"
  | "bundle"
  | "none";

/** Actions by exact versions, so that what runs does not change by itself. */
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
 * A workflow that builds the site and hands it to GitHub Pages. Building may read the repository
 * and nothing else; only the job that publishes may write pages.
 */
export function pagesWorkflow(deployment: Deployment): string {
  const { ssg, branch, customDomain } = deployment;
  const output = inFolder(deployment, generators[ssg].output);
  const domain = customDomain ? [step(["run", `cp CNAME ${output}/CNAME`])] : [];
  const steps = [
    step(["uses", actions.checkout], ["with", { "persist-credentials": "false" }]),
    step(["id", "pages"], ["uses", actions.configure]),
    ...buildSteps(deployment),
    ...domain,
    step(["uses", actions.upload], ["with", { path: output }]),
  ];
  return `name: Publish documentation

on:
  push:
    branches: [${quoted(branch)}]
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
${indented([step(["id", "deployment"], ["uses", actions.deploy])], 6)}
`;
}

/** The same for Vercel, which builds in the workflow and takes what was built. */
export function vercelWorkflow({ branch, folder }: Deployment): string {
  const where: Entry[] = folder === "" ? [] : [["working-directory", folder]];
  const vercel = (words: string) =>
    step(["run", `vercel ${words} --token="$VERCEL_TOKEN"`], ...where);
  const steps = [
    step(["uses", actions.checkout], ["with", { "persist-credentials": "false" }]),
    step(["uses", actions.node], ["with", { "node-version": '"22"' }]),
    step(["run", "npm install --global --ignore-scripts vercel@39"]),
    vercel("pull --yes --environment=production"),
    vercel("build --prod"),
    vercel("deploy --prebuilt --prod"),
  ];
  return `name: Publish documentation on Vercel

on:
  push:
    branches: [${quoted(branch)}]
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

/** How Vercel builds the site. */
export function vercelSettings({ ssg, install }: Deployment): Record<string, unknown> {
  const installed = installCommands[install];
  return {
    $schema: "https://openapi.vercel.sh/vercel.json",
    framework: null,
    ...(installed && { installCommand: installed }),
    buildCommand: buildCommands[ssg],
    outputDirectory: generators[ssg].output,
  };
}

const buildCommands: Record<Ssg, string> = {
  docusaurus: "npm run build",
  eleventy: "npm run build",
  mkdocs: "mkdocs build",
  hugo: "hugo --minify",
  jekyll: "bundle exec jekyll build",
};

const installCommands: Record<Install, string | undefined> = {
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
  const where: Entry[] = folder === "" ? [] : [["working-directory", folder]];
  const installed = installCommands[install];
  const installing = installed ? [step(["run", installed], ...where)] : [];
  const [address, path] = [pagesOutput("origin"), pagesOutput("base_path")];
  const node = step(["uses", actions.node], ["with", { "node-version": '"22"' }]);
  switch (ssg) {
    case "docusaurus":
    case "eleventy":
      return [
        node,
        ...installing,
        step(["run", buildCommands[ssg]], ...where, [
          "env",
          { SITE_URL: address, BASE_URL: `${path}/` },
        ]),
      ];
    case "mkdocs":
      return [
        step(["uses", actions.python], ["with", { "python-version": '"3.12"' }]),
        ...(installing.length > 0 ? installing : [step(["run", `pip install "mkdocs>=1.6,<2"`])]),
        step(["run", buildCommands[ssg]], ...where),
      ];
    case "hugo":
      return [
        step(["uses", actions.hugo], ["with", { "hugo-version": "0.128.0", extended: "true" }]),
        step(["run", `${buildCommands[ssg]} --baseURL "$BASE_URL"`], ...where, [
          "env",
          { BASE_URL: `${pagesOutput("base_url")}/` },
        ]),
      ];
    case "jekyll":
      return [
        step(["uses", actions.ruby], ["with", { "ruby-version": '"3.2"' }]),
        ...installing,
        step(["run", `${buildCommands[ssg]} --baseurl "$BASE_PATH"`], ...where, [
          "env",
          { JEKYLL_ENV: "production", BASE_PATH: path },
        ]),
      ];
  }
}

/** What GitHub says of the site's address, once the workflow runs. */
const pagesOutput = (name: string): string => `\${{ steps.pages.outputs.${name} }}`;

type Entry = [key: string, value: string | Record<string, string>];

/** One step in YAML. Values with signs that YAML reads are quoted by whoever writes them. */
function step(...entries: Entry[]): string {
  const lines = entries.flatMap(([key, value]) =>
    typeof value === "string"
      ? [`${key}: ${plainOrQuoted(value)}`]
      : [`${key}:`, ...Object.entries(value).map(([name, one]) => `  ${name}: ${one}`)],
  );
  return lines.map((line, at) => (at === 0 ? `- ${line}` : `  ${line}`)).join("\n");
}

const plainOrQuoted = (value: string): string =>
  /^[\w./@-][\w ./@=&-]*$/.test(value) ? value : quoted(value);

const indented = (steps: readonly string[], by: number): string =>
  steps
    .join("\n")
    .split("\n")
    .map((line) => " ".repeat(by) + line)
    .join("\n");

const inFolder = ({ folder }: Deployment, path: string): string =>
  folder === "" ? path : `${folder}/${path}`;
