import { languageOf } from "../../text/languages.ts";
import { folderOf, nameOf } from "./folders.ts";
import type { PlacedManifest, Sight } from "./sight.ts";

export type ProjectType = "library" | "application" | "documentation" | "script" | "unknown";

export interface KindFound {
  /** `python library`, `node monorepo`, `docs-heavy`. */
  kind: string;
  projectType: ProjectType;
  ecosystem: string;
}

/** What sort of project it is, by what it is made of and what others do with it. */
export function kindOf(
  sight: Sight,
  bytes: Readonly<Record<string, number>>,
  primary: string | null,
): KindFound {
  const ecosystem = ecosystemOf(sight, primary);
  const projectType = projectTypeOf(sight, bytes, ecosystem);
  const { files } = sight;
  if (files.length === 0) return { kind: "empty", projectType, ecosystem };
  if (files.length <= 3 && primary === null)
    return { kind: "almost empty", projectType, ecosystem };
  if (projectType === "documentation") return { kind: "docs-heavy", projectType, ecosystem };
  const word = wordFor(ecosystem, primary);
  const type = sight.workspace.isMonorepo ? "monorepo" : projectType;
  return {
    kind: `${word} ${type === "unknown" ? "project" : type}`.trim(),
    projectType,
    ecosystem,
  };
}

/** The ecosystem that the primary language lives in, where a manifest speaks of it; else the first. */
function ecosystemOf({ speaking }: Sight, primary: string | null): string {
  const known = speaking
    .filter(({ kind, file }) => kind.role !== "build" || isOfC(file))
    .map(({ kind }) => kind.ecosystem);
  const wanted = primary === null ? undefined : homes[primary];
  if (wanted !== undefined && (known.includes(wanted) || known.length === 0)) return wanted;
  return known[0] ?? "unknown";
}

/** What builds C and nothing else; a `Makefile` may call anything. */
const isOfC = (file: string): boolean =>
  /(^|\/)(CMakeLists\.txt|meson\.build|configure\.ac)$/.test(file);

/** What people call it by: its ecosystem, or the language where several share one or none is known. */
function wordFor(ecosystem: string, primary: string | null): string {
  const language = (primary ?? "").toLowerCase();
  const isShared = ecosystem === "c" || (ecosystem === "java" && language === "kotlin");
  if (isShared || ecosystem === "unknown" || (primary !== null && homeless.has(primary)))
    return language;
  return ecosystem === "javascript" ? "node" : ecosystem;
}

/** Languages that bring no packages of their own, so that a manifest beside them is for tools. */
const homeless = new Set(["Shell", "PowerShell", "Vim Script", "Emacs Lisp", "HCL", "Nix"]);

const homes: Record<string, string> = {
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

function projectTypeOf(
  sight: Sight,
  bytes: Readonly<Record<string, number>>,
  ecosystem: string,
): ProjectType {
  let [prose, programs] = [0, 0];
  for (const { path, size } of sight.files) {
    const kind = languageOf(path)?.kind;
    if (kind === "prose" && !isHistory.test(nameOf(path))) prose += size;
    else if (kind === "program") programs += size;
  }
  const isRead = prose > programs && (prose > 20_000 || programs === 0);
  if (isRead && sight.files.length > 3) return "documentation";
  if (Object.keys(bytes).length === 0) return "unknown";
  const speaking = sight.speaking.filter(({ kind }) => kind.ecosystem === ecosystem);
  if (ecosystem === "c" && isLibraryInC(sight, speaking)) return "library";
  const isStarted = hasMain(sight);
  if (speaking.some((placed) => isLibrary(placed, sight, isStarted))) return "library";
  const isRun = speaking.some(({ said }) => (said?.entries.length ?? 0) > 0) || isStarted;
  if (isRun || speaking.length > 0) return "application";
  return programs > 0 && sight.own.length <= 20 ? "script" : "unknown";
}

/** A list of changes grows with a program's age, and makes no book of it. */
const isHistory = /^(change-?log|changes|history|news|release-?notes)\b/i;

/** Headers that stand apart are for others; so is what a build calls a library and never runs. */
function isLibraryInC({ own }: Sight, speaking: readonly PlacedManifest[]): boolean {
  const made = new Set(speaking.flatMap(({ said }) => said?.tools ?? []));
  return (
    own.some(({ path }) => /^include\/.+\.(h|hh|hpp|hxx)$/.test(path)) ||
    (made.has("add_library") && !made.has("add_executable"))
  );
}

/** Whether others are meant to depend on it. */
function isLibrary(
  { said, kind, folder, file }: PlacedManifest,
  sight: Sight,
  isStarted: boolean,
): boolean {
  if (!said || kind.role !== "package" || !said.isPackage || said.isPrivate) return false;
  const at = (path: string): boolean => sight.has(folder === "" ? path : `${folder}/${path}`);
  switch (kind.ecosystem) {
    case "javascript":
      return (
        !said.tools.includes("npm start") &&
        (at("index.js") || said.entries.some(({ kind: entry }) => entry === "main"))
      );
    case "rust":
      return at("src/lib.rs");
    case "go":
      return !sight.own.some(({ path }) => /^(cmd\/[^/]+\/)?main\.go$/.test(path));
    case "dart":
      return !at("lib/main.dart");
    case "dotnet":
      return !said.tools.some((tool) => /OutputType (Exe|WinExe)|Sdk\.Web$/.test(tool));
    case "java":
      return !isStarted;
    case "swift":
      return said.tools.includes("library");
    case "python": {
      const isRun = sight.speaking.some((other) => other.folder === folder && isForConsole(other));
      return !isRun && (said.name !== undefined || file.endsWith("setup.py"));
    }
    case "ruby":
      return file.endsWith(".gemspec");
    default:
      return said.name !== undefined;
  }
}

/** A package may be told of by several manifests, and one of them says that it is a program. */
const isForConsole = ({ said }: PlacedManifest): boolean =>
  said !== undefined && said.entries.length > 0 && said.tools.includes("console program");

/** Files that a program begins in, by the habits of their languages. */
const mains =
  /^(main\.(go|rs|py|c|cc|cpp|java|kt|swift|dart)|program\.cs|manage\.py|app\.py|.*Application\.(java|kt)|index\.php|server\.[jt]s)$/i;

const hasMain = ({ own, roleOf }: Sight): boolean =>
  own.some(({ path }) => mains.test(nameOf(path)) && roleOf(folderOf(path)).tests === undefined);
