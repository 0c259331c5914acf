import { bytesByLanguage, primaryLanguage } from "../../text/languages.ts";
import { ciSystems, hasContainers, hasContributing, hasReadme } from "./facts-ci.ts";
import { docsOf } from "./facts-docs.ts";
import { frameworksOf } from "./facts-frameworks.ts";
import { kindOf } from "./facts-kind.ts";
import { licenseOf } from "./facts-license.ts";
import { packageManagers } from "./facts-packaging.ts";
import { testsOf } from "./facts-tests.ts";
import { folderOf } from "./folders.ts";
import type { Sight } from "./sight.ts";

/** What holds of a repository, by convention and never by the letters of a name alone. */
export interface Facts {
  files: number;
  submodules: number;
  bytes_by_language: Record<string, number>;
  /** `python library`, `node monorepo`, `docs-heavy`, … */
  kind: string;
  /** The language of programs with most bytes; null where there is none. */
  primary_language: string | null;
  /** The language with most bytes, be it prose or code. */
  main_content: string | null;
  package_managers: string[];
  lockfiles: string[];
  /** An SPDX expression. */
  license: string | null;
  has_readme: boolean;
  has_license_file: boolean;
  has_tests: boolean;
  test_paths: string[];
  test_frameworks: string[];
  has_ci: boolean;
  ci: string[];
  has_docs_dir: boolean;
  docs_paths: string[];
  docs_system: string | null;
  monorepo: boolean;
  workspace_tool: string[];
  packages: string[];
  frameworks: string[];
  /** How it is made, where that is not a package manager's work: `cmake`, `make`. */
  build_systems: string[];
  build_backend: string | null;
  /** Packages that the root's own manifests need to run. */
  runtime_dependencies: number;
  has_contributing: boolean;
  has_docker: boolean;
}

/** More names than this are no help to anybody. */
const mostNames = 200;

export function factsFrom(sight: Sight) {
  const { survey, files, manifests, workspace } = sight;
  const content = files.filter(({ isLink }) => !isLink);
  const bytes = bytesByLanguage(content);
  const mine = content.filter(({ path }) => !sight.roleOf(folderOf(path)).vendored);
  const primary = primaryLanguage(mine.length > 0 ? mine : content);
  const { managers, lockfiles } = packageManagers(sight);
  const { license, hasFile } = licenseOf(sight);
  const tests = testsOf(sight);
  const ci = ciSystems(sight);
  const docs = docsOf(sight);
  const kind = kindOf(sight, bytes, primary);
  const roots = manifests.filter(({ place }) => place === "root");
  const packages = roots.filter(({ said }) => said?.isPackage);
  const needed = new Set(
    (packages.length > 0 ? packages : roots).flatMap(({ said }) => said?.dependencies ?? []),
  );
  const facts: Facts = {
    files: files.length,
    submodules: submodulesOf(sight) || survey.nested.length,
    bytes_by_language: bytes,
    kind: kind.kind,
    primary_language: primary,
    main_content: Object.keys(bytes)[0] ?? null,
    package_managers: managers,
    lockfiles: lockfiles.slice(0, mostNames),
    license,
    has_readme: hasReadme(sight),
    has_license_file: hasFile,
    has_tests: tests.paths.length > 0,
    test_paths: tests.paths.slice(0, mostNames),
    test_frameworks: tests.frameworks,
    has_ci: ci.length > 0,
    ci,
    has_docs_dir: docs.paths.length > 0,
    docs_paths: docs.paths,
    docs_system: docs.system,
    monorepo: workspace.isMonorepo,
    workspace_tool: workspace.tools,
    packages: workspace.packages.slice(0, mostNames),
    frameworks: frameworksOf(sight),
    build_systems: buildSystems(sight),
    build_backend: roots.flatMap(({ said }) => said?.buildBackend ?? [])[0] ?? null,
    runtime_dependencies: needed.size,
    has_contributing: hasContributing(sight),
    has_docker: hasContainers(sight),
  };
  return { facts, docs, projectType: kind.projectType, ecosystem: kind.ecosystem };
}

const submodulesOf = ({ has, read }: Sight): number =>
  has(".gitmodules") ? (read(".gitmodules")?.match(/^\[submodule\b/gm) ?? []).length : 0;

const builders: readonly [string, string][] = [
  ["CMakeLists.txt", "cmake"],
  ["Makefile", "make"],
  ["GNUmakefile", "make"],
  ["makefile", "make"],
  ["configure.ac", "autotools"],
  ["meson.build", "meson"],
  ["SConstruct", "scons"],
  ["MODULE.bazel", "bazel"],
  ["WORKSPACE", "bazel"],
  ["build.xml", "ant"],
  ["justfile", "just"],
  ["Taskfile.yml", "task"],
  ["build.zig", "zig"],
];

const buildSystems = ({ has }: Sight): string[] => [
  ...new Set(builders.filter(([file]) => has(file)).map(([, name]) => name)),
];
