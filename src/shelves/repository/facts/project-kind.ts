import { programmingLanguageOf } from "../../../text/software/programming-languages.ts";
import { baseNameOf, childPath, parentFolder } from "../../../text/strings/relative-path.ts";
import type { LocatedManifest, RepoModel } from "../repo/repo-model.ts";

export type ProjectType = "library" | "application" | "documentation" | "script" | "unknown";

export interface ProjectKind {
  /** `python library`, `node monorepo`, `docs-heavy`. */
  kind: string;
  projectType: ProjectType;
  ecosystem: string;
}

/** Classifies a project by its contents and its intended use. */
export function detectProjectKind(
  model: RepoModel,
  bytes: Readonly<Record<string, number>>,
  primary: string | null,
): ProjectKind {
  const ecosystem = primaryEcosystem(model, primary);
  const projectType = detectProjectType(model, bytes, ecosystem);
  const { files } = model;
  if (files.length === 0) return { kind: "empty", projectType, ecosystem };
  if (files.length <= 3 && primary === null)
    return { kind: "almost empty", projectType, ecosystem };
  if (projectType === "documentation") return { kind: "docs-heavy", projectType, ecosystem };
  const label = ecosystemLabel(ecosystem, primary);
  const type = model.workspace.isMonorepo ? "monorepo" : projectType;
  return {
    kind: `${label} ${type === "unknown" ? "project" : type}`.trim(),
    projectType,
    ecosystem,
  };
}

/**
 * The ecosystem of the primary language if a manifest confirms it; else that of the first manifest.
 */
function primaryEcosystem({ projectManifests }: RepoModel, primary: string | null): string {
  const ecosystems = projectManifests
    .filter(({ kind, file }) => kind.role !== "build" || isCBuildFile(file))
    .map(({ kind }) => kind.ecosystem);
  const languageEcosystem = primary === null ? undefined : ecosystemByLanguage[primary];
  if (
    languageEcosystem !== undefined &&
    (ecosystems.includes(languageEcosystem) || ecosystems.length === 0)
  )
    return languageEcosystem;
  return ecosystems[0] ?? "unknown";
}

/** Build files used for C only; a `Makefile` may run anything. */
const isCBuildFile = (file: string): boolean =>
  /(^|\/)(CMakeLists\.txt|meson\.build|configure\.ac)$/.test(file);

/** The usual name: the ecosystem, or the language if several share it or none is known. */
function ecosystemLabel(ecosystem: string, primary: string | null): string {
  const language = (primary ?? "").toLowerCase();
  const isShared = ecosystem === "c" || (ecosystem === "java" && language === "kotlin");
  if (
    isShared ||
    ecosystem === "unknown" ||
    (primary !== null && languagesWithoutPackages.has(primary))
  )
    return language;
  return ecosystem === "javascript" ? "node" : ecosystem;
}

/** Languages without a package manager: a manifest next to them is for tools. */
const languagesWithoutPackages = new Set([
  "Shell",
  "PowerShell",
  "Vim Script",
  "Emacs Lisp",
  "HCL",
  "Nix",
]);

const ecosystemByLanguage: Record<string, string> = {
  C: "c",
  "C#": "dotnet",
  "C++": "c",
  Clojure: "clojure",
  Crystal: "crystal",
  Dart: "dart",
  Elixir: "elixir",
  Erlang: "erlang",
  "F#": "dotnet",
  Go: "go",
  Haskell: "haskell",
  Java: "java",
  JavaScript: "javascript",
  Julia: "julia",
  Kotlin: "java",
  PHP: "php",
  Python: "python",
  R: "r",
  Ruby: "ruby",
  Rust: "rust",
  Scala: "scala",
  Svelte: "javascript",
  Swift: "swift",
  TypeScript: "javascript",
  Vue: "javascript",
  Zig: "zig",
};

