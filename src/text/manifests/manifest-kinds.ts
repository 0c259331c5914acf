import { readMixExs, readRebarConfig } from "./beam.ts";
import { readDotnetProject, readDotnetSolution } from "./dotnet.ts";
import { readGoMod, readGoWork } from "./go.ts";
import { readGradle, readPom, readSbt } from "./jvm.ts";
import type { Manifest } from "./manifest.ts";
import { readComposerJson, readJsonWorkspace, readPackageJson, readVcpkgJson } from "./npm.ts";
import {
  readCabal,
  readCMake,
  readConan,
  readJuliaProject,
  readMeson,
  readPackageSwift,
  readRDescription,
} from "./other-ecosystems.ts";
import {
  readDevRequirements,
  readPipfile,
  readPyproject,
  readRequirements,
  readSetupCfg,
  readSetupPy,
} from "./python.ts";
import { readGemfile, readGemspec } from "./ruby.ts";
import { readCargoToml } from "./rust.ts";
import { readPubspec, readShard, readYamlWorkspace } from "./yaml-manifests.ts";

export interface ManifestKind {
  /** The language family of its packages. */
  ecosystem: string;
  /** The package manager, if it is always the same. */
  manager?: string;
  /** `build`: build instructions without a package; `workspace`: a list of packages. */
  role: "package" | "build" | "workspace";
  read?: (text: string) => Manifest | undefined;
}

const defineKind = (
  ecosystem: string,
  manager?: string,
  read?: ManifestKind["read"],
  role: ManifestKind["role"] = "package",
): ManifestKind => ({ ecosystem, role, ...(manager && { manager }), ...(read && { read }) });

const byName: Record<string, ManifestKind> = {
  "package.json": defineKind("javascript", undefined, readPackageJson),
  "deno.json": defineKind("javascript", "deno", readPackageJson),
  "deno.jsonc": defineKind("javascript", "deno", readPackageJson),
  "pnpm-workspace.yaml": defineKind("javascript", "pnpm", readYamlWorkspace, "workspace"),
  "lerna.json": defineKind("javascript", undefined, readJsonWorkspace, "workspace"),
  "rush.json": defineKind("javascript", undefined, readJsonWorkspace, "workspace"),
  "pyproject.toml": defineKind("python", undefined, readPyproject),
  "setup.py": defineKind("python", undefined, readSetupPy),
  "setup.cfg": defineKind("python", undefined, readSetupCfg),
  "requirements.txt": defineKind("python", undefined, readRequirements),
  "requirements-dev.txt": defineKind("python", undefined, readDevRequirements),
  "dev-requirements.txt": defineKind("python", undefined, readDevRequirements),
  "requirements-test.txt": defineKind("python", undefined, readDevRequirements),
  "test-requirements.txt": defineKind("python", undefined, readDevRequirements),
  "project.json": defineKind("javascript", undefined, undefined, "build"),
  pipfile: defineKind("python", "pipenv", readPipfile),
  "environment.yml": defineKind("python", "conda"),
  "environment.yaml": defineKind("python", "conda"),
  "pixi.toml": defineKind("python", "pixi"),
  "go.mod": defineKind("go", "go modules", readGoMod),
  "go.work": defineKind("go", "go modules", readGoWork, "workspace"),
  "cargo.toml": defineKind("rust", "cargo", readCargoToml),
  "pom.xml": defineKind("java", "maven", readPom),
  "build.gradle": defineKind("java", "gradle", readGradle),
  "build.gradle.kts": defineKind("java", "gradle", readGradle),
  "settings.gradle": defineKind("java", "gradle", readGradle, "workspace"),
  "settings.gradle.kts": defineKind("java", "gradle", readGradle, "workspace"),
  "build.sbt": defineKind("scala", "sbt", readSbt),
  "build.sc": defineKind("scala", "mill"),
  "build.mill": defineKind("scala", "mill"),
  "project.clj": defineKind("clojure", "leiningen"),
  "deps.edn": defineKind("clojure", "clojure cli"),
  "directory.build.props": defineKind("dotnet", undefined, readDotnetProject, "build"),
  "directory.packages.props": defineKind("dotnet", "nuget", undefined, "build"),
  "packages.config": defineKind("dotnet", "nuget", undefined, "build"),
  "paket.dependencies": defineKind("dotnet", "paket", undefined, "build"),
  "composer.json": defineKind("php", "composer", readComposerJson),
  gemfile: defineKind("ruby", "bundler", readGemfile),
  "mix.exs": defineKind("elixir", "mix", readMixExs),
  "rebar.config": defineKind("erlang", "rebar3", readRebarConfig),
  "pubspec.yaml": defineKind("dart", "pub", readPubspec),
  "melos.yaml": defineKind("dart", "pub", readYamlWorkspace, "workspace"),
  "package.swift": defineKind("swift", "swiftpm", readPackageSwift),
  podfile: defineKind("swift", "cocoapods", undefined, "build"),
  cartfile: defineKind("swift", "carthage", undefined, "build"),
  "cmakelists.txt": defineKind("c", undefined, readCMake, "build"),
  makefile: defineKind("c", undefined, undefined, "build"),
  gnumakefile: defineKind("c", undefined, undefined, "build"),
  "configure.ac": defineKind("c", undefined, undefined, "build"),
  "meson.build": defineKind("c", undefined, readMeson, "build"),
  "vcpkg.json": defineKind("c", "vcpkg", readVcpkgJson),
  "conanfile.txt": defineKind("c", "conan", readConan),
  "conanfile.py": defineKind("c", "conan", readConan),
  "stack.yaml": defineKind("haskell", "stack", undefined, "workspace"),
  "cabal.project": defineKind("haskell", "cabal", undefined, "workspace"),
  description: defineKind("r", "cran", readRDescription),
  "project.toml": defineKind("julia", "pkg", readJuliaProject),
  "shard.yml": defineKind("crystal", "shards", readShard),
  "build.zig.zon": defineKind("zig", "zig"),
  "elm.json": defineKind("elm", "elm"),
  "dune-project": defineKind("ocaml", "opam"),
  cpanfile: defineKind("perl", "cpan"),
  "makefile.pl": defineKind("perl", "cpan"),
};

