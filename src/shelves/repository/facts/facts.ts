import { bytesByLanguage, primaryLanguage } from "../../../text/software/programming-languages.ts";
import { parentFolder } from "../../../text/strings/relative-path.ts";
import type { RepoModel } from "../repo/repo-model.ts";
import { detectCi, hasContainerFile, hasContributing, hasReadme } from "./ci.ts";
import { findDocs } from "./docs-folders.ts";
import { detectFrameworks } from "./frameworks.ts";
import { detectLicense } from "./license.ts";
import { detectPackageManagers } from "./package-tools.ts";
import { detectProjectKind } from "./project-kind.ts";
import { findTests } from "./test-files.ts";

/**
 * Facts about a repository, derived from the conventions of its tools and never from similar names
 * alone.
 */
export interface RepositoryFacts {
  files: number;
  submodules: number;
  bytes_by_language: Record<string, number>;
  /** `python library`, `node monorepo`, `docs-heavy`, … */
  kind: string;
  /** The programming language with the most bytes; null if there is none. */
  primary_language: string | null;
  /** The language with the most bytes, prose or code. */
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
  /** Build systems other than package managers: `cmake`, `make`. */
  build_systems: string[];
  build_backend: string | null;
  /** Number of runtime dependencies in the root's manifests. */
  runtime_dependencies: number;
  has_contributing: boolean;
  has_docker: boolean;
}

/** Maximum length of the lists of names. */
const maxNames = 200;

export function collectFacts(model: RepoModel) {
  const { inventory, files, manifests, workspace } = model;
  const content = files.filter(({ isLink }) => !isLink);
  const bytes = bytesByLanguage(content);
  const ownContent = content.filter(({ path }) => !model.roleOf(parentFolder(path)).vendored);
  const primary = primaryLanguage(ownContent.length > 0 ? ownContent : content);
  const { managers, lockfiles } = detectPackageManagers(model);
  const { license, hasFile } = detectLicense(model);
  const tests = findTests(model);
  const ci = detectCi(model);
  const docs = findDocs(model);
  const kind = detectProjectKind(model, bytes, primary);
  const roots = manifests.filter(({ scope }) => scope === "root");
  const packages = roots.filter(({ manifest }) => manifest?.isPackage);
  const dependencies = new Set(
    (packages.length > 0 ? packages : roots).flatMap(
      ({ manifest }) => manifest?.dependencies ?? [],
    ),
  );
  const facts: RepositoryFacts = {
    files: files.length,
    submodules: countSubmodules(model) || inventory.nested.length,
    bytes_by_language: bytes,
    kind: kind.kind,
    primary_language: primary,
    main_content: Object.keys(bytes)[0] ?? null,
    package_managers: managers,
    lockfiles: lockfiles.slice(0, maxNames),
    license,
    has_readme: hasReadme(model),
    has_license_file: hasFile,
    has_tests: tests.paths.length > 0,
    test_paths: tests.paths.slice(0, maxNames),
    test_frameworks: tests.frameworks,
    has_ci: ci.length > 0,
    ci,
    has_docs_dir: docs.paths.length > 0,
    docs_paths: docs.paths,
    docs_system: docs.system,
    monorepo: workspace.isMonorepo,
    workspace_tool: workspace.tools,
    packages: workspace.packages.slice(0, maxNames),
    frameworks: detectFrameworks(model),
    build_systems: detectBuildSystems(model),
    build_backend: roots.flatMap(({ manifest }) => manifest?.buildBackend ?? [])[0] ?? null,
    runtime_dependencies: dependencies.size,
    has_contributing: hasContributing(model),
    has_docker: hasContainerFile(model),
  };
  return { facts, docs, projectType: kind.projectType, ecosystem: kind.ecosystem };
}

const countSubmodules = ({ has, readText }: RepoModel): number =>
  has(".gitmodules") ? (readText(".gitmodules")?.match(/^\[submodule\b/gm) ?? []).length : 0;

const buildFiles: readonly [string, string][] = [
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

const detectBuildSystems = ({ has }: RepoModel): string[] => [
  ...new Set(buildFiles.filter(([file]) => has(file)).map(([, name]) => name)),
];
