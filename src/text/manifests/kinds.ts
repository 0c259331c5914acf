import { readMixExs, readRebarConfig } from "./beam.ts";
import { readProject, readSolution } from "./dotnet.ts";
import { readGoMod, readGoWork } from "./go.ts";
import { readGradle, readPom, readSbt } from "./jvm.ts";
import { readPubspec, readShard, readWorkspaceYaml } from "./listed.ts";
import type { Manifest } from "./manifest.ts";
import {
  readCabal,
  readCMake,
  readConan,
  readDescription,
  readJuliaProject,
  readMeson,
  readPackageSwift,
} from "./native.ts";
import { readComposerJson, readPackageJson, readVcpkgJson, readWorkspaceJson } from "./npm.ts";
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

export interface ManifestKind {
  /** The family of languages whose packages it is about. */
  ecosystem: string;
  /** What brings its packages, where that is always the same. */
  manager?: string;
  /** `build`: how it is made, and no package; `workspace`: what belongs together. */
  role: "package" | "build" | "workspace";
  read?: (text: string) => Manifest | undefined;
}

const kind = (
  ecosystem: string,
  manager?: string,
  read?: ManifestKind["read"],
  role: ManifestKind["role"] = "package",
): ManifestKind => ({ ecosystem, role, ...(manager && { manager }), ...(read && { read }) });

const byName: Record<string, ManifestKind> = {
  "package.json": kind("javascript", undefined, readPackageJson),
  "deno.json": kind("javascript", "deno", readPackageJson),
  "deno.jsonc": kind("javascript", "deno", readPackageJson),
  "pnpm-workspace.yaml": kind("javascript", "pnpm", readWorkspaceYaml, "workspace"),
  "lerna.json": kind("javascript", undefined, readWorkspaceJson, "workspace"),
  "rush.json": kind("javascript", undefined, readWorkspaceJson, "workspace"),
  "pyproject.toml": kind("python", undefined, readPyproject),
  "setup.py": kind("python", undefined, readSetupPy),
  "setup.cfg": kind("python", undefined, readSetupCfg),
  "requirements.txt": kind("python", undefined, readRequirements),
  "requirements-dev.txt": kind("python", undefined, readDevRequirements),
  "dev-requirements.txt": kind("python", undefined, readDevRequirements),
  "requirements-test.txt": kind("python", undefined, readDevRequirements),
  "test-requirements.txt": kind("python", undefined, readDevRequirements),
  "project.json": kind("javascript", undefined, undefined, "build"),
  pipfile: kind("python", "pipenv", readPipfile),
  "environment.yml": kind("python", "conda"),
  "environment.yaml": kind("python", "conda"),
  "pixi.toml": kind("python", "pixi"),
  "go.mod": kind("go", "go modules", readGoMod),
  "go.work": kind("go", "go modules", readGoWork, "workspace"),
  "cargo.toml": kind("rust", "cargo", readCargoToml),
  "pom.xml": kind("java", "maven", readPom),
  "build.gradle": kind("java", "gradle", readGradle),
  "build.gradle.kts": kind("java", "gradle", readGradle),
  "settings.gradle": kind("java", "gradle", readGradle, "workspace"),
  "settings.gradle.kts": kind("java", "gradle", readGradle, "workspace"),
  "build.sbt": kind("scala", "sbt", readSbt),
  "build.sc": kind("scala", "mill"),
  "build.mill": kind("scala", "mill"),
  "project.clj": kind("clojure", "leiningen"),
  "deps.edn": kind("clojure", "clojure cli"),
  "directory.build.props": kind("dotnet", undefined, readProject, "build"),
  "directory.packages.props": kind("dotnet", "nuget", undefined, "build"),
  "packages.config": kind("dotnet", "nuget", undefined, "build"),
  "paket.dependencies": kind("dotnet", "paket", undefined, "build"),
  "composer.json": kind("php", "composer", readComposerJson),
  gemfile: kind("ruby", "bundler", readGemfile),
  "mix.exs": kind("elixir", "mix", readMixExs),
  "rebar.config": kind("erlang", "rebar3", readRebarConfig),
  "pubspec.yaml": kind("dart", "pub", readPubspec),
  "melos.yaml": kind("dart", "pub", readWorkspaceYaml, "workspace"),
  "package.swift": kind("swift", "swiftpm", readPackageSwift),
  podfile: kind("swift", "cocoapods", undefined, "build"),
  cartfile: kind("swift", "carthage", undefined, "build"),
  "cmakelists.txt": kind("c", undefined, readCMake, "build"),
  makefile: kind("c", undefined, undefined, "build"),
  gnumakefile: kind("c", undefined, undefined, "build"),
  "configure.ac": kind("c", undefined, undefined, "build"),
  "meson.build": kind("c", undefined, readMeson, "build"),
  "vcpkg.json": kind("c", "vcpkg", readVcpkgJson),
  "conanfile.txt": kind("c", "conan", readConan),
  "conanfile.py": kind("c", "conan", readConan),
  "stack.yaml": kind("haskell", "stack", undefined, "workspace"),
  "cabal.project": kind("haskell", "cabal", undefined, "workspace"),
  description: kind("r", "cran", readDescription),
  "project.toml": kind("julia", "pkg", readJuliaProject),
  "shard.yml": kind("crystal", "shards", readShard),
  "build.zig.zon": kind("zig", "zig"),
  "elm.json": kind("elm", "elm"),
  "dune-project": kind("ocaml", "opam"),
  cpanfile: kind("perl", "cpan"),
  "makefile.pl": kind("perl", "cpan"),
};

const byEnding: Record<string, ManifestKind> = {
  csproj: kind("dotnet", "nuget", readProject),
  fsproj: kind("dotnet", "nuget", readProject),
  vbproj: kind("dotnet", "nuget", readProject),
  sln: kind("dotnet", "nuget", readSolution, "workspace"),
  slnx: kind("dotnet", "nuget", readSolution, "workspace"),
  gemspec: kind("ruby", "rubygems", readGemspec),
  podspec: kind("swift", "cocoapods", undefined, "build"),
  cabal: kind("haskell", "cabal", readCabal),
  opam: kind("ocaml", "opam"),
  nimble: kind("nim", "nimble"),
  rockspec: kind("lua", "luarocks"),
};

/** What a file is by its name alone; `Cargo.toml` and its like are spelled in one way. */
export function manifestKind(path: string): ManifestKind | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const lower = name.toLowerCase();
  if (Object.hasOwn(byName, lower)) {
    const isExact = !exact.has(lower) || exact.get(lower) === name;
    return isExact ? byName[lower] : undefined;
  }
  if (/(^|\/)requirements\/[^/]+\.txt$/.test(path)) {
    return /^(dev|local|tests?|testing|ci|docs?|lint)\b/.test(lower)
      ? byName["requirements-dev.txt"]
      : byName["requirements.txt"];
  }
  const dot = lower.lastIndexOf(".");
  const ending = lower.slice(dot + 1);
  return dot > 0 && Object.hasOwn(byEnding, ending) ? byEnding[ending] : undefined;
}

/** Other files have these names too, in other letters. */
const exact = new Map([
  ["description", "DESCRIPTION"],
  ["project.toml", "Project.toml"],
  ["package.swift", "Package.swift"],
]);

/** Lock files, by what writes them. */
const locks: Record<string, string> = {
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

/** What wrote a lock file; undefined for any other file. */
export function lockedBy(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  return Object.hasOwn(locks, name) ? locks[name] : undefined;
}