const byExtension: Record<string, ManifestKind> = {
  csproj: defineKind("dotnet", "nuget", readDotnetProject),
  fsproj: defineKind("dotnet", "nuget", readDotnetProject),
  vbproj: defineKind("dotnet", "nuget", readDotnetProject),
  sln: defineKind("dotnet", "nuget", readDotnetSolution, "workspace"),
  slnx: defineKind("dotnet", "nuget", readDotnetSolution, "workspace"),
  gemspec: defineKind("ruby", "rubygems", readGemspec),
  podspec: defineKind("swift", "cocoapods", undefined, "build"),
  cabal: defineKind("haskell", "cabal", readCabal),
  opam: defineKind("ocaml", "opam"),
  nimble: defineKind("nim", "nimble"),
  rockspec: defineKind("lua", "luarocks"),
};

/** The manifest kind of a file, by its name or extension. */
export function manifestKindOf(path: string): ManifestKind | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const lower = name.toLowerCase();
  if (Object.hasOwn(byName, lower)) {
    const isExact = !exactNames.has(lower) || exactNames.get(lower) === name;
    return isExact ? byName[lower] : undefined;
  }
  if (/(^|\/)requirements\/[^/]+\.txt$/.test(path)) {
    return /^(dev|local|tests?|testing|ci|docs?|lint)\b/.test(lower)
      ? byName["requirements-dev.txt"]
      : byName["requirements.txt"];
  }
  const dot = lower.lastIndexOf(".");
  const ending = lower.slice(dot + 1);
  return dot > 0 && Object.hasOwn(byExtension, ending) ? byExtension[ending] : undefined;
}

/** Names that must match in case, because other kinds of files have the same name in another case. */
const exactNames = new Map([
  ["description", "DESCRIPTION"],
  ["project.toml", "Project.toml"],
  ["package.swift", "Package.swift"],
]);

/** Lock files and the tools that write them. */
const lockFiles: Record<string, string> = {
  "package-lock.json": "npm",
  "npm-shrinkwrap.json": "npm",
  "yarn.lock": "yarn",
  "pnpm-lock.yaml": "pnpm",
  "bun.lock": "bun",
  "bun.lockb": "bun",
  "deno.lock": "deno",
  "uv.lock": "uv",
  "poetry.lock": "poetry",
  "pdm.lock": "pdm",
  "pipfile.lock": "pipenv",
  "pixi.lock": "pixi",
  "conda-lock.yml": "conda",
  "pylock.toml": "pip",
  "go.sum": "go modules",
  "go.work.sum": "go modules",
  "cargo.lock": "cargo",
  "gradle.lockfile": "gradle",
  "packages.lock.json": "nuget",
  "paket.lock": "paket",
  "composer.lock": "composer",
  "gemfile.lock": "bundler",
  "mix.lock": "mix",
  "rebar.lock": "rebar3",
  "pubspec.lock": "pub",
  "package.resolved": "swiftpm",
  "podfile.lock": "cocoapods",
  "cartfile.resolved": "carthage",
  "conan.lock": "conan",
  "stack.yaml.lock": "stack",
  "cabal.project.freeze": "cabal",
  "renv.lock": "renv",
  "shard.lock": "shards",
};

/** The tool that writes a lock file; undefined for other files. */
export function lockFileManager(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  return Object.hasOwn(lockFiles, name) ? lockFiles[name] : undefined;
}
