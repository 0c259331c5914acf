import { lockedBy, manifestKind } from "../../text/manifests/kinds.ts";
import type { Analysis } from "./analysis.ts";
import {
  asFact,
  type Fact,
  type Known,
  type KnownPage,
  manifestOf,
  section,
} from "./known-page.ts";
import { escaped, inCode } from "./written-values.ts";

export function gettingStarted({ analysis, commands, versions }: Known): KnownPage {
  const { facts, entryPoints } = analysis;
  const installs = facts.package_managers.flatMap((name) => {
    const source = sourceOf(name, analysis);
    const isList = name === "pip" && source === "`requirements.txt`";
    const command = isList ? "pip install -r requirements.txt" : installCommands[name];
    return command
      ? [{ words: `Dependencies are installed with ${inCode(command)}.`, source }]
      : [];
  });
  const starts = commands.filter(({ command }) => /\b(start|dev|serve|run)$/.test(command));
  return {
    file: "tutorials/getting-started.md",
    title: "Getting started",
    sections: [
      section("What you will make", [], "What does a newcomer have made at the end of this page?"),
      section(
        "Before you begin",
        [
          ...language(analysis),
          ...facts.package_managers.map((name) => ({
            words: `Packages are managed by ${escaped(name)}.`,
            source: sourceOf(name, analysis),
          })),
          ...versions.map(({ tool, version, source }) => ({
            words: `${escaped(tool)} is needed in version ${inCode(version)}.`,
            source: inCode(source),
          })),
        ],
        versions.length === 0 && "Which tools are needed, and in which versions?",
      ),
      section("Install", installs, installs.length === 0 && "How is it installed?"),
      section(
        "First steps",
        [
          ...starts.map(asFact),
          ...entryPoints.slice(0, 5).map(({ file, kind, name }) => ({
            words: `${name ? `${inCode(name)} starts at` : "It starts at"} ${inCode(file)} (${kind}).`,
            source: inCode(file),
          })),
        ],
        "What does the reader do first, and what appears on the screen?",
      ),
    ],
  };
}

export function runTests({ analysis: { facts }, commands }: Known): KnownPage {
  const tests = commands.filter(({ command }) => /\b(test|check|spec)\b/.test(command));
  return {
    file: "how-to/run-the-tests.md",
    title: "Run the tests",
    sections: [
      section("Commands", tests.map(asFact), tests.length === 0 && "Which command runs the tests?"),
      section(
        "Where they are",
        [
          ...facts.test_paths.map((path) => ({
            words: `Tests lie in ${inCode(path)}.`,
            source: inCode(path),
          })),
          ...facts.test_frameworks.map((name) => ({
            words: `They use ${escaped(name)}.`,
            source: "the analysis",
          })),
        ],
        !facts.has_tests && "No tests were found. How is the project checked?",
      ),
    ],
  };
}

export function deploy({ analysis: { facts }, commands }: Known): KnownPage {
  const ships = commands.filter(({ command }) =>
    /\b(build|deploy|release|publish)\b/.test(command),
  );
  return {
    file: "how-to/deploy-to-production.md",
    title: "Deploy to production",
    sections: [
      section("Goal", [], "What runs where once this is done, and who may do it?"),
      section(
        "Steps",
        [
          ...ships.map(asFact),
          ...facts.ci.map((name) => ({
            words: `Changes are built by ${escaped(name)}.`,
            source: "its configuration",
          })),
          ...(facts.has_docker
            ? [{ words: "A container image can be built.", source: "its container file" }]
            : []),
        ],
        "In which order are the steps taken?",
      ),
      section("When it goes wrong", [], "How is it noticed, and how is it taken back?"),
    ],
  };
}

const language = ({ facts }: Analysis): Fact[] =>
  facts.primary_language === null
    ? []
    : [
        {
          words: `The code is written mostly in ${escaped(facts.primary_language)}.`,
          source: "the sizes of its files",
        },
      ];

/** The file that says that a manager is used: its lock file, its manifest, or one that it may read. */
function sourceOf(manager: string, analysis: Analysis): string {
  const files = analysis.manifests.map(({ file }) => file);
  const ecosystem = ["npm", "yarn", "pnpm", "bun"].includes(manager) ? "javascript" : "python";
  const file =
    analysis.facts.lockfiles.find((lock) => lockedBy(lock) === manager) ??
    files.find((name) => manifestKind(name)?.manager === manager) ??
    files.find((name) => manifestKind(name)?.ecosystem === ecosystem);
  return file === undefined ? manifestOf(analysis) : inCode(file);
}

/** How each package manager installs what a project declares. */
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