function detectProjectType(
  model: RepoModel,
  bytes: Readonly<Record<string, number>>,
  ecosystem: string,
): ProjectType {
  let [prose, programs] = [0, 0];
  for (const { path, size } of model.files) {
    const kind = programmingLanguageOf(path)?.kind;
    if (kind === "prose" && !changelogName.test(baseNameOf(path))) prose += size;
    else if (kind === "program") programs += size;
  }
  const isMostlyProse = prose > programs && (prose > 20_000 || programs === 0);
  if (isMostlyProse && model.files.length > 3) return "documentation";
  if (Object.keys(bytes).length === 0) return "unknown";
  const relevant = model.projectManifests.filter(({ kind }) => kind.ecosystem === ecosystem);
  if (ecosystem === "c" && isLibraryInC(model, relevant)) return "library";
  const hasMain = hasMainFile(model);
  if (relevant.some((located) => isLibrary(located, model, hasMain))) return "library";
  const isExecutable =
    relevant.some(({ manifest }) => (manifest?.entries.length ?? 0) > 0) || hasMain;
  if (isExecutable || relevant.length > 0) return "application";
  return programs > 0 && model.ownFiles.length <= 20 ? "script" : "unknown";
}

/** Changelogs grow with a program's age and do not make it documentation. */
const changelogName = /^(change-?log|changes|history|news|release-?notes)\b/i;

/** A separate include folder, or a build with libraries only, marks a C library. */
function isLibraryInC({ ownFiles }: RepoModel, relevant: readonly LocatedManifest[]): boolean {
  const buildTargets = new Set(relevant.flatMap(({ manifest }) => manifest?.tools ?? []));
  return (
    ownFiles.some(({ path }) => /^include\/.+\.(h|hh|hpp|hxx)$/.test(path)) ||
    (buildTargets.has("add_library") && !buildTargets.has("add_executable"))
  );
}

/** Whether it is meant as a dependency of other projects. */
function isLibrary(
  { manifest, kind, folder, file }: LocatedManifest,
  model: RepoModel,
  hasMain: boolean,
): boolean {
  if (!manifest || kind.role !== "package" || !manifest.isPackage || manifest.isPrivate)
    return false;
  const hasFile = (path: string): boolean => model.has(childPath(folder, path));
  switch (kind.ecosystem) {
    case "javascript":
      return (
        !manifest.tools.includes("npm start") &&
        (hasFile("index.js") || manifest.entries.some(({ kind: entry }) => entry === "main"))
      );
    case "rust":
      return hasFile("src/lib.rs");
    case "go":
      return !model.ownFiles.some(({ path }) => /^(cmd\/[^/]+\/)?main\.go$/.test(path));
    case "dart":
      return !hasFile("lib/main.dart");
    case "dotnet":
      return !manifest.tools.some((tool) => /OutputType (Exe|WinExe)|Sdk\.Web$/.test(tool));
    case "java":
      return !hasMain;
    case "swift":
      return manifest.tools.includes("library");
    case "python": {
      const isRun = model.projectManifests.some(
        (other) => other.folder === folder && isConsoleProgram(other),
      );
      return !isRun && (manifest.name !== undefined || file.endsWith("setup.py"));
    }
    case "ruby":
      return file.endsWith(".gemspec");
    default:
      return manifest.name !== undefined;
  }
}

/** A package may have several manifests; one of them may declare a console program. */
const isConsoleProgram = ({ manifest }: LocatedManifest): boolean =>
  manifest !== undefined &&
  manifest.entries.length > 0 &&
  manifest.tools.includes("console program");

/** Conventional names of main files. */
const mainFileName =
  /^(main\.(go|rs|py|c|cc|cpp|java|kt|swift|dart)|program\.cs|manage\.py|app\.py|.*Application\.(java|kt)|index\.php|server\.[jt]s)$/i;

const hasMainFile = ({ ownFiles, roleOf }: RepoModel): boolean =>
  ownFiles.some(
    ({ path }) =>
      mainFileName.test(baseNameOf(path)) && roleOf(parentFolder(path)).tests === undefined,
  );
