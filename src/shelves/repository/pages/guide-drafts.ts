import { lockFileManager, manifestKindOf } from "../../../text/manifests/manifest-kinds.ts";
import type { Analysis } from "../analysis/analysis.ts";
import { escapeMarkdown, toInlineCode } from "../files/escaped-text.ts";
import {
  type DraftInput,
  type DraftPage,
  draftSection,
  manifestSource,
  type SourcedFact,
  toCommandFact,
} from "./draft-page.ts";

export function gettingStartedPage({ analysis, commands, versions }: DraftInput): DraftPage {
  const { facts, entryPoints } = analysis;
  const installs = facts.package_managers.flatMap((name) => {
    const source = packageManagerSource(name, analysis);
    const isList = name === "pip" && source === "`requirements.txt`";
    const command = isList ? "pip install -r requirements.txt" : installCommands[name];
    return command
      ? [{ text: `Dependencies are installed with ${toInlineCode(command)}.`, source }]
      : [];
  });
  const startCommands = commands.filter(({ command }) => /\b(start|dev|serve|run)$/.test(command));
  return {
    file: "tutorials/getting-started.md",
    title: "Getting started",
    sections: [
      draftSection(
        "What you will make",
        [],
        "What will a newcomer have made at the end of this page?",
      ),
      draftSection(
        "Before you begin",
        [
          ...languageFacts(analysis),
          ...facts.package_managers.map((name) => ({
            text: `Packages are managed by ${escapeMarkdown(name)}.`,
            source: packageManagerSource(name, analysis),
          })),
          ...versions.map(({ tool, version, source }) => ({
            text: `${escapeMarkdown(tool)} is required in version ${toInlineCode(version)}.`,
            source: toInlineCode(source),
          })),
        ],
        versions.length === 0 && "Which tools are needed, and in which versions?",
      ),
      draftSection("Install", installs, installs.length === 0 && "How is it installed?"),
      draftSection(
        "First steps",
        [
          ...startCommands.map(toCommandFact),
          ...entryPoints.slice(0, 5).map(({ file, kind, name }) => ({
            text: `${name ? `${toInlineCode(name)} starts at` : "It starts at"} ${toInlineCode(file)} (${kind}).`,
            source: toInlineCode(file),
          })),
        ],
        "What does the reader do first, and what appears on the screen?",
      ),
    ],
  };
}

export function testingPage({ analysis: { facts }, commands }: DraftInput): DraftPage {
  const tests = commands.filter(({ command }) => /\b(test|check|spec)\b/.test(command));
  return {
    file: "how-to/run-the-tests.md",
    title: "Run the tests",
    sections: [
      draftSection(
        "Commands",
        tests.map(toCommandFact),
        tests.length === 0 && "Which command runs the tests?",
      ),
      draftSection(
        "Where they are",
        [
          ...facts.test_paths.map((path) => ({
            text: `Tests are in ${toInlineCode(path)}.`,
            source: toInlineCode(path),
          })),
          ...facts.test_frameworks.map((name) => ({
            text: `They use ${escapeMarkdown(name)}.`,
            source: "the analysis",
          })),
        ],
        !facts.has_tests && "No tests were found. How is the project checked?",
      ),
    ],
  };
}

export function deploymentPage({ analysis: { facts }, commands }: DraftInput): DraftPage {
  const releaseCommands = commands.filter(({ command }) =>
    /\b(build|deploy|release|publish)\b/.test(command),
  );
  return {
    file: "how-to/deploy-to-production.md",
    title: "Deploy to production",
    sections: [
      draftSection("Goal", [], "What runs where once this is done, and who may do it?"),
      draftSection(
        "Steps",
        [
          ...releaseCommands.map(toCommandFact),
          ...facts.ci.map((name) => ({
            text: `Changes are built by ${escapeMarkdown(name)}.`,
            source: "its configuration",
          })),
          ...(facts.has_docker
            ? [{ text: "A container image can be built.", source: "its container file" }]
            : []),
        ],
        "In which order must the steps be done?",
      ),
      draftSection(
        "When it goes wrong",
        [],
        "How is a failure noticed, and how is it rolled back?",
      ),
    ],
  };
}

const languageFacts = ({ facts }: Analysis): SourcedFact[] =>
  facts.primary_language === null
    ? []
    : [
        {
          text: `The code is written mostly in ${escapeMarkdown(facts.primary_language)}.`,
          source: "the sizes of its files",
        },
      ];

/**
 * The file that shows the use of a package manager: its lock file, its manifest, or one that it can
 * read.
 */
function packageManagerSource(manager: string, analysis: Analysis): string {
  const files = analysis.manifests.map(({ file }) => file);
  const ecosystem = ["npm", "yarn", "pnpm", "bun"].includes(manager) ? "javascript" : "python";
  const file =
    analysis.facts.lockfiles.find((lock) => lockFileManager(lock) === manager) ??
    files.find((name) => manifestKindOf(name)?.manager === manager) ??
    files.find((name) => manifestKindOf(name)?.ecosystem === ecosystem);
  return file === undefined ? manifestSource(analysis) : toInlineCode(file);
}

/** The command by which each package manager installs a project's dependencies. */
const installCommands: Readonly<Record<string, string>> = {
  npm: "npm install",
  yarn: "yarn install",
  pnpm: "pnpm install",
  bun: "bun install",
  pip: "pip install .",
  uv: "uv sync",
  poetry: "poetry install",
  pipenv: "pipenv install",
  pdm: "pdm install",
  "go modules": "go mod download",
  cargo: "cargo build",
  maven: "mvn install",
  gradle: "./gradlew build",
  nuget: "dotnet restore",
  composer: "composer install",
  bundler: "bundle install",
  mix: "mix deps.get",
  pub: "dart pub get",
  swiftpm: "swift build",
};
